// Prints the result of `checkHostPeer` for a process as JSON: `container-host-peer.ts <pid> <uid>`. It is a separate
// program so that it can run as another user.
import { checkHostPeer } from "../../../src/container/host-peer.ts";
import { pinByPid } from "../../../src/peer/pin.ts";

const [pid = 0, uid = 0] = process.argv.slice(2).map(Number);
const pinned = pinByPid(pid, null);
const checked = pinned.ok
  ? checkHostPeer({ credentials: { pid, uid, gid: 0 }, process: pinned.value }, {
    ownUid: process.getuid?.() ?? -1,
    operatorsGid: null,
  })
  : pinned;
process.stdout.write(JSON.stringify(checked));

// A network device by its name: reads it, makes it as a bridge, brings it up and takes it down, by rtnetlink(7).
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  askKernel,
  attribute,
  decodeAttributes,
  IFLA_IFNAME,
  IFLA_INFO_KIND,
  IFLA_LINKINFO,
  NLM_F_ACK,
  NLM_F_CREATE,
  NLM_F_EXCL,
  NLM_F_REQUEST,
  RTM_GETLINK,
  RTM_NEWLINK,
} from "./netlink.ts";

/** The state of a device. */
export type Device = { readonly isBridge: boolean; readonly isUp: boolean };

/** The flag of a device that is administratively up (netdevice(7), IFF_UP). */
const IFF_UP = 0x1;

const KIND = "bridge";

/** Errors of the kernel that have words of their own (errno(3)). */
const EPERM = 1;
const EEXIST = 17;
const ENODEV = 19;
const REASONS: ReadonlyMap<number, string> = new Map([
  [EPERM, "operation not permitted"],
  [13, "permission denied"],
  [16, "device busy"],
  [ENODEV, "no such device"],
  [95, "the kernel has no bridges"],
]);

/** Reads the device with this name; null if there is none. */
export function findDevice(name: string): Result<Device | null, Problem> {
  const answer = askKernel({ type: RTM_GETLINK, flags: NLM_F_REQUEST, attributes: [attribute(IFLA_IFNAME, name)] });
  if (!answer.ok) return answer;
  if (answer.value.kind === "status") {
    const { errno } = answer.value;
    return errno === ENODEV ? ok(null) : err(refused(`cannot look at device ${quote(name)}`, errno));
  }
  const { flags, attributes } = answer.value;
  const info = attributes.get(IFLA_LINKINFO);
  const kind = info === undefined ? undefined : decodeAttributes(info).get(IFLA_INFO_KIND);
  const isBridge = kind !== undefined && new TextDecoder().decode(kind).replace(/\0+$/, "") === KIND;
  return ok({ isBridge, isUp: (flags & IFF_UP) === IFF_UP });
}

/** Makes a bridge with this name, which is down. It is not an error if another program made it meanwhile. */
export function createBridge(name: string): Result<null, Problem> {
  const kind = attribute(IFLA_INFO_KIND, KIND);
  const attributes = [attribute(IFLA_IFNAME, name), attribute(IFLA_LINKINFO, [kind])];
  const flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL;
  return change(`cannot create bridge ${quote(name)}`, { type: RTM_NEWLINK, flags, attributes }, EEXIST);
}

/** Brings a device up or takes it down. */
export function switchDevice(name: string, to: "up" | "down"): Result<null, Problem> {
  const request = {
    deviceFlags: to === "up" ? IFF_UP : 0,
    deviceChange: IFF_UP,
    attributes: [attribute(IFLA_IFNAME, name)],
  };
  const what = `cannot ${to === "up" ? "bring up" : "take down"} bridge ${quote(name)}`;
  return change(what, { type: RTM_NEWLINK, flags: NLM_F_REQUEST | NLM_F_ACK, ...request });
}

function change(what: string, request: Parameters<typeof askKernel>[0], asGood = 0): Result<null, Problem> {
  const answer = askKernel(request);
  if (!answer.ok) return answer;
  const errno = answer.value.kind === "status" ? answer.value.errno : 0;
  return errno === 0 || errno === asGood ? ok(null) : err(refused(what, errno));
}

function refused(what: string, errno: number): Problem {
  return problem("bridge.refused", `${what}: ${REASONS.get(errno) ?? `error ${errno}`}`);
}

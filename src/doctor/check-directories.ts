// The directories of both sockets and of the daemon's state: each must exist and belong to root or the daemon's
// user, and no other user may write it.
import { statfsSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { DEFAULT_STATE_DIR } from "../core/defaults.ts";
import { quote } from "../core/quote.ts";
import { whyUntrusted } from "../file/trust.ts";
import { isOwn, isShared } from "../file/shared-directory.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt, modeOf, shellPath } from "./look.ts";
import { otherPath, trustCommands } from "./ownership.ts";

/** One socket and its expected properties. */
export type SocketPlace = {
  readonly name: string;
  /** The flag that names its path, without dashes, and the path that it has by default. */
  readonly flag: string;
  readonly defaultPath: string;
  readonly path: string;
  /** The mode of the socket itself. */
  readonly mode: number;
  /** The mode of the socket where the daemon runs with an operators' group. */
  readonly groupMode?: number;
  readonly directoryMode: number;
};

/** The least room for the decision log, in bytes: days of decisions, and time to notice. */
const LEAST_ROOM_BYTES = 64 * 1024 * 1024;

/** A directory, its purpose, and the advice for a directory that cannot be used. */
type Place = {
  readonly name: string;
  readonly dir: string;
  readonly mode: number;
  /** The advice to use another place, as a flag of outcalld. */
  readonly instead: string;
  /** Whether doctor may advise a change of this directory. */
  readonly mayChange: (dir: string, stats: Stats) => boolean;
};

/** Checks a socket and its directory. */
export function checkSocket({ name, flag, defaultPath, path, mode, directoryMode }: SocketPlace): Check {
  const dir = dirname(path);
  const instead = otherPath(flag, defaultPath);
  const directory = checkDirectory({ name, dir, mode: directoryMode, instead, mayChange: isOwn });
  if (directory.outcome !== "ok") return directory;
  const found = lookAt(path);
  if (found.kind === "hidden") return failed(name, `${quote(path)}: ${found.reason}`, "run doctor as root");
  if (found.kind === "nothing") {
    return lookAt(dir).kind === "nothing" ? directory : fine(name, `${directory.found}, no socket in it yet`);
  }
  if (!found.stats.isSocket()) {
    return failed(name, `${quote(path)} is not a socket`, `move ${shellPath(path)} away, or ${instead}`);
  }
  if ((found.stats.mode & 0o777) === mode) return fine(name, `${quote(path)}, mode ${modeOf(found.stats)}`);
  const wanted = mode.toString(8).padStart(4, "0");
  return failed(
    name,
    `${quote(path)} has mode ${modeOf(found.stats)}, not ${wanted}`,
    "restart outcalld, which sets the mode",
  );
}

/** Checks the state directory, and the room that is left in it for the decision log. */
export function checkStateDir(dir: string): Check {
  const name = "state directory";
  const instead = otherPath("state-dir", DEFAULT_STATE_DIR);
  const mayChange = (path: string, stats: Stats) => !isShared(path, stats);
  const directory = checkDirectory({ name, dir, mode: 0o700, instead, mayChange });
  if (directory.outcome !== "ok" || lookAt(dir).kind !== "there") return directory;
  const { bavail, bsize } = statfsSync(dir);
  const room = bavail * bsize;
  const text = `${Math.floor(room / 1024 / 1024)} MiB free`;
  if (room >= LEAST_ROOM_BYTES) return fine(name, `${directory.found}, ${text}`);
  return failed(name, `${quote(dir)}: ${text}`, "free some disk space: without a decision log every request is denied");
}

// The daemon makes a missing directory itself if the parent exists.
function checkDirectory(place: Place): Check {
  const { name, dir, mode } = place;
  const found = lookAt(dir);
  const make = `mkdir -p -m ${mode.toString(8).padStart(4, "0")} ${shellPath(dir)}`;
  switch (found.kind) {
    case "hidden":
      return failed(name, `${quote(dir)}: ${found.reason}`, "run doctor as root");
    case "nothing":
      return lookAt(dirname(dir)).kind === "there"
        ? fine(name, `${quote(dir)} does not exist yet, outcalld makes it`)
        : failed(name, `neither ${quote(dir)} nor its parent exists`, make);
    case "there":
      return judgeDirectory(place, found.stats);
  }
}

function judgeDirectory({ name, dir, mode, instead, mayChange }: Place, stats: Stats): Check {
  if (!stats.isDirectory()) return failed(name, `${quote(dir)} is not a directory`, instead);
  const advise = (commands: string) => mayChange(dir, stats) ? commands : instead;
  const untrusted = whyUntrusted(stats);
  if (untrusted !== null) return failed(name, `${quote(dir)} ${untrusted}`, advise(trustCommands(dir, stats)));
  const found = `${quote(dir)}, mode ${modeOf(stats)}`;
  const shared = 0o005;
  if ((mode & shared) !== shared || (stats.mode & shared) === shared) return fine(name, found);
  const closed = `${found}: only root and its owner can enter it, so a container's other users cannot connect`;
  return doubtful(name, closed, advise(`chmod go+rx ${shellPath(dir)}`));
}

// The directories of both sockets and of the daemon's state: there, of the right owner, and not for others to write.
import { statfsSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { quote } from "../core/quote.ts";
import { whyUntrusted } from "../file/trust.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt, modeOf, shellPath } from "./look.ts";

/** One socket and what it must be. */
export type SocketPlace = {
  readonly name: string;
  readonly path: string;
  /** The mode of the socket itself. */
  readonly mode: number;
  /** The mode of the socket where the daemon runs with an operators' group. */
  readonly groupMode?: number;
  readonly directoryMode: number;
};

/** The least room for the decision log, in bytes: days of decisions, and time to notice. */
const LEAST_ROOM_BYTES = 64 * 1024 * 1024;

/** Looks at a socket and its directory. */
export function checkSocket({ name, path, mode, groupMode = mode, directoryMode }: SocketPlace): Check {
  const dir = dirname(path);
  const directory = checkDirectory(name, dir, directoryMode);
  if (directory.outcome !== "ok") return directory;
  const found = lookAt(path);
  if (found.kind === "hidden") return failed(name, `${quote(path)}: ${found.reason}`, "run doctor as root");
  if (found.kind === "nothing") {
    return lookAt(dir).kind === "nothing" ? directory : fine(name, `${directory.found}, no socket in it yet`);
  }
  if (!found.stats.isSocket()) return failed(name, `${quote(path)} is no socket`, `remove ${shellPath(path)}`);
  const actual = found.stats.mode & 0o777;
  if (actual === mode || actual === groupMode) return fine(name, `${quote(path)}, mode ${modeOf(found.stats)}`);
  const wanted = mode.toString(8).padStart(4, "0");
  return failed(
    name,
    `${quote(path)} has mode ${modeOf(found.stats)}, not ${wanted}`,
    "restart outcalld, which sets it",
  );
}

/** Looks at the state directory, and at the room that is left for what is kept there. */
export function checkStateDir(dir: string): Check {
  const name = "state directory";
  const directory = checkDirectory(name, dir, 0o700);
  if (directory.outcome !== "ok" || lookAt(dir).kind !== "there") return directory;
  const { bavail, bsize } = statfsSync(dir);
  const room = bavail * bsize;
  const text = `${Math.floor(room / 1024 / 1024)} MiB left`;
  if (room >= LEAST_ROOM_BYTES) return fine(name, `${directory.found}, ${text}`);
  return failed(name, `${quote(dir)}: ${text}`, "make room: without a decision log everything is denied");
}

/** Looks at a directory that the daemon makes itself where its parent is there. */
function checkDirectory(name: string, dir: string, mode: number): Check {
  const found = lookAt(dir);
  const path = shellPath(dir);
  const make = `mkdir -p -m ${mode.toString(8).padStart(4, "0")} ${path}`;
  switch (found.kind) {
    case "hidden":
      return failed(name, `${quote(dir)}: ${found.reason}`, "run doctor as root");
    case "nothing":
      return lookAt(dirname(dir)).kind === "there"
        ? fine(name, `${quote(dir)} is not there yet, outcalld makes it`)
        : failed(name, `neither ${quote(dir)} nor the directory above it is there`, make);
    case "there":
      return judgeDirectory(name, dir, mode, found.stats);
  }
}

function judgeDirectory(name: string, dir: string, mode: number, stats: Stats): Check {
  if (!stats.isDirectory()) return failed(name, `${quote(dir)} is no directory`, `remove ${shellPath(dir)}`);
  const untrusted = whyUntrusted(stats);
  if (untrusted !== null) {
    return failed(name, `${quote(dir)} ${untrusted}`, `chown root ${shellPath(dir)} && chmod go-w ${shellPath(dir)}`);
  }
  const found = `${quote(dir)}, mode ${modeOf(stats)}`;
  const shared = 0o005;
  if ((mode & shared) !== shared || (stats.mode & shared) === shared) return fine(name, found);
  return doubtful(name, `${found}: ordinary users of containers do not get to it`, `chmod go+rx ${shellPath(dir)}`);
}

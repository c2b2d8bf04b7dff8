// The table of rooms, and the check of a file's imports.
import { posix } from "node:path";
import { findImports, type Import } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** A room: its rank, the rooms that it may import, and whether it is pure, which means without input and output. */
export type Room = { readonly rank: number; readonly imports: readonly string[]; readonly pure?: true };

/** The rooms of `src`; `src/README.md` says what each is for. */
export const ROOMS: ReadonlyMap<string, Room> = new Map<string, Room>([
  ["core", { rank: 0, imports: [], pure: true }],
  ["audit", { rank: 1, imports: ["core"] }],
  ["cel", { rank: 1, imports: ["core"], pure: true }],
  ["command", { rank: 1, imports: ["core"], pure: true }],
  ["datalog", { rank: 1, imports: ["core"], pure: true }],
  ["file", { rank: 1, imports: ["core"] }],
  ["peer", { rank: 1, imports: ["core"] }],
  ["thread", { rank: 1, imports: ["core"] }],
  ["wire", { rank: 1, imports: ["core"], pure: true }],
  ["yaml", { rank: 1, imports: ["core"], pure: true }],
  ["action", { rank: 2, imports: ["core", "wire"], pure: true }],
  ["bridge", { rank: 2, imports: ["core", "peer"] }],
  ["client", { rank: 2, imports: ["core", "wire"] }],
  ["container", { rank: 2, imports: ["core", "peer"] }],
  ["hook", { rank: 2, imports: ["core"] }],
  ["rule", { rank: 2, imports: ["cel", "core", "file", "wire", "yaml"] }],
  ["state", { rank: 2, imports: ["core", "file", "peer"] }],
  ["rulespec", { rank: 2, imports: ["cel", "core", "datalog", "file", "wire", "yaml"] }],
  ["doctor", { rank: 3, imports: ["bridge", "container", "core", "file", "peer", "rule"] }],
  ["log", { rank: 3, imports: ["audit", "container", "core"] }],
  ["report", { rank: 3, imports: ["core", "file", "rule", "rulespec", "wire"] }],
  ["request", { rank: 3, imports: ["cel", "core", "file", "rule", "thread", "wire"] }],
  ["session", { rank: 3, imports: ["container", "core"] }],
  ["envelope", { rank: 4, imports: ["container", "core", "file", "rule", "rulespec", "thread", "wire"] }],
  ["reload", { rank: 4, imports: ["core", "log", "rule", "thread"] }],
  ["server", { rank: 4, imports: ["container", "core", "file", "log", "peer", "wire"] }],
  ["decision", { rank: 5, imports: ["audit", "bridge", "core", "log", "reload", "rule"] }],
  [
    "api",
    {
      rank: 6,
      imports: [
        ...[
          "action",
          "audit",
          "bridge",
          "container",
          "core",
          "decision",
          "envelope",
          "log",
          "peer",
          "reload",
          "request",
        ],
        ...["rule", "server", "session", "state", "wire"],
      ],
    },
  ],
  ["agent", { rank: 7, imports: ["client", "command", "core", "file", "wire"] }],
  [
    "cli",
    {
      rank: 7,
      imports: [
        ...[
          "action",
          "audit",
          "cel",
          "client",
          "command",
          "core",
          "datalog",
          "doctor",
          "file",
          "hook",
          "report",
          "rule",
        ],
        ...["rulespec", "wire"],
      ],
    },
  ],
  [
    "daemon",
    {
      rank: 7,
      imports: [
        ...["api", "audit", "bridge", "command", "container", "core", "decision", "envelope", "file", "hook", "log"],
        ...["peer", "reload", "request", "rule", "server", "session", "state", "thread", "wire"],
      ],
    },
  ],
]);

/** The entry files, each with the room whose main function it runs. */
export const ENTRIES: ReadonlyMap<string, string> = new Map([
  ["src/outcalld.ts", "daemon"],
  ["src/outcall.ts", "cli"],
  ["src/outcall-agent.ts", "agent"],
]);

/** Each package, with the paths of the files that may import it. */
export const PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ["@logtape/logtape", ["src/log/"]],
  ["@marcbachmann/cel-js", ["src/cel/"]],
  ["@sinclair/typebox", ["src/wire/"]],
  ["cac", ["src/command/"]],
  ["elysia", ["src/server/"]],
  ["re2js", ["src/cel/"]],
  ["yaml", ["src/yaml/"]],
]);

/** The only file that may import modules of a single runtime. */
export const RUNTIME_SEAM = "src/peer/ffi.ts";

/** The only files that may use a global of a single runtime. */
export const GLOBAL_SEAMS: readonly string[] = [RUNTIME_SEAM, "src/daemon/engine.ts"];

/** Modules of the runtime without input and output. */
const PURE_MODULES: ReadonlySet<string> = new Set(["node:buffer", "node:util"]);

/** The forbidden imports of a file of `src`, one line each. */
export function importFaults(file: SourceFile): readonly string[] {
  const importer = importerOf(file.path);
  if (typeof importer === "string") return [importer];
  return findImports(file.tokens).flatMap((found) => {
    const fault = importFault(file.path, importer, found);
    return fault === undefined ? [] : [`${file.path}:${found.line}: ${fault}`];
  });
}

type Importer = { readonly name: string; readonly rooms: readonly string[]; readonly pure: boolean };

function importerOf(path: string): Importer | string {
  const entryRoom = ENTRIES.get(path);
  if (entryRoom !== undefined) return { name: path, rooms: [entryRoom], pure: false };
  const name = roomOf(path);
  const room = ROOMS.get(name);
  return room === undefined
    ? `${path}: no such room in the table`
    : { name, rooms: [name, ...room.imports], pure: room.pure ?? false };
}

function importFault(path: string, importer: Importer, { specifier }: Import): string | undefined {
  if (specifier === undefined) return "the imported module is computed";
  if (specifier.startsWith(".")) return relativeFault(path, importer, specifier);
  if (specifier.startsWith("bun:")) return path === RUNTIME_SEAM ? undefined : `only ${RUNTIME_SEAM} may import bun:`;
  if (specifier.startsWith("node:")) {
    return importer.pure && !PURE_MODULES.has(specifier) ? `${importer.name} is pure, so no ${specifier}` : undefined;
  }
  return packageFault(path, specifier);
}

function relativeFault(path: string, importer: Importer, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!/\.(ts|json)$/.test(target)) return `"${specifier}" has no extension`;
  if (!target.startsWith("src/")) return `"${specifier}" leaves src`;
  const room = roomOf(target);
  return importer.rooms.includes(room) ? undefined : `${importer.name} may not import ${room}`;
}

function packageFault(path: string, specifier: string): string | undefined {
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const allowed = PACKAGES.get(name);
  if (allowed === undefined) return `package ${name} is not in the table`;
  return allowed.some((prefix) => path.startsWith(prefix))
    ? undefined
    : `only ${allowed.join(", ")} may import ${name}`;
}

// The entry files are in no room, so each counts as a room of its own name.
function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

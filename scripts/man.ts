// `bun run man`: the manual pages in `dist/man`, from the command tables of the programs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { AGENT_PROGRAM } from "../src/agent/program.ts";
import { TIMEOUT_DEFAULT_SECONDS, TIMEOUT_MAX_SECONDS } from "../src/agent/settings.ts";
import { OUTCALL } from "../src/cli/program.ts";
import type { Program } from "../src/command/command.ts";
import { formatMan, type ManOptions } from "../src/command/man.ts";
import {
  DEFAULT_AGENT_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../src/core/defaults.ts";
import { VERSION } from "../src/core/version.ts";
import { OUTCALLD } from "../src/daemon/program.ts";
import { runMain } from "./failure.ts";
import { DIST, PROJECT } from "./project.ts";

/** A page: the program and what its command table does not say. */
export type Page = { readonly program: Program; readonly options: Omit<ManOptions, "version"> };

const OUTCALL_PAGE: Page = {
  program: OUTCALL,
  options: {
    section: 1,
    exits: [["0", "done"], ["1", "failed, or findings that are errors"], ["2", "bad arguments"]],
    variables: [["NO_COLOR", "not empty: no colour where --color is auto"], ["TERM", "dumb: the same"]],
    files: [[DEFAULT_HOST_SOCKET, "where the daemon is asked"], [DEFAULT_RULES_DIR, "what lint reads without a path"]],
    seeAlso: ["outcalld(8)", "outcall-agent(1)"],
  },
};

const OUTCALLD_PAGE: Page = {
  program: OUTCALLD,
  options: {
    section: 8,
    exits: [["0", "stopped by a signal"], ["1", "could not start, or the rules do not load"], ["2", "bad arguments"]],
    variables: [["NOTIFY_SOCKET", "socket of systemd for READY=1 and STOPPING=1"]],
    files: [
      [DEFAULT_RULES_DIR, "rule files, *.yaml"],
      [DEFAULT_HOST_SOCKET, "host socket"],
      [DEFAULT_AGENT_SOCKET, "agent socket"],
      [DEFAULT_STATE_DIR, "decision log, rule requests and keys"],
    ],
    seeAlso: ["outcall(1)", "outcall-agent(1)"],
  },
};

const AGENT_PAGE: Page = {
  program: AGENT_PROGRAM,
  options: {
    section: 1,
    exits: [
      ["0", "the action was allowed; exec and shell exit as the program does"],
      ["1", "check: denied; request, envelope, link: refused, or not possible"],
      ["2", "the command line or a variable is wrong"],
      ["5", "the daemon could not be asked; nothing was run"],
      ["126", "the action was denied, there were too many requests, or the program cannot be run"],
    ],
    variables: [
      [
        "OUTCALL_TIMEOUT_SECS",
        `seconds to wait for the daemon, 1 to ${TIMEOUT_MAX_SECONDS}; ${TIMEOUT_DEFAULT_SECONDS} if not given`,
      ],
      ["OUTCALL_VERDICT", "json: a denial is printed as the whole verdict, in one line of JSON"],
      ["PATH", "where programs are looked for"],
    ],
    files: [[DEFAULT_AGENT_SOCKET, "where the daemon is asked"]],
    seeAlso: ["outcalld(8)", "outcall(1)"],
  },
};

/** Every page. */
export const PAGES: readonly Page[] = [OUTCALLD_PAGE, OUTCALL_PAGE, AGENT_PAGE];

/** The pages by their file names. */
export function manPages(): ReadonlyMap<string, string> {
  return new Map(PAGES.map(({ program, options }) => {
    return [`${program.name}.${options.section}`, formatMan(program, { version: VERSION, ...options })];
  }));
}

if (import.meta.main) {
  await runMain(() => {
    const directory = join(DIST, "man");
    mkdirSync(directory, { recursive: true });
    for (const [name, text] of manPages()) writeFileSync(join(directory, name), text);
    console.log(`wrote ${manPages().size} pages to ${relative(PROJECT, directory)}`);
    return 0;
  });
}

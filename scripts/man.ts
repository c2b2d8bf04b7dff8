// `bun run man`: writes the manual pages to `dist/man`, from the command tables of the programs.
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

/** A manual page: the program, and the texts that its command table does not have. */
export type Page = { readonly program: Program; readonly options: Omit<ManOptions, "version"> };

const OUTCALL_PAGE: Page = {
  program: OUTCALL,
  options: {
    section: 1,
    exits: [["0", "success"], ["1", "failure, or findings that are errors"], ["2", "wrong arguments"]],
    variables: [["NO_COLOR", "if not empty, --color auto means no colour"], [
      "TERM",
      "if dumb, --color auto means no colour",
    ]],
    files: [[DEFAULT_HOST_SOCKET, "the daemon's socket for operators"], [
      DEFAULT_RULES_DIR,
      "the rules that lint checks by default",
    ]],
    seeAlso: ["outcalld(8)", "outcall-agent(1)"],
  },
};

const OUTCALLD_PAGE: Page = {
  program: OUTCALLD,
  options: {
    section: 8,
    exits: [["0", "stopped by a signal"], ["1", "could not start, or the rules do not load"], ["2", "wrong arguments"]],
    variables: [["NOTIFY_SOCKET", "the socket on which systemd receives READY=1 and STOPPING=1"]],
    files: [
      [DEFAULT_RULES_DIR, "rule files, *.yaml"],
      [DEFAULT_HOST_SOCKET, "the socket for operators"],
      [DEFAULT_AGENT_SOCKET, "the socket for agents"],
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
      ["0", "success, or allowed; exec and shell exit like the program that they run"],
      ["1", "check: denied; request, envelope and link: refused, or not possible"],
      ["2", "wrong arguments, or a wrong variable"],
      ["5", "the daemon could not be asked; nothing was run"],
      ["126", "denied, too many requests, or the program cannot be run"],
    ],
    variables: [
      [
        "OUTCALL_TIMEOUT_SECS",
        `seconds to wait for the daemon, 1 to ${TIMEOUT_MAX_SECONDS}; the default is ${TIMEOUT_DEFAULT_SECONDS}`,
      ],
      ["OUTCALL_VERDICT", "if json, a denial is printed as the whole verdict, on one line of JSON"],
      ["PATH", "directories to search for programs"],
    ],
    files: [[DEFAULT_AGENT_SOCKET, "the daemon's socket for agents"]],
    seeAlso: ["outcalld(8)", "outcall(1)"],
  },
};

/** Every page. */
export const PAGES: readonly Page[] = [OUTCALLD_PAGE, OUTCALL_PAGE, AGENT_PAGE];

/** The pages by file name. */
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

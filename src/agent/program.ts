// The command table of outcall-agent.
import type { Command, Flag, Program } from "../command/command.ts";
import { DEFAULT_AGENT_SOCKET } from "../core/defaults.ts";
import { ACTION_TYPES } from "../wire/agent-api.ts";

const AGENT_SOCKET: Flag = {
  name: "agent-socket",
  value: "path",
  summary: "the daemon's socket for agents",
  default: DEFAULT_AGENT_SOCKET,
};

/** Ask, then become a program. */
export const EXEC: Command = {
  path: ["exec"],
  summary: "ask whether a program may run, then become it",
  arguments: [{ name: "program", required: true }, { name: "args", required: false, variadic: true }],
  flags: [],
  raw: true,
};

/** Ask, then become a shell that runs one line. */
export const SHELL: Command = {
  path: ["shell"],
  summary: "ask whether the shell may run a line (put -- before a line that begins with a dash), then run it",
  arguments: [{ name: "line", required: true }],
  flags: [],
};

/** Ask and print the verdict. */
export const CHECK: Command = {
  path: ["check"],
  summary: "ask about an action and print the verdict; exit 0 if allowed, 1 if denied",
  arguments: [],
  flags: [
    { name: "type", value: "type", summary: "the kind of action", choices: ACTION_TYPES },
    {
      name: "target",
      value: "target",
      summary: "the target: a program, a line for the shell, a URL or host, or a file",
    },
    {
      name: "meta",
      value: "key=value",
      summary: "metadata of the action, any number of times; a key given twice, and argv always, becomes a list",
      repeated: true,
    },
    { name: "json", summary: "print the verdict as one line of JSON" },
  ],
};

/** Check in. */
export const CHECKIN: Command = {
  path: ["checkin"],
  summary: "check in and print the container's id",
  arguments: [],
  flags: [],
};

/** Ask for rules. */
export const REQUEST_SUBMIT: Command = {
  path: ["request", "submit"],
  summary: "ask the operator for the rules in a file (- for standard input) and print the id of the request",
  arguments: [{ name: "file", required: true }],
  flags: [],
};

/** Print the status of a request for rules. */
export const REQUEST_STATUS: Command = {
  path: ["request", "status"],
  summary: "print the status of a request: pending, approved, or rejected with the reason",
  arguments: [{ name: "id", required: true }],
  flags: [],
};

/** Send facts. */
export const ENVELOPE_WRITE: Command = {
  path: ["envelope", "write"],
  summary: "verify the facts in a file (- for standard input) against the operator's rulespec and print the outcome",
  arguments: [{ name: "file", required: true }],
  flags: [],
};

/** Make links to the shim. */
export const LINK: Command = {
  path: ["link"],
  summary: "make links to the shim in a directory; each link asks, then becomes the program with its name",
  arguments: [{ name: "dir", required: true }, { name: "name", required: true, variadic: true }],
  flags: [],
};

/** The shim's commands and flags. */
export const AGENT_PROGRAM: Program = {
  name: "outcall-agent",
  summary: "Asks outcalld before an action and performs it only if it is allowed.",
  flags: [AGENT_SOCKET],
  commands: [EXEC, SHELL, CHECK, CHECKIN, REQUEST_SUBMIT, REQUEST_STATUS, ENVELOPE_WRITE, LINK],
};

/** The end of the program's help, after the command table. */
export const AGENT_NOTES = `
Called through a link with another name, the shim asks about the program with that name, found later in PATH.

Variables:
  OUTCALL_TIMEOUT_SECS=30  seconds to wait for the daemon, 1 to 300
  OUTCALL_VERDICT=json     print a denial as the whole verdict, in one line of JSON

Exit codes:
  the program's own  the action was allowed
  126                the action was denied, there were too many requests, or the program cannot run
  5                  the daemon cannot be reached or gave no verdict; nothing was run
  2                  the command line or a variable is wrong
  1                  check: the action was denied; other commands: the request was refused, or failed
`;

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
  summary: "ask whether the program may run, then become it",
  arguments: [{ name: "program", required: true }, { name: "args", required: false, variadic: true }],
  flags: [],
  raw: true,
};

/** Ask, then become a shell that runs one line. */
export const SHELL: Command = {
  path: ["shell"],
  summary: "ask whether the shell may run the line (behind -- if it begins with a dash), then become it",
  arguments: [{ name: "line", required: true }],
  flags: [],
};

/** Ask and say the verdict. */
export const CHECK: Command = {
  path: ["check"],
  summary: "ask and print the verdict, run nothing; exit 0 when allowed, 1 when denied",
  arguments: [],
  flags: [
    { name: "type", value: "type", summary: "the kind of action", choices: ACTION_TYPES },
    { name: "target", value: "target", summary: "what the action is done to" },
    {
      name: "meta",
      value: "key=value",
      summary: "more about the action, any number of times; a key given again, and argv always, becomes a list",
      repeated: true,
    },
    { name: "json", summary: "print the verdict as one line of JSON" },
  ],
};

/** Make oneself known. */
export const CHECKIN: Command = {
  path: ["checkin"],
  summary: "check in and print the container's id",
  arguments: [],
  flags: [],
};

/** Ask for rules. */
export const REQUEST_SUBMIT: Command = {
  path: ["request", "submit"],
  summary: "ask the operator for the rules of a file, - for standard input, and print the request's id",
  arguments: [{ name: "file", required: true }],
  flags: [],
};

/** See what became of it. */
export const REQUEST_STATUS: Command = {
  path: ["request", "status"],
  summary: "print how a request stands: pending, approved, or rejected and why",
  arguments: [{ name: "id", required: true }],
  flags: [],
};

/** Hand in facts. */
export const ENVELOPE_WRITE: Command = {
  path: ["envelope", "write"],
  summary: "hand the facts of a file, - for standard input, to the operator's rulespec, and print what became of them",
  arguments: [{ name: "file", required: true }],
  flags: [],
};

/** Put the shim before programs. */
export const LINK: Command = {
  path: ["link"],
  summary: "make links in a directory, each of which asks before it becomes the program of its name",
  arguments: [{ name: "dir", required: true }, { name: "name", required: true, variadic: true }],
  flags: [],
};

/** The shim's commands and flags. */
export const AGENT_PROGRAM: Program = {
  name: "outcall-agent",
  summary: "Asks outcalld before an action, and does it only when it is allowed.",
  flags: [AGENT_SOCKET],
  commands: [EXEC, SHELL, CHECK, CHECKIN, REQUEST_SUBMIT, REQUEST_STATUS, ENVELOPE_WRITE, LINK],
};

/** What the help of the program says besides the table. */
export const AGENT_NOTES = `
Called by another name, through a link, it asks about the program of that name which comes later in PATH.

Variables:
  OUTCALL_TIMEOUT_SECS=30  seconds to wait for the daemon, 1 to 300
  OUTCALL_VERDICT=json     say a denial as the whole verdict, in one line of JSON

Exit codes:
  the program's own  it was allowed
  126                it was denied, there were too many requests, or it cannot be run
  5                  there is nobody to ask; nothing was run
  2                  the command line or a variable is wrong
  1                  check: it is denied; request, link: it was refused, or cannot be done
`;

// The command table of outcall-agent.
import { defineCommand, defineProgram } from "../command/command.ts";
import { DEFAULT_AGENT_SOCKET } from "../core/defaults.ts";
import { ACTION_TYPES } from "../wire/agent-api.ts";
import { TIMEOUT_DEFAULT_SECONDS, TIMEOUT_MAX_SECONDS } from "./settings.ts";

/** Asks, and becomes a program. */
const EXEC = defineCommand({
  usage: "exec <program> [...args]",
  summary: "ask whether a program may run, then become it",
  flags: {},
  examples: [
    ["outcall-agent exec git push origin main", "run git if the rules allow it"],
    ["outcall-agent exec -- ./build --release", "run a program of the working directory"],
  ],
  raw: true,
});

/** Asks, and becomes a shell that runs one line. */
const SHELL = defineCommand({
  usage: "shell <line>",
  summary: "ask whether the shell may run a line, then become sh -c with it",
  flags: {},
  examples: [
    ["outcall-agent shell 'make test && make install'", "run a line if the rules allow it"],
    ["outcall-agent shell -- '-v; true'", "run a line that begins with a dash"],
  ],
});

/** Asks, and prints the verdict. */
export const CHECK = defineCommand({
  usage: "check",
  summary: "ask and print the verdict, but run nothing",
  details: "The exit code is 0 if the action is allowed, 1 if it is denied.",
  flags: {
    type: { value: "type", summary: "kind of action", choices: ACTION_TYPES, required: true },
    target: { value: "target", summary: "program, URL, path or line of the action", required: true },
    meta: {
      value: "key=value",
      summary: "more about the action; may be repeated, and a repeated key, or argv, becomes a list",
      repeated: true,
    },
    json: { summary: "print the verdict as one line of JSON" },
  },
  examples: [
    ["outcall-agent check --type network_call --target https://example.com/", "ask about a URL"],
    [
      "outcall-agent check --type tool_exec --target /usr/bin/git --meta argv=push --json",
      "ask about `git push`",
    ],
  ],
});

/** Checks in. */
const CHECKIN = defineCommand({
  usage: "checkin",
  summary: "check in and print the container's id",
  flags: {},
  examples: [["outcall-agent checkin", "find out whether the daemon knows this container"]],
});

/** Asks the operator for rules. */
const REQUEST_SUBMIT = defineCommand({
  usage: "request submit <file>",
  summary: "ask the operator for rules, and print the id of the request",
  details: "The file holds the rules, in the form of a rule file; - is standard input.",
  flags: {},
  examples: [["outcall-agent request submit rules.yaml", "ask for the rules in a file"]],
});

/** Prints the status of a request. */
const REQUEST_STATUS = defineCommand({
  usage: "request status <id>",
  summary: "print the status of a request",
  details: "The status is pending, approved, or rejected with the operator's reason.",
  flags: {},
  examples: [["outcall-agent request status rr-0a1b2c3d4e5f", "find out whether a request is approved"]],
});

/** Submits an envelope. */
const ENVELOPE_WRITE = defineCommand({
  usage: "envelope write <file>",
  summary: "submit an envelope, and print the result of its verification",
  details: "The file holds the envelope; - is standard input.",
  flags: {},
  examples: [["outcall-agent envelope write envelope.yaml", "have facts verified by the operator's rulespec"]],
});

/** Puts the shim before programs. */
const LINK = defineCommand({
  usage: "link <dir> <...name>",
  summary: "make programs ask before they run, by links to the shim",
  details:
    "Each name becomes a link in the directory. A program asks if PATH names the directory before the program's own.",
  flags: {},
  examples: [[
    "outcall-agent link /opt/outcall/bin git curl",
    "make git and curl ask before they run",
  ]],
});

/** The shim's commands and flags. */
export const AGENT_PROGRAM = defineProgram({
  name: "outcall-agent",
  summary: "outcall-agent asks outcalld before an action, and performs it only if it is allowed.",
  flags: {
    "agent-socket": { value: "path", summary: "agent socket of the daemon", default: DEFAULT_AGENT_SOCKET },
  },
  commands: [EXEC, SHELL, CHECK, CHECKIN, REQUEST_SUBMIT, REQUEST_STATUS, ENVELOPE_WRITE, LINK],
  synonyms: { ask: "check", login: "checkin", run: "exec", sh: "shell" },
});

/** The part of the program's help that does not come from the table. */
export const AGENT_NOTES = `
Called by another name, through a link, outcall-agent asks about the next program of that name in PATH and becomes it.

Variables:
  OUTCALL_TIMEOUT_SECS=${TIMEOUT_DEFAULT_SECONDS}  seconds to wait for the daemon, 1 to ${TIMEOUT_MAX_SECONDS}
  OUTCALL_VERDICT=json     print a denial as the whole verdict, in one line of JSON

Exit codes:
  the program's own  the action was allowed
  126                the action was denied, there were too many requests, or the program cannot be run
  5                  the daemon could not be asked; nothing was run
  2                  the command line or a variable is wrong
  1                  check: denied; request, envelope, link: refused, or not possible
`;

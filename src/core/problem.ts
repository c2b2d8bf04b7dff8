// The one shape of an error, and the table of codes, each with its meaning, HTTP status and exit code.
import type { Place } from "./span.ts";

/** The meaning of a code: a sentence for the manual, the HTTP status and the exit code. */
export type ProblemMeaning = {
  readonly sentence: string;
  readonly status: number;
  readonly exit: number;
  /** The name of the error in S004-FR-017, if it has one there. */
  readonly seed?: string;
};

const rule = (sentence: string): ProblemMeaning => ({ sentence, status: 422, exit: 1 });

/** Every error code of the product. */
export const PROBLEMS = {
  "rule.yaml": rule(
    "A rule file is not acceptable YAML: syntax, duplicate key, second document, directive, tag, not UTF-8.",
  ),
  "rule.schema": rule("A rule file has an unknown or missing member, or a value of the wrong type."),
  "rule.version": rule('A rule file does not say version: "1".'),
  "rule.duplicate-id": rule("Two rules have the same id."),
  "rule.undefined-definition": rule("A condition refers to a definition that its file does not have."),
  "rule.definition-cycle": rule("Definitions refer to each other in a circle."),
  "rule.cel-syntax": rule("A condition or definition is not a CEL expression."),
  "rule.unknown-field": rule("A condition names a namespace or field that does not exist."),
  "rule.type": rule("A condition calls a function or operator with types that it does not take."),
  "rule.regex": rule("A pattern is not an RE2 literal of bounded size."),
  "rule.limit": rule("A file, a rule set or an expression exceeds a limit of size, count or depth."),
  "rule.file": rule(
    "The rules directory or a file in it cannot be read, or users other than root and the daemon can write it.",
  ),
  "rule.hook-unsafe": rule(
    "A hook script is outside the rules directory, or users other than its owner and root can write it.",
  ),
  "rule.unsupported": rule("A rule file uses a member or mode that this product does not support."),
  "rule.unused-definition": rule("No rule uses a definition."),
  "rule.no-rules": rule("A rule file has definitions and no rules."),
  "rule.empty": rule("The rules directory has no rules, so every request is blocked."),
  "rule.hook-missing": rule("A hook script does not exist or is not executable."),
  "rule.hook-timeout": rule("The time limit of a hook is not below the time that the daemon waits for an evaluation."),
  "rule.not-boolean": rule("A condition has a type other than bool."),
  "rule.constant": rule("A condition is always true or always false."),
  "rule.never": rule("A condition compares a member of a request with a constant that the member never has."),
  "rule.loose": rule(
    "An allow rule allows more than it reads: by a program's name alone, or by a test with an open end.",
  ),
  "rule.egress-unused": rule("A rule has egress, but this version has no gateway that uses it."),
  "rule.unreachable": rule("A rule can never be reached, because an earlier one decides first."),
  "rule.unguarded-index": rule(
    "A condition reads a key, or a block rule an element, without testing that it is there.",
  ),
  "rule.unscoped-allow": rule("An allow rule names no namespace and tests no action type."),
  "rule.omittable": rule("A block rule needs http and a later allow rule does not, so an agent can leave http out."),
  "rule.spoofable": rule("An allow rule reads a key of run.context that a hook or the agent itself may have set."),
  "rule.expired": rule("A rule has expired and is not in force."),
  "rule.priority-range": rule("A rule has a priority that is reserved for approved requests."),
  "rule.ignored-file": rule("A file ending in .yml is not read as a rule file."),

  "rulespec.yaml": rule(
    "A rulespec or envelope is not acceptable YAML: syntax, duplicate key, second document, directive, tag, not UTF-8.",
  ),
  "rulespec.schema": rule("A rulespec has an unknown or missing member, or a value of the wrong type."),
  "rulespec.duplicate-claim": rule("Two claims have the same name."),
  "rulespec.selector": rule("A selector is empty or malformed."),
  "rulespec.facts-prefix": rule("A selector begins with facts., which selectors leave out."),
  "rulespec.undefined-claim": rule("A predicate or its when names an undefined claim."),
  "rulespec.unknown-rule": rule("A predicate or its when names an unknown rule."),
  "rulespec.value": rule("A predicate lacks the value that its rule needs, or the value has the wrong type."),
  "rulespec.unused-value": rule("A predicate has a value that its rule does not use."),
  "rulespec.regex": rule("The value of a matches rule is not an RE2 pattern of bounded size."),
  "rulespec.limit": rule("A rulespec, an envelope or the evaluation of both exceeds a limit."),
  "rulespec.file": rule("A rulespec or envelope cannot be read, or users other than root and the daemon can write it."),
  "rulespec.envelope": rule("An envelope is not a map of facts under the one member facts."),
  "rulespec.unverified": rule("There is no verified envelope, or its stamp is not valid."),
  "rulespec.store": { sentence: "Envelopes cannot be stored or read.", status: 503, exit: 5 },
  "rulespec.not-found": { sentence: "The daemon has no envelope of this container.", status: 404, exit: 1 },
  "rulespec.engine-mismatch": {
    sentence: "The typed evaluation and the Datalog program disagree, so nothing is verified.",
    status: 500,
    exit: 1,
  },
  "datalog.syntax": rule("A line of a Datalog program is outside the supported subset."),
  "datalog.program": rule("A Datalog program uses a relation or variable wrongly."),
  "datalog.stratification": rule("A relation of a Datalog program depends on its own negation."),
  "datalog.limit": rule("A Datalog program needs more facts or steps than the limit allows."),

  "rule.not-found": { sentence: "No rule has this id.", status: 404, exit: 1 },
  "request.unacceptable": rule(
    "A rule request asks for something that requests cannot have, or cannot be approved as it is.",
  ),
  "request.too-many": { sentence: "Too many rule requests are pending.", status: 429, exit: 126 },
  "request.not-analyzed": { sentence: "The daemon has no room to analyse a rule request now.", status: 503, exit: 5 },
  "request.not-found": { sentence: "No rule request has this id.", status: 404, exit: 1 },
  "request.not-pending": { sentence: "The rule request is already approved or rejected.", status: 409, exit: 1 },
  "request.changed": {
    sentence: "The rule request or the rules around it have changed since the operator saw the request.",
    status: 409,
    exit: 1,
  },
  "request.file": { sentence: "The file of approved rules cannot be written or removed.", status: 500, exit: 1 },
  "request.store": { sentence: "The rule requests cannot be read or stored.", status: 503, exit: 5 },
  "command.usage": { sentence: "A command, flag or value is unknown or malformed.", status: 400, exit: 2 },
  "command.input": {
    sentence: "An input of a command is unreadable or malformed.",
    status: 422,
    exit: 1,
  },
  "command.runtime": { sentence: "The runtime is neither Bun nor Deno.", status: 500, exit: 1 },
  "client.unreachable": { sentence: "No daemon answers on the socket.", status: 503, exit: 1 },
  "client.bad-answer": { sentence: "The program does not understand the daemon's answer.", status: 502, exit: 1 },
  "client.refused": { sentence: "The daemon answered with an error.", status: 500, exit: 1 },
  "peer.unidentified": {
    sentence: "The kernel does not identify the process at the other end of the connection.",
    status: 403,
    exit: 5,
    seed: "PeerIdentification",
  },
  "container.unknown": {
    sentence: "The peer is in no container that the daemon knows.",
    status: 403,
    exit: 5,
    seed: "CheckinRejected",
  },
  "container.unavailable": { sentence: "The container source does not answer in time.", status: 503, exit: 5 },
  "container.no-source": { sentence: "No container source can be used on this host.", status: 503, exit: 1 },
  "session.bad-token": {
    sentence: "The session token is missing, unknown, or belongs to another container.",
    status: 401,
    exit: 5,
  },
  "session.rate-limited": {
    sentence: "A container has reached its rate limit.",
    status: 429,
    exit: 126,
    seed: "RateLimited",
  },
  "session.full": { sentence: "The daemon has reached its limit of sessions.", status: 503, exit: 5 },
  "daemon.socket-bind": { sentence: "A socket cannot be created.", status: 500, exit: 1, seed: "SocketBind" },
  "daemon.reload-failed": {
    sentence: "The rules do not load; the previous rules stay in force.",
    status: 422,
    exit: 1,
  },
  "daemon.configuration": { sentence: "The daemon's configuration is not usable.", status: 500, exit: 1 },
  "daemon.evaluation-timeout": {
    sentence: "An evaluation took longer than the daemon's limit.",
    status: 503,
    exit: 126,
    seed: "EvaluationTimeout",
  },
  "daemon.invalid-request": {
    sentence: "A request is malformed, or its body does not fit the route.",
    status: 400,
    exit: 5,
    seed: "InvalidRequest",
  },
  "daemon.unprocessable": {
    sentence: "A request is well formed, but rules cannot judge it.",
    status: 422,
    exit: 5,
  },
  "daemon.too-many-connections": { sentence: "The daemon has reached its limit of connections.", status: 503, exit: 5 },
  "daemon.forbidden": { sentence: "The peer is not allowed to use this socket.", status: 403, exit: 1 },
  "daemon.read-only": {
    sentence: "Members of the operators' group can read, but not change anything.",
    status: 403,
    exit: 1,
  },
  "daemon.not-found": { sentence: "The socket has no such route.", status: 404, exit: 1 },
  "daemon.method": { sentence: "The route does not accept this method.", status: 405, exit: 1 },
  "daemon.too-large": { sentence: "A request body exceeds the limit.", status: 413, exit: 5, seed: "InvalidRequest" },
  "daemon.media-type": {
    sentence: "A request body is not declared as JSON.",
    status: 415,
    exit: 5,
    seed: "InvalidRequest",
  },
  "daemon.bridge-down": { sentence: "The bridge is not up, so nothing is evaluated.", status: 503, exit: 5 },
  "daemon.notify": { sentence: "The daemon cannot notify the supervisor that started it.", status: 500, exit: 1 },
  "bridge.refused": { sentence: "The kernel refused to change the bridge.", status: 503, exit: 1 },
  "bridge.conflict": {
    sentence: "There is no bridge to change: the daemon runs without one, or another device has its name.",
    status: 409,
    exit: 1,
  },
  "daemon.internal": { sentence: "The daemon has a bug.", status: 500, exit: 5 },
  "audit.unavailable": {
    sentence: "The decision log cannot be written, so every decision is a denial.",
    status: 503,
    exit: 126,
  },
  "audit.store": { sentence: "The decision log's files cannot be used.", status: 500, exit: 1 },
  "audit.broken": {
    sentence: "The decision log is not whole: a record or file was changed or is missing.",
    status: 500,
    exit: 1,
  },
  "agent.denied": { sentence: "The daemon denied the action.", status: 200, exit: 126 },
  "agent.unreachable": { sentence: "The daemon does not answer, so the action is denied.", status: 503, exit: 5 },
  "agent.program": { sentence: "The requested program cannot be run.", status: 500, exit: 126 },
  "agent.request": {
    sentence: "A rule request or an envelope cannot be created, or the daemon refuses it.",
    status: 422,
    exit: 1,
  },
  "agent.link": { sentence: "A link to the shim cannot be created.", status: 500, exit: 1 },
  "agent.output": { sentence: "The output cannot be written to standard output.", status: 500, exit: 5 },
} as const satisfies Record<string, ProblemMeaning>;

/** A code of the closed set. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Whether a text from outside is one of the codes. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

/** An error. The message is one line, in lower case, without a full stop; foreign text in it is already escaped. */
export type Problem = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly place?: Place;
  readonly hint?: string;
  readonly cause?: unknown;
};

/** Makes a problem. */
export function problem(code: ProblemCode, message: string, more: Omit<Problem, "code" | "message"> = {}): Problem {
  return { code, message, ...more };
}

/** The meaning of a code. */
export function meaningOf(code: ProblemCode): ProblemMeaning {
  return PROBLEMS[code];
}

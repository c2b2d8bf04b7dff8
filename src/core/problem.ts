// One shape for everything that can go wrong, and one table with what each code means, its HTTP status and exit code.
import type { Place } from "./span.ts";

/** What is known of a code: its sentence for the manual, the status on a socket, the exit code of a program. */
export type ProblemMeaning = {
  readonly sentence: string;
  readonly status: number;
  readonly exit: number;
  /** The seed's name of the error (S004-FR-017), where it has one. */
  readonly seed?: string;
};

const rule = (sentence: string): ProblemMeaning => ({ sentence, status: 422, exit: 1 });

/** Every code of the product; nothing else may be reported. */
export const PROBLEMS = {
  "rule.yaml": rule(
    "A rule file is not acceptable YAML: syntax, duplicate key, second document, directive, tag, not UTF-8.",
  ),
  "rule.schema": rule("A rule file does not have the shape of a rule file."),
  "rule.version": rule('A rule file does not say version: "1".'),
  "rule.duplicate-id": rule("Two rules have the same id."),
  "rule.undefined-definition": rule("A condition names a definition that its file does not have."),
  "rule.definition-cycle": rule("Definitions refer to each other in a circle."),
  "rule.cel-syntax": rule("A condition or definition is not a CEL expression."),
  "rule.unknown-field": rule("A condition names a namespace or field that does not exist."),
  "rule.type": rule("A condition applies a function or operator to operands it does not take."),
  "rule.regex": rule("A pattern is not an RE2 literal of bounded size."),
  "rule.limit": rule("A file, a rule set or an expression is over a limit of size, count or depth."),
  "rule.file": rule(
    "The rules directory or a file in it cannot be read, or others than root and the daemon may write it.",
  ),
  "rule.hook-unsafe": rule("A hook script leaves the rules directory, or others than its owner and root may write it."),
  "rule.unsupported": rule("A rule file uses a member or mode that this product does not support."),
  "rule.unused-definition": rule("A definition is used by no rule."),
  "rule.no-rules": rule("A rule file has definitions and no rules."),
  "rule.empty": rule("The rules directory has no rules; everything is blocked."),
  "rule.hook-missing": rule("A hook script does not exist or is not executable."),
  "rule.hook-timeout": rule("A hook may run as long as, or longer than, the daemon waits for an evaluation."),
  "rule.not-boolean": rule("A condition is known not to be a boolean."),
  "rule.constant": rule("A condition is always true or always false."),
  "rule.never": rule("A condition compares a member of a request with a constant that the member never has."),
  "rule.loose": rule(
    "An allow rule allows more than it reads: by a program's name alone, or by a test with an open end.",
  ),
  "rule.egress-unused": rule("A rule has egress, and no gateway is there to make use of it."),
  "rule.unreachable": rule("A rule can never be reached, because an earlier one decides first."),
  "rule.unguarded-index": rule(
    "A condition reads a key, or a block rule an element, without testing that it is there.",
  ),
  "rule.unscoped-allow": rule("An allow rule names no namespace and tests no action type."),
  "rule.omittable": rule("A block rule needs http and a later allow rule does not, so an agent can leave http out."),
  "rule.spoofable": rule("An allow rule reads a key of run.context that a hook or the agent itself may have set."),
  "rule.expired": rule("A rule has expired and is not in force."),
  "rule.priority-range": rule("A rule has a priority in the range of approved requests."),
  "rule.ignored-file": rule("A file ending in .yml is not read as a rule file."),

  "rulespec.yaml": rule(
    "A rulespec or envelope is not acceptable YAML: syntax, duplicate key, second document, directive, tag, not UTF-8.",
  ),
  "rulespec.schema": rule("A rulespec does not have the shape of a rulespec."),
  "rulespec.duplicate-claim": rule("Two claims have the same name."),
  "rulespec.selector": rule("A selector is empty or malformed."),
  "rulespec.facts-prefix": rule("A selector begins with facts. though selectors begin below it."),
  "rulespec.undefined-claim": rule("A predicate or its when names a claim that is not defined."),
  "rulespec.unknown-rule": rule("A predicate or its when names a rule that does not exist."),
  "rulespec.value": rule("A rule has no value where it needs one, or one of a type it does not take."),
  "rulespec.unused-value": rule("A rule has a value that it never looks at."),
  "rulespec.regex": rule("The value of a matches rule is not an RE2 pattern of bounded size."),
  "rulespec.limit": rule("A rulespec, an envelope or the evaluation of both is over a limit."),
  "rulespec.file": rule("A rulespec or envelope cannot be read, or others than root and the daemon may write it."),
  "rulespec.envelope": rule("An envelope is not a map of facts under the one member facts."),
  "rulespec.unverified": rule("There is no verified envelope, or its stamp does not hold."),
  "rulespec.store": { sentence: "Envelopes cannot be kept or read back.", status: 503, exit: 5 },
  "rulespec.not-found": { sentence: "No envelope of this container is kept.", status: 404, exit: 1 },
  "rulespec.engine-mismatch": {
    sentence: "The typed evaluation and the Datalog program disagree, so nothing is verified.",
    status: 500,
    exit: 1,
  },
  "datalog.syntax": rule("A line of a Datalog program is none of the subset that is written and read here."),
  "datalog.program": rule("A Datalog program uses a relation or variable in a way that has no meaning."),
  "datalog.stratification": rule("A relation of a Datalog program depends on its own negation."),
  "datalog.limit": rule("A Datalog program takes more facts or steps than it may."),

  "rule.not-found": { sentence: "No rule has this id.", status: 404, exit: 1 },
  "request.unacceptable": rule("A rule request asks for more than a request may, or cannot be approved as it is."),
  "request.too-many": { sentence: "Too many rule requests wait for the operator.", status: 429, exit: 126 },
  "request.not-analyzed": { sentence: "The daemon has no room to analyse a rule request now.", status: 503, exit: 5 },
  "request.not-found": { sentence: "No rule request has this id.", status: 404, exit: 1 },
  "request.not-pending": { sentence: "A rule request has been decided already.", status: 409, exit: 1 },
  "request.changed": { sentence: "What was shown of a rule request is no longer true.", status: 409, exit: 1 },
  "request.file": { sentence: "The file of approved rules cannot be written or removed.", status: 500, exit: 1 },
  "request.store": { sentence: "The rule requests cannot be read or kept.", status: 503, exit: 5 },
  "command.usage": { sentence: "A command, flag or value is unknown or malformed.", status: 400, exit: 2 },
  "command.input": {
    sentence: "Something that a command was told to read is unreadable or malformed.",
    status: 422,
    exit: 1,
  },
  "command.runtime": { sentence: "The runtime is neither Bun nor Deno.", status: 500, exit: 1 },
  "client.unreachable": { sentence: "Nobody answers at the daemon's socket.", status: 503, exit: 1 },
  "client.bad-answer": { sentence: "The daemon's answer is not one the program understands.", status: 502, exit: 1 },
  "client.refused": { sentence: "The daemon answered with an error.", status: 500, exit: 1 },
  "peer.unidentified": {
    sentence: "The kernel does not say who is at the other end of a connection.",
    status: 403,
    exit: 5,
    seed: "PeerIdentification",
  },
  "container.unknown": {
    sentence: "The peer does not belong to a container that the daemon knows.",
    status: 403,
    exit: 5,
    seed: "CheckinRejected",
  },
  "container.unavailable": { sentence: "The container source does not answer in time.", status: 503, exit: 5 },
  "container.no-source": { sentence: "No container source can be used on this host.", status: 503, exit: 1 },
  "session.bad-token": { sentence: "The session token is missing, unknown or another's.", status: 401, exit: 5 },
  "session.rate-limited": {
    sentence: "A container has sent as many requests as it may for now.",
    status: 429,
    exit: 126,
    seed: "RateLimited",
  },
  "session.full": { sentence: "The daemon holds as many sessions as it may.", status: 503, exit: 5 },
  "daemon.socket-bind": { sentence: "A socket cannot be created.", status: 500, exit: 1, seed: "SocketBind" },
  "daemon.reload-failed": {
    sentence: "The rules do not load; those before them stay in force.",
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
    sentence: "A request is malformed, or its body has not the shape that the route takes.",
    status: 400,
    exit: 5,
    seed: "InvalidRequest",
  },
  "daemon.unprocessable": {
    sentence: "A request is well formed and means nothing that can be judged.",
    status: 422,
    exit: 5,
  },
  "daemon.too-many-connections": { sentence: "No further connection is taken now.", status: 503, exit: 5 },
  "daemon.forbidden": { sentence: "The peer may not use this socket.", status: 403, exit: 1 },
  "daemon.read-only": {
    sentence: "Members of the operators' group may read and not change anything.",
    status: 403,
    exit: 1,
  },
  "daemon.not-found": { sentence: "The socket has no such route.", status: 404, exit: 1 },
  "daemon.method": { sentence: "The route does not take this method.", status: 405, exit: 1 },
  "daemon.too-large": { sentence: "A request body is over the limit.", status: 413, exit: 5, seed: "InvalidRequest" },
  "daemon.media-type": {
    sentence: "A request body is not declared as JSON.",
    status: 415,
    exit: 5,
    seed: "InvalidRequest",
  },
  "daemon.bridge-down": { sentence: "The bridge is not up, so nothing is evaluated.", status: 503, exit: 5 },
  "daemon.notify": { sentence: "The supervisor that started the daemon cannot be told of it.", status: 500, exit: 1 },
  "bridge.refused": { sentence: "The kernel does not do what was asked of the bridge.", status: 503, exit: 1 },
  "bridge.conflict": {
    sentence: "There is no bridge to change: none was asked for, or another device has its name.",
    status: 409,
    exit: 1,
  },
  "daemon.internal": { sentence: "The daemon met a bug of its own.", status: 500, exit: 5 },
  "audit.unavailable": {
    sentence: "The decision log cannot be written, so every decision is a denial.",
    status: 503,
    exit: 126,
  },
  "audit.store": { sentence: "The decision log's files cannot be used.", status: 500, exit: 1 },
  "audit.broken": {
    sentence: "The decision log is not whole: something of it is changed or missing.",
    status: 500,
    exit: 1,
  },
  "agent.denied": { sentence: "The daemon denied the action.", status: 200, exit: 126 },
  "agent.unreachable": { sentence: "The daemon cannot be asked; the action is denied.", status: 503, exit: 5 },
  "agent.program": { sentence: "The program that was asked for cannot be run.", status: 500, exit: 126 },
  "agent.request": {
    sentence: "A rule request or an envelope cannot be made, or the daemon refuses it.",
    status: 422,
    exit: 1,
  },
  "agent.link": { sentence: "A link to the shim cannot be made.", status: 500, exit: 1 },
  "agent.output": { sentence: "What was asked for cannot be written to standard output.", status: 500, exit: 5 },
} as const satisfies Record<string, ProblemMeaning>;

/** A code of the closed set. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Whether a text from outside is one of the codes. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

/** Something that went wrong: lower-case one-line message without a full stop, foreign text in it already escaped. */
export type Problem = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly place?: Place;
  readonly hint?: string;
  readonly cause?: unknown;
};

/** Makes a problem; the options are those of its members that are known. */
export function problem(code: ProblemCode, message: string, more: Omit<Problem, "code" | "message"> = {}): Problem {
  return { code, message, ...more };
}

/** The meaning of a code. */
export function meaningOf(code: ProblemCode): ProblemMeaning {
  return PROBLEMS[code];
}

// Texts of the programs' reference pages that the command tables do not have: forms of flag values, exit codes of single
// commands, signals and files.
import { DEFAULT_STATE_DIR } from "../../src/core/defaults.ts";
import { logPaths } from "../../src/audit/paths.ts";
import { STAMP_KEY_FILE } from "../../src/daemon/open-state.ts";
import { SESSIONS_DIR } from "../../src/envelope/envelope-files.ts";
import { STOP_GRACE_MS } from "../../src/daemon/listen-all.ts";
import { STORE_FILE } from "../../src/request/request-store.ts";
import type { ProgramName } from "../project.ts";
import { secondsText } from "./quantity-text.ts";

/** The form of a flag's value, with accepted and refused examples; a test tries each of them. */
type ValueForm = {
  readonly flag: string;
  readonly form: string;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
};

/** The rows of a table with two columns: a name and its meaning. */
export type Pairs = readonly (readonly [what: string, meaning: string])[];

/** The texts of a program's page that its command table does not have. */
export type ProgramNotes = {
  /** The first paragraph, after the program's summary. */
  readonly introduction: string;
  readonly forms: readonly ValueForm[];
  /** The exit codes of single commands, by command name. */
  readonly exits: Readonly<Record<string, string>>;
  readonly signals: Pairs;
  readonly files: Pairs;
};

const inState = (name: string) => `${DEFAULT_STATE_DIR}/${name}`;
const LOG = logPaths(DEFAULT_STATE_DIR);

const OUTCALLD_NOTES: ProgramNotes = {
  introduction: "It runs on the host and takes no command and no argument.",
  forms: [
    {
      flag: "agent-timeout",
      form: "A duration such as `500ms`, `2s` or `1m`: more than zero, at most one day.",
      taken: ["500ms", "2s", "1m", "1440m"],
      refused: ["0s", "2", "1h", "1441m", ""],
    },
    {
      flag: "agent-perm-rate",
      form: "A count and a number of seconds: `100/10` means 100 in 10 s. At most 1,000,000 in 86,400 s.",
      taken: ["100/10", "1000000/86400"],
      refused: ["0/10", "100", "100/10s", "1000001/1", "1/86401"],
    },
    { flag: "agent-rule-rate", form: "Like `--agent-perm-rate`.", taken: ["10/60"], refused: ["10/0"] },
    {
      flag: "log-keep",
      form: "An age in hours, days or weeks: `12h`, `30d`, `8w`.",
      taken: ["12h", "30d", "8w"],
      refused: ["30", "0d", "1y"],
    },
    {
      flag: "log-max",
      form: "A size in units of 1000: `500MB`, `1GB`. At least `1MB`.",
      taken: ["1MB", "500MB", "2TB"],
      refused: ["999KB", "1GiB", "1000"],
    },
    {
      flag: "require-label",
      form: "A label, as `key` or `key=value`.",
      taken: ["team", "team=build"],
      refused: ["", "=build"],
    },
    {
      flag: "cgroup-owner",
      form: "A numeric user id.",
      taken: ["0", "1000"],
      refused: ["root", "-1", "4294967295"],
    },
    {
      flag: "operators-group",
      form: "The name of a group in `/etc/group`. If the group does not exist, the daemon does not start.",
      taken: ["ops"],
      refused: [""],
    },
    {
      flag: "bridge",
      form: "The name of a network device, at most 15 bytes, or `none`.",
      taken: ["outcall0", "none", "a".repeat(15)],
      refused: ["", "a/b", "a".repeat(16)],
    },
    {
      flag: "socket",
      form:
        "An absolute path of at most 107 bytes. The same holds for `--agent-socket`, which must be a different path.",
      taken: ["/run/a.sock", `/${"a".repeat(106)}`],
      refused: ["a.sock", `/${"a".repeat(107)}`],
    },
  ],
  exits: {},
  signals: [
    ["SIGHUP", "Reloads the rules."],
    [
      "SIGTERM, SIGINT",
      `Stops the daemon. It first answers the requests in flight, for at most ${secondsText(STOP_GRACE_MS)}.`,
    ],
  ],
  files: [
    [LOG.database, "The decision log, an SQLite database with its `-wal` and `-shm` files."],
    [LOG.head, "The end of the log's hash chain."],
    [LOG.key, "The key for the digests and placeholders in the log."],
    [inState(STORE_FILE), "The rule requests of agents."],
    [
      inState(`${SESSIONS_DIR}/<container id>/`),
      "The envelopes of a container, each with its compiled rulespec and its report.",
    ],
    [inState("rule-id.key"), "The key for the opaque rule ids that agents see."],
    [inState(STAMP_KEY_FILE), "The key for the stamps of envelopes."],
    [inState("lock"), "The lock that keeps a second daemon from using the directory."],
  ],
};

const OUTCALL_NOTES: ProgramNotes = {
  introduction:
    "Use it on the host and in CI. `rules` is accepted for `rule`. With `--json` every command prints one " +
    "JSON value with a `version` member; `log` and `rule evaluate` print one such value per line.",
  forms: [],
  exits: {
    "lint": "1 if a finding is an error, or with `--strict` a warning",
    "rulespec lint": "1 if a finding is an error, or with `--strict` a warning",
    "rule evaluate": "0 if every context was evaluated, whatever the decisions",
    "rule test": "0 if the expression was evaluated, whatever its result; 1 if it has an error",
    "rule reload": "1 if the new rules do not load; the rules before stay in force",
    "log verify": "1 if a record was changed or is missing",
    "rulespec verify": "0 if the envelope is verified; 1 if it failed or is vacuous, or if a file does not load",
    "rulespec plan-verify": "1 if there is no verified envelope, or its stamp is not valid",
    "status": "0 if the daemon answers, ready or not",
    "doctor": "1 if a check failed",
  },
  signals: [],
  files: [["analysis/rulespec.yaml", "The rulespec, relative to the working directory."]],
};

const AGENT_NOTES: ProgramNotes = {
  introduction:
    "It runs in the container. When it is called by another name, through a link, it asks about the next program of that " +
    "name in `PATH`, and always uses the default socket.",
  forms: [],
  exits: {
    "exec": "the exit status of the program if it is allowed; 126 if it is denied",
    "shell": "the exit status of the shell if it is allowed; 126 if it is denied",
    "check": "0 if allowed, 1 if denied",
    "request submit": "1 if the daemon refuses the file",
    "request status": "1 if this container has no such request",
    "envelope write": "0 if the daemon accepted the facts, verified or not; 1 if it refused them",
    "link": "1 if a link cannot be made",
  },
  signals: [],
  files: [],
};

/** The notes of each program. */
export const PROGRAM_NOTES: Readonly<Record<ProgramName, ProgramNotes>> = {
  "outcalld": OUTCALLD_NOTES,
  "outcall": OUTCALL_NOTES,
  "outcall-agent": AGENT_NOTES,
};

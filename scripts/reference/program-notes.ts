// What the pages of the programs say besides the command tables: forms of values, exits of single commands, signals,
// files.
import { DEFAULT_STATE_DIR } from "../../src/core/defaults.ts";
import { logPaths } from "../../src/audit/paths.ts";
import { STAMP_KEY_FILE } from "../../src/daemon/open-state.ts";
import { SESSIONS_DIR } from "../../src/envelope/envelope-files.ts";
import { STOP_GRACE_MS } from "../../src/daemon/listen-all.ts";
import { STORE_FILE } from "../../src/request/request-store.ts";
import type { ProgramName } from "../project.ts";
import { secondsText } from "./quantity-text.ts";

/** A value that a flag takes, with some that it takes and some that it refuses; a test tries them. */
type ValueForm = {
  readonly flag: string;
  readonly form: string;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
};

/** Two columns of a table: what, and what it means. */
export type Pairs = readonly (readonly [what: string, meaning: string])[];

/** What a program's page says besides its command table. */
export type ProgramNotes = {
  /** What goes before everything. */
  readonly introduction: string;
  readonly forms: readonly ValueForm[];
  /** Exit codes of single commands, by their words. */
  readonly exits: Readonly<Record<string, string>>;
  readonly signals: Pairs;
  readonly files: Pairs;
};

const inState = (name: string) => `${DEFAULT_STATE_DIR}/${name}`;
const LOG = logPaths(DEFAULT_STATE_DIR);

const OUTCALLD_NOTES: ProgramNotes = {
  introduction: "The daemon of the host. It takes no command and no argument.",
  forms: [
    {
      flag: "agent-timeout",
      form: "`500ms`, `2s` or `1m`; more than zero, at most a day.",
      taken: ["500ms", "2s", "1m", "1440m"],
      refused: ["0s", "2", "1h", "1441m", ""],
    },
    {
      flag: "agent-perm-rate",
      form: "A count and seconds: `100/10` is 100 in 10 s. At most 1,000,000 in 86,400.",
      taken: ["100/10", "1000000/86400"],
      refused: ["0/10", "100", "100/10s", "1000001/1", "1/86401"],
    },
    { flag: "agent-rule-rate", form: "As above.", taken: ["10/60"], refused: ["10/0"] },
    { flag: "log-keep", form: "An age: `12h`, `30d`, `8w`.", taken: ["12h", "30d", "8w"], refused: ["30", "0d", "1y"] },
    {
      flag: "log-max",
      form: "A size in powers of ten, at least `1MB`: `500MB`, `1GB`.",
      taken: ["1MB", "500MB", "2TB"],
      refused: ["999KB", "1GiB", "1000"],
    },
    {
      flag: "require-label",
      form: "`key` or `key=value`.",
      taken: ["team", "team=build"],
      refused: ["", "=build"],
    },
    {
      flag: "cgroup-owner",
      form: "The number of a user.",
      taken: ["0", "1000"],
      refused: ["root", "-1", "4294967295"],
    },
    {
      flag: "operators-group",
      form: "The name of a group in `/etc/group`; the daemon does not start where there is none of this name.",
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
      form: "An absolute path of at most 107 bytes; so is `--agent-socket`, and another one.",
      taken: ["/run/a.sock", `/${"a".repeat(106)}`],
      refused: ["a.sock", `/${"a".repeat(107)}`],
    },
  ],
  exits: {},
  signals: [
    ["SIGHUP", "Loads the rules anew."],
    ["SIGTERM, SIGINT", `Stops: what is in flight is answered, for at most ${secondsText(STOP_GRACE_MS)}.`],
  ],
  files: [
    [LOG.database, "The decision log; beside it its `-wal` and `-shm`."],
    [LOG.head, "The end of its chain, kept apart."],
    [LOG.key, "The key of its digests and placeholders."],
    [inState(STORE_FILE), "Rule requests."],
    [inState(`${SESSIONS_DIR}/<container id>/`), "Envelopes, with the program and the report of each."],
    [inState("rule-id.key"), "The key of the rule ids that agents are shown."],
    [inState(STAMP_KEY_FILE), "The key of the stamps of envelopes."],
    [inState("lock"), "Keeps a second daemon away."],
  ],
};

const OUTCALL_NOTES: ProgramNotes = {
  introduction:
    "The operator's command, also for CI. `rules` is accepted for `rule`. With `--json` every command prints one " +
    "JSON value with a `version` member (`log` and `rule evaluate`: one a line).",
  forms: [],
  exits: {
    "lint": "1: findings that are errors, with `--strict` warnings too",
    "rulespec lint": "1: findings that are errors, with `--strict` warnings too",
    "rule evaluate": "0 when every context was evaluated, whatever the decisions",
    "rule test": "0 when the expression was evaluated, whatever its result; 1 where it has an error",
    "rule reload": "1: the rules do not load, those before stay in force",
    "log verify": "1: a record is changed or missing",
    "rulespec verify": "0 verified; 1 failed, vacuous, or a file that does not load",
    "rulespec plan-verify": "1: no verified envelope, or its stamp does not hold",
    "status": "0 when the daemon answers, ready or not",
    "doctor": "1: a check failed",
  },
  signals: [],
  files: [["analysis/rulespec.yaml", "The rulespec, below the working directory."]],
};

const AGENT_NOTES: ProgramNotes = {
  introduction:
    "The shim in a container. Called by another name, through a link, it asks about the program of that name " +
    "that comes later in `PATH`, always at the usual socket.",
  forms: [],
  exits: {
    "exec": "the program's own once it is allowed; 126 denied",
    "shell": "the shell's own once it is allowed; 126 denied",
    "check": "0 allowed, 1 denied",
    "request submit": "1: the daemon refuses the file",
    "request status": "1: no such request of this container",
    "envelope write": "0 when the facts were taken, verified or not; 1 where they are refused",
    "link": "1: a link cannot be made",
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

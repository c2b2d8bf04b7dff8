// `outcall log verify`: checks the hash chain of the decision log, from the files alone.
import { verifyLog } from "../audit/verify-log.ts";
import { countOf } from "../core/count.ts";
import { formatJson } from "../core/json.ts";
import { problem } from "../core/problem.ts";
import type { LogVerifyOutput } from "../wire/log-output.ts";
import { cliCommand, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";
import { findStateDir, STATE_DIR_FLAG } from "./log-place.ts";

/** Clears the line of the terminal and puts the cursor at its beginning. */
const CLEAR_LINE = "\r\u001b[K";

/** The command. */
export const logVerify = cliCommand({
  command: {
    usage: "log verify",
    summary: "check that no record is changed or missing",
    details:
      "It reads the files of the decision log, so it needs no daemon. The exit code is 1 if a record is changed or missing.",
    flags: STATE_DIR_FLAG,
    examples: [
      ["outcall log verify", "check the running daemon's log"],
      ["outcall log verify --state-dir /srv/outcall", "check the log in another state directory"],
    ],
  },
  run: async (plan, io) => {
    const stateDir = await findStateDir(plan);
    if (!stateDir.ok) return fail(io, stateDir.error);
    const verified = verifyLog(stateDir.value, progressOn(io));
    if (io.isTerminal.stderr) io.stderr(CLEAR_LINE);
    const print = (output: LogVerifyOutput) => {
      if (plan.flags.json) io.stdout(`${formatJson(output)}\n`);
    };
    const broken = breakOf(verified);
    if (broken !== null) print({ version: 1, whole: false, records: null, removed: null, last: null, broken });
    if (!verified.ok) return fail(io, verified.error);
    if (!verified.value.whole) {
      const { message } = verified.value.broken;
      return fail(io, problem("audit.broken", `the decision log is broken: ${message}`));
    }
    const { records, removed, end } = verified.value.walked;
    print({ version: 1, whole: true, records, removed, last: end.seq, broken: null });
    if (!plan.flags.json) {
      io.stdout(`whole: ${countOf(records, "record")} up to number ${end.seq}, ${removed} removed by age or size\n`);
    }
    return 0;
  },
});

// A log that cannot be read is not known to be broken.
function breakOf(verified: ReturnType<typeof verifyLog>): LogVerifyOutput["broken"] {
  if (verified.ok) return verified.value.whole ? null : verified.value.broken;
  const { code, message } = verified.error;
  return code === "audit.broken" ? { seq: null, message } : null;
}

function progressOn(io: Io): (records: number) => void {
  if (!io.isTerminal.stderr) return () => {};
  return (records) => io.stderr(`${CLEAR_LINE}${records} records are whole so far`);
}

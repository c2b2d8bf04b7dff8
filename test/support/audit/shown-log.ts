// The log for the tests of `outcall log`: nine records, one for each form of a printed line.
import { blockEntry, decisionEntry, eventEntry, StateDir, TestAppender } from "./audit-log.ts";

const WEB = { container: { id: "ab".repeat(32), name: "web" } };
const at = (time: string) => ({ at: new Date(`2026-11-21T${time}Z`) });

/** A container in the log that is identified by its namespace. */
export const NS = { container: { id: "ns-4026532180-77", name: "ctr-0123456789ab" } };

/** Writes the log; the caller removes it. */
export async function writeShownLog(): Promise<StateDir> {
  const state = new StateDir();
  const log = await TestAppender.open(state);
  await log.append(
    eventEntry("start", {
      ...at("10:00:00"),
      container: { id: null, name: null },
      detail: { version: "0.1.0", rules: 3 },
    }),
    decisionEntry({ ...at("10:00:01"), ...WEB }),
    blockEntry({
      ...at("10:00:02.5"),
      ...NS,
      rule: "no-push",
      file: "b.yaml",
      reason: "ask \u001b[31mfirst",
      context: {
        action_type: "shell_exec",
        target: "git push | x",
        run: { argv: ["git push | x"], parsed: false, tool: "sh" },
      },
    }),
    blockEntry({
      ...at("10:00:03"),
      ...WEB,
      reason: "no rule allows network_call",
      context: {
        action_type: "network_call",
        target: "https://h/x?y",
        network: { hostname: "h", port: 443 },
        http: { method: "GET", host: "h", path: "/x?y" },
      },
    }),
    decisionEntry({
      ...at("10:00:04"),
      source: "host",
      container: { id: null, name: null },
      context: { network: { ip: "1.2.3.4", port: 22 } },
    }),
    decisionEntry({
      ...at("10:00:05"),
      ...WEB,
      context: { dns: { query: "q.example", record_type: "A" } },
      errors: [{ rule: "r", file: "f", message: "m" }],
    }),
    decisionEntry({ ...at("10:00:06"), ...WEB, context: { docker: { image: "i:1", command: ["run", "x"] } } }),
    decisionEntry({ ...at("10:00:07"), ...WEB, context: { action_type: "file_access", target: "/etc/passwd" } }),
    eventEntry("misuse", {
      ...at("10:00:08"),
      ...WEB,
      source: "agent",
      detail: { event: "agent.token-misuse", status: 401 },
    }),
  );
  log.close();
  return state;
}

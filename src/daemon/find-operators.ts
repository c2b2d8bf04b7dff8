// The operators' group: its name on the command line -> its number, which the kernel names for each peer.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { groupId } from "../state/host-names.ts";
import type { Config } from "./config.ts";

/** The gid of the operators' group; null where the daemon has none. A name that the host does not know is an error. */
export function findOperators({ operatorsGroup }: Pick<Config, "operatorsGroup">): Result<number | null, Problem> {
  if (operatorsGroup === null) return ok(null);
  const gid = groupId(operatorsGroup);
  if (gid !== null) return ok(gid);
  return err(problem("daemon.configuration", `--operators-group: /etc/group has no group ${quote(operatorsGroup)}`));
}

// The rules directory as a daemon would load it now.
import { quote } from "../core/quote.ts";
import { loadRules } from "../rule/load-rules.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt, shellPath } from "./look.ts";

/** Loads the rules aside and says what came of it. */
export function checkRules(dir: string): Check {
  const name = "rules directory";
  const path = shellPath(dir);
  const found = lookAt(dir);
  if (found.kind === "nothing") return failed(name, `${quote(dir)} is not there`, `mkdir -p -m 0755 ${path}`);
  const { set, findings, files, rules } = loadRules({ dir, trust: "owner" });
  const [first, ...more] = findings.filter(({ severity }) => severity === "error");
  if (first !== undefined || set === null) {
    const where = first === undefined || first.place.file === dir ? "" : `${first.place.file}:${first.place.line}: `;
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    return failed(name, `${where}${first?.message ?? "the rules do not load"}${others}`, `outcall lint ${path}`);
  }
  if (files === 0) {
    return doubtful(name, `${quote(dir)} has no rules: everything is blocked`, `put rule files (*.yaml) into ${path}`);
  }
  const warnings = findings.length === 0 ? "" : `, ${findings.length} warnings (outcall lint ${path})`;
  return fine(name, `${quote(dir)}: ${files} files, ${rules} rules${warnings}`);
}

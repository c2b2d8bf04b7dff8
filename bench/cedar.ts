// Cedar's engine, in WebAssembly, on the same rules written in Cedar's language. Cedar evaluates every policy, as its
// language requires, and its only pattern operator is `like`; so the patterns of the workload become prefixes.
import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { REQUEST } from "./workload.ts";

/** Prepares conditions of the workload; the function returned says whether one of them holds. */
export function cedarScan(conditions: readonly string[]): () => boolean {
  const policies = conditions.map((condition) =>
    `permit(principal, action, resource) when { ${translate(condition)} };`
  );
  const name = `workload-${conditions.length}`;
  const parsed = preparsePolicySet(name, { staticPolicies: policies.join("\n") });
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed).slice(0, 500));
  const entity = { type: "Agent", id: "a" };
  const context = JSON.parse(JSON.stringify(REQUEST));
  const call = {
    principal: entity,
    action: { type: "Action", id: "check" },
    resource: entity,
    context,
    preparsedPolicySetId: name,
    entities: [],
  };
  return () => {
    const answer = statefulIsAuthorized(call);
    if (answer.type !== "success") throw new Error(JSON.stringify(answer).slice(0, 500));
    return answer.response.decision === "allow";
  };
}

const TRANSLATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(http\.path)\.startsWith\("(.*)"\)$/, 'context.$1 like "$2*"'],
  [/^(http\.path)\.matches\("\^(.*?)\[.*$/, 'context.$1 like "$2*"'],
  [/^(run\.args)\.exists\(a, a == (".*")\)$/, "context.$1.contains($2)"],
  [/^([a-z.]+) in (\[.*\])$/, "$2.contains(context.$1)"],
  [/^("[^"]*") in (http\.headers) && http\.headers\["[^"]*"\] == (".*")$/, "context.$2 has $1 && context.$2[$1] == $3"],
];

function translate(condition: string): string {
  for (const [pattern, replacement] of TRANSLATIONS) {
    if (pattern.test(condition)) return condition.replace(pattern, replacement);
  }
  return condition.replaceAll(/\b(network|http)\./g, "context.$1.");
}

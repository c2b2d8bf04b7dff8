// JSON from outside is parsed by the strict reader only. JSON that the daemon itself wrote may be parsed by the
// runtime.
import { expect, test } from "bun:test";
import { readSourceFiles } from "./source-files.ts";

const OWN_TEXTS: readonly string[] = [
  "src/cli/log-record.ts", // Records of the decision log.
  "src/core/parse-json.ts", // The strict reader.
  "src/envelope/envelopes.ts", // Facts that the rulespec's thread has read.
  "src/request/reach.ts", // The rules in force, on their way to a thread.
  "src/request/request-store.ts", // Requests in the state directory.
  "src/rule/evaluate-rules.ts", // A copy of a context for a hook.
];

test("A9: no other file parses JSON", () => {
  const files = readSourceFiles("src/**/*.ts").filter(({ text }) => text.includes("JSON.parse("));
  expect(files.map(({ path }) => path).sort()).toEqual([...OWN_TEXTS]);
});

// Rules that always decide before a rule to be added, and rules that only seem to.
import { describe, expect, test } from "bun:test";
import { formatTree } from "../../src/cel/format-tree.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import { APPROVED_PRIORITY, approvedFileName } from "../../src/rule/lint-rules.ts";
import { COVER_LIMITS, type CoverLimits, CoverSearch, type Earlier } from "../../src/rule/cover.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { ConditionGenerator, NO_SCOPE } from "../support/generate/condition.ts";
import { generateContext } from "../support/generate/context.ts";
import { seededRandom } from "../support/random.ts";
import { CASES as ALL_CASES } from "../support/cases.ts";

/** Each case is a set that is loaded and evaluated ten times, so this runs a fifth of the gate's cases. */
const CASES = Math.max(1_000, Math.ceil(ALL_CASES / 5));
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

type Written = readonly [action: Earlier["action"], condition: string];

function treeOf(text: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.value.tree;
}

function earlierOf(rules: readonly Written[]): readonly Earlier[] {
  return rules.map(([action, condition], index) => ({
    id: `r${index}`,
    file: "00.yaml",
    action,
    expires: null,
    normal: formatTree(treeOf(condition)),
  }));
}

function coversOf(
  condition: string,
  action: "allow" | "block",
  rules: readonly Written[],
  limits?: CoverLimits,
): readonly string[] {
  const tree = treeOf(condition);
  return new CoverSearch(limits).find({ action, tree, normal: formatTree(tree) }, earlierOf(rules)).map(({ id }) => id);
}

const SCOPED = 'agent.name == "a" && network.hostname == "x" && network.port == 443';

describe("CoverSearch", () => {
  const cases: readonly (readonly [note: string, condition: string, before: Written, covers: boolean])[] = [
    ["a block of everything", SCOPED, ["block", "true"], true],
    ["an allow of everything", SCOPED, ["allow", "true"], true],
    ["the same", SCOPED, ["block", SCOPED], true],
    ["the same without the scope", SCOPED, ["allow", 'network.port == 443 && network.hostname == "x"'], true],
    ["one part of it", SCOPED, ["block", 'network.hostname == "x"'], true],
    ["a part, spelled the other way round", SCOPED, ["block", '"x" == network.hostname'], true],
    ["a part among alternatives", SCOPED, ["block", 'network.hostname == "y" || network.hostname == "x"'], true],
    ["a list that has the value", SCOPED, ["block", 'network.hostname in ["y", "x"]'], true],
    ["a list that has not", SCOPED, ["block", 'network.hostname in ["y", "z"]'], false],
    ["another field of the value", SCOPED, ["block", 'http.host in ["x"]'], false],
    ["more than a part", SCOPED, ["block", 'network.hostname == "x" && http.method == "GET"'], false],
    ["a part denied", SCOPED, ["block", '!(network.hostname == "x")'], false],
    ["false", SCOPED, ["block", "false"], false],
    ["an enrich rule", SCOPED, ["enrich", "true"], false],
    ["every alternative", 'dns.query == "a" || dns.query == "b"', ["allow", 'dns.query in ["a", "b"]'], true],
    ["one alternative of two", 'dns.query == "a" || dns.query == "b"', ["allow", 'dns.query == "a"'], false],
    ["a shorter list", 'dns.query in ["a", "b"]', ["allow", 'dns.query in ["b", "c", "a"]'], true],
    ["a longer list", 'dns.query in ["a", "b"]', ["allow", 'dns.query in ["a"]'], false],
  ];
  for (const [note, condition, before, covers] of cases) {
    test(note, () => expect(coversOf(condition, "allow", [before])).toEqual(covers ? ["r0"] : []));
  }

  test("finds all of them, in their order", () => {
    const before: readonly Written[] = [
      ["allow", 'network.hostname == "x"'],
      ["block", "network.port == 80"],
      ["block", "true"],
    ];
    expect(coversOf(SCOPED, "allow", before)).toEqual(["r0", "r2"]);
  });

  test("a rule that reads values which a hook in between may change covers no other rule", () => {
    const condition = "enriched.ok == true && network.port == 443";
    const same: Written = ["block", "enriched.ok == true"];
    expect(coversOf(condition, "allow", [same])).toEqual(["r0"]);
    expect(coversOf(condition, "allow", [same, ["enrich", "true"]])).toEqual([]);
    expect(coversOf(condition, "allow", [["enrich", "true"], same])).toEqual(["r1"]);
    expect(coversOf(condition, "allow", [["block", "network.port == 443"], ["enrich", "true"]])).toEqual(["r0"]);
  });

  test("a block that may fail is covered only by the same block, because a failure blocks", () => {
    const condition = 'metadata.a == "b" && network.port == 443';
    expect(coversOf(condition, "block", [["allow", "network.port == 443"]])).toEqual([]);
    expect(coversOf(condition, "block", [["allow", condition]])).toEqual([]);
    expect(coversOf(condition, "block", [["block", condition]])).toEqual(["r0"]);
    expect(coversOf("network.port == 443", "block", [["allow", "network.port == 443"]])).toEqual(["r0"]);
  });

  const LIMITED = 'target == "a" && network.port == 443';
  const LIMITS: readonly (readonly [note: string, name: keyof CoverLimits, enough: number])[] = [
    // First the whole text of `target == "a"` is not found, then the field and the value are found.
    ["looks", "looks", 5],
    ["parses", "parses", 1],
    ["comparisons", "comparisons", 2],
  ];
  for (const [note, name, enough] of LIMITS) {
    test(`past its limit of ${note} it finds only what says the same or is literally true`, () => {
      const before: readonly Written[] = [["allow", 'target in ["b", "a"]'], ["allow", LIMITED], ["block", "true"]];
      const within = (limit: number) => coversOf(LIMITED, "allow", before, { ...COVER_LIMITS, [name]: limit });
      expect([within(enough), within(enough - 1), within(0)]).toEqual([["r0", "r1", "r2"], ["r1", "r2"], ["r1", "r2"]]);
    });
  }

  // Without a limit, comparing this one pair would practically never end.
  test("conditions nested to defeat it end in a bounded number of comparisons", () => {
    const nest = (depth: number, leaf: string): string =>
      depth === 0 ? leaf : `((${nest(depth - 1, leaf)} || dns.query == "${depth}") && dns.query != "${depth}x")`;
    expect(coversOf(nest(25, 'target == "a"'), "allow", [["allow", nest(25, 'target == "b"')]])).toEqual([]);
  });

  test("property: a covered rule never decides", () => {
    const random = seededRandom(SEED);
    const generator = new ConditionGenerator(random);
    let covered = 0;
    for (let each = 0; each < CASES; each++) {
      const parts = Array.from({ length: 3 }, () => generator.bool(random.below(2), NO_SCOPE));
      const [action, later] = [random.pick(["allow", "block"] as const), random.pick(["allow", "block"] as const)];
      const earlier = random.pick([parts[0], `(${parts[0]}) || (${parts[1]})`, `(${parts[1]}) && (${parts[0]})`]) ?? "";
      const condition = `(${parts[0]}) && (${parts[1]}) && (${parts[2]})`;
      const text = JSON.stringify({
        version: "1",
        rules: [{ id: "earlier", condition: earlier, action }, { id: "later", condition, action: later }],
      });
      const { set } = loadRuleFiles([{ name: "a.yaml", text }]);
      const rule = set?.rules[1];
      if (set === null || rule === undefined) continue;
      const candidate = { action: later, tree: treeOf(rule.normal), normal: rule.normal };
      if (new CoverSearch().find(candidate, set.rules.slice(0, 1)).length === 0) continue;
      covered++;
      for (let request = 0; request < 10; request++) {
        const context = generateContext(random);
        const { rule: decider } = evaluateRules(set, context);
        const note = { seed: SEED, text, context: JSON.stringify(context) };
        expect({ ...note, decider: decider?.id === "later" }).toEqual({ ...note, decider: false });
      }
    }
    expect(covered).toBeGreaterThan(CASES / 20);
  });
});

test("property: A10: a rule that lint calls unreachable never decides", () => {
  const random = seededRandom(SEED);
  const generator = new ConditionGenerator(random);
  let found = 0;
  for (let each = 0; each < CASES; each++) {
    const parts = Array.from({ length: 3 }, () => generator.bool(random.below(2), NO_SCOPE));
    const part = () => `(${random.pick(parts)})`;
    const conditions = Array.from({ length: 4 }, () => {
      return random.pick([
        part(),
        `${part()} && ${part()}`,
        `${part()} || ${part()}`,
        `${part()} && (${part()} || ${part()})`,
      ]);
    });
    const rules = conditions.map((condition, at) => {
      const action = random.pick(["allow", "block", "allow", "block", "enrich"]);
      return { id: `r${at}`, condition, action, ...(action === "enrich" ? { enrich: { script: "a.sh" } } : {}) };
    });
    const { set, findings } = loadRuleFiles([{ name: "a.yaml", text: JSON.stringify({ version: "1", rules }) }]);
    if (set === null) continue;
    const unreachable = findings.filter(({ code }) => code === "rule.unreachable").map(({ rule }) => rule);
    if (unreachable.length === 0) continue;
    found++;
    for (let request = 0; request < 10; request++) {
      const context = generateContext(random);
      const { rule: decider } = evaluateRules(set, context);
      const note = { seed: SEED, rules: JSON.stringify(rules), context: JSON.stringify(context) };
      expect({ ...note, isFound: unreachable.includes(decider?.id) }).toEqual({ ...note, isFound: false });
    }
  }
  expect(found).toBeGreaterThan(CASES / 20);
}, 60_000);

test("rule.priority-range is for an operator's files, and not for those that an approval writes", () => {
  const text =
    `version: "1"\nrules: [{id: a, condition: 'run.path == "/x"', action: allow, priority: ${APPROVED_PRIORITY}}]\n`;
  const codes = (name: string) => loadRuleFiles([{ name, text }]).findings.map(({ code }) => code);
  expect(codes("50.yaml")).toEqual(["rule.priority-range"]);
  expect(codes(approvedFileName("rr-0123456789ab"))).toEqual([]);
  expect(codes(`rules.d/${approvedFileName("rr-0123456789ab")}`)).toEqual([]);
  expect(codes("90-agent-rr-0123456789ax.yaml")).toEqual(["rule.priority-range"]);
  expect(codes("x90-agent-rr-0123456789ab.yaml")).toEqual(["rule.priority-range"]);
});

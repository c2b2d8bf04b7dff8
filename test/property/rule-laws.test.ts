// Laws of rule sets: the effect of the order of files and rules, and what changes the digest of a set.
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import type { RuleAction } from "../../src/core/decision.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import type { RuleSet } from "../../src/rule/rule-set.ts";
import { decideCompiled, textsOf } from "../support/plain/compare.ts";
import { randomContext } from "../support/plain/contexts.ts";
import { type Edit, everyRule, oneRuleOf, OTHER, SAME } from "../support/plain/edits.ts";
import type { PlainFile, PlainRule } from "../support/plain/rules.ts";
import { type PlainSet, SPELLINGS } from "../support/plain/yaml.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { RuleSets } from "../support/rule/sets.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

/** Few sets for each law: there are many laws, and none needs a rare set. */
const SETS = Math.min(200, Math.ceil(CASES / 20));
const CONTEXTS = 5;

type Loaded = { readonly plain: PlainSet; readonly set: RuleSet };
type Law = (loaded: Loaded, contexts: readonly Context[], random: Random) => Promise<boolean>;

// Checks a law on sets until it has applied to enough of them.
async function hold(law: Law): Promise<void> {
  const random = seededRandom(SEED);
  const sets = new RuleSets(random);
  for (let applied = 0, tries = 0; applied < SETS; tries++) {
    if (tries > 20 * SETS + 1_000) {
      throw new Error(`seed ${SEED}: the law applied to ${applied} sets of ${tries} alone`);
    }
    const plain = sets.set();
    const set = load(plain);
    const contexts = Array.from({ length: CONTEXTS }, () => randomContext(random));
    if (set !== null && await law({ plain, set }, contexts, random)) applied++;
  }
}

function load(plain: PlainSet, random?: Random): RuleSet | null {
  const spell = random === undefined ? undefined : () => random.pick(SPELLINGS);
  return loadRuleFiles(textsOf(plain, spell)).set;
}

function loadSure(plain: PlainSet, random?: Random): RuleSet {
  const set = load(plain, random);
  if (set === null) throw new Error(`seed ${SEED}: ${note(plain)} does not load`);
  return set;
}

function decisions(set: RuleSet, { hooks }: PlainSet, contexts: readonly Context[]): Promise<readonly unknown[]> {
  return Promise.all(contexts.map(async (context) => {
    const { decision, matched_rule, file, logged } = await decideCompiled(set, hooks, context);
    return { decision, matched_rule, file, logged };
  }));
}

function note(plain: PlainSet): string {
  return `seed ${SEED}:\n${textsOf(plain).map(({ name, text }) => `# ${name}\n${text}`).join("")}`;
}

describe(`order of rules (seed ${SEED})`, () => {
  test("files in any order give the same set", async () => {
    await hold(async ({ plain, set }, contexts, random) => {
      const texts = textsOf(plain).map((text) => ({ text, at: random.below(1_000) }));
      const shuffled = loadRuleFiles(texts.toSorted((a, b) => a.at - b.at).map(({ text }) => text)).set;
      if (shuffled === null) throw new Error(`${note(plain)} does not load shuffled`);
      expect(shuffled.digest, note(plain)).toBe(set.digest);
      expect(await decisions(shuffled, plain, contexts), note(plain)).toEqual(await decisions(set, plain, contexts));
      return plain.files.length > 1;
    });
  }, TIMEOUT_MS);

  test("a rule that does not match changes nothing, at any position", async () => {
    await hold(async ({ plain, set }, contexts, random) => {
      const never: PlainRule = {
        id: "never",
        condition: random.pick(["false", `network.hostname == "never"`, `!(true || 1 / 0 == 1)`]),
        action: random.pick<RuleAction>(["allow", "block", "enrich"]),
        priority: random.pick([-5, 100, 1_000]),
      };
      const rule = never.action === "enrich" ? { ...never, script: "h0.sh" } : never;
      const more = oneRuleOf((rules, at) => rules.toSpliced(at, 0, rule))(plain, random);
      if (more === null) return false;
      const changed = await decisions(loadSure(more), plain, contexts);
      expect(changed, note(more)).toEqual(await decisions(set, plain, contexts));
      return true;
    });
  }, TIMEOUT_MS);

  test("an allow or block that did not decide can be taken away", async () => {
    await hold(async ({ plain, set }, contexts, random) => {
      const [context = {}] = contexts;
      const [before] = await decisions(set, plain, [context]);
      const fewer = oneRuleOf((rules, at) => {
        const rule = rules[at];
        const decided = Object(before).matched_rule === rule?.id;
        return rule === undefined || rule.action === "enrich" || decided ? null : rules.toSpliced(at, 1);
      })(plain, random);
      if (fewer === null) return false;
      expect(await decisions(loadSure(fewer), plain, [context]), note(plain)).toEqual([before]);
      return true;
    });
  }, TIMEOUT_MS);

  test("a rule before all others decides everything, one after all others decides the rest", async () => {
    await hold(async ({ plain, set }, contexts) => {
      const always: PlainRule = { id: "always", condition: "true", action: "allow" };
      const first: PlainFile = { name: "zz.yaml", definitions: {}, rules: [{ ...always, priority: -2 }] };
      const last: PlainFile = { name: "zz.yaml", definitions: {}, rules: [{ ...always, priority: 2 ** 31 - 1 }] };
      const byAlways = { decision: "allow", matched_rule: "always", file: "zz.yaml", logged: false };
      const withFirst = loadSure({ ...plain, files: [...plain.files, first] });
      expect(await decisions(withFirst, plain, contexts)).toEqual(contexts.map(() => byAlways));
      const withLast = loadSure({ ...plain, files: [last, ...plain.files] });
      const left = (await decisions(set, plain, contexts)).map((decision) =>
        Object(decision).matched_rule === null ? byAlways : decision
      );
      expect(await decisions(withLast, plain, contexts), note(plain)).toEqual(left);
      return true;
    });
  }, TIMEOUT_MS);

  test("priorities count by their order alone", async () => {
    await hold(async ({ plain, set }, contexts, random) => {
      const priorities = plain.files.flatMap(({ rules }) => rules.map(({ priority = 100 }) => priority));
      const ranks = [...new Set(priorities)].sort((a, b) => a - b);
      const ranked = everyRule((rule) => ({ ...rule, priority: ranks.indexOf(rule.priority ?? 100) * 7 - 1_000 }));
      const changed = ranked(plain, random);
      if (changed === null || priorities.length === 0) return false;
      const after = await decisions(loadSure(changed), plain, contexts);
      expect(after, note(plain)).toEqual(await decisions(set, plain, contexts));
      return true;
    });
  }, TIMEOUT_MS);

  test("of rules that all match, the least of priority, file name and position decides", () => {
    const random = seededRandom(SEED);
    for (let index = 0; index < SETS; index++) {
      const names = ["b.yaml", "a.yaml", "Z.yaml", "10.yaml", "9.yaml"];
      let best: readonly [priority: number, file: string, id: string] | undefined;
      const files = names.map((name): PlainFile => {
        const rules = Array.from({ length: random.below(3) }, (_, at): PlainRule => {
          const id = `${name.replace(".yaml", "")}-${at}`;
          const priority = random.pick([99, 100, 101]);
          const before = best === undefined || priority < best[0] || (priority === best[0] && name < best[1]);
          if (before) best = [priority, name, id];
          return { id, condition: "true", action: random.pick(["allow", "block"]), priority };
        });
        return { name, definitions: {}, rules };
      });
      const set = loadSure({ files, hooks: {} });
      expect(set.rules[0]?.id).toBe(best?.[2]);
    }
  });
});

describe(`digest (seed ${SEED})`, () => {
  test("is the same in any spelling of YAML, with comments", async () => {
    await hold(async ({ plain, set }, _contexts, random) => {
      const texts = textsOf(plain, () => random.pick(SPELLINGS));
      const commented = texts.map(({ name, text }) => ({ name, text: `# one\n${text}\n# two\n` }));
      const again = loadRuleFiles(commented);
      expect(again.set?.digest, note(plain)).toBe(set.digest);
      return true;
    });
  }, TIMEOUT_MS);

  for (const { note: what, edit } of SAME) {
    test(`does not change with ${what}, and decisions do not`, async () => {
      await hold(async ({ plain, set }, contexts, random) => {
        const edited = edit(plain, random);
        if (edited === null) return false;
        const again = loadSure(edited, random);
        expect(again.digest, note(edited)).toBe(set.digest);
        expect(await decisions(again, plain, contexts), note(edited)).toEqual(await decisions(set, plain, contexts));
        return true;
      });
    }, TIMEOUT_MS);
  }

  for (const { note: what, edit } of OTHER) {
    test(`changes with ${what}`, async () => {
      await hold((loaded, _contexts, random) => Promise.resolve(changes(loaded, edit, random)));
    }, TIMEOUT_MS);
  }
});

// Some edits give a condition that does not load, for example if it cannot be negated.
function changes({ plain, set }: Loaded, edit: Edit["edit"], random: Random): boolean {
  const edited = edit(plain, random);
  const again = edited === null ? null : load(edited);
  if (edited === null || again === null) return false;
  expect(again.digest, note(edited)).not.toBe(set.digest);
  return true;
}

// Decisions during continuous reloads, with the real engine and loader: each decision is one that the old or the new
// rule set gives, never a mixture (S003-FR-023, FR-040, EC-016).
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { pathToFileURL, type URL } from "node:url";
import { systemClock } from "../../src/core/clock.ts";
import { ok } from "../../src/core/result.ts";
import { LiveRules } from "../../src/reload/live-rules.ts";
import { loadDirectory } from "../../src/reload/load-directory.ts";
import { Reloader } from "../../src/reload/reloader.ts";
import { evaluateRules, evaluateWithHooks, type RunHook } from "../../src/rule/evaluate-rules.ts";
import { CASES } from "../support/cases.ts";

// A reload starts a thread, which takes as long as a busy machine lets it.
const TIMEOUT_MS = 240_000 + 5 * CASES;
const RELOADS = Math.min(100, Math.ceil(CASES / 100));
const DECISIONS = 10 * CASES;
/** The number of decisions before other work gets its turn. */
const BATCH = 500;
/** The pause for a reload that takes longer than its share of decisions, in milliseconds. */
const PAUSE_MS = 5;
/** Evaluations that wait in a hook, and so last longer than a reload. */
const HOOKED = 5;

const root = mkdtempSync(join(tmpdir(), "reload-decisions-"));
chmodSync(root, 0o755);
const dir = join(root, "rules.d");
mkdirSync(dir, { mode: 0o755 });
afterAll(() => rmSync(root, { recursive: true }));

/**
 * Writes the rule set of a version. Versions alternately allow and block the same requests, and the rule names contain
 * the version.
 */
function writeVersion(version: number): void {
  const [first, second] = version % 2 === 0 ? ["allow", "block"] : ["block", "allow"];
  const filler = Array.from(
    { length: 20 },
    (_, at) => `  - {id: f${at}-${version}, condition: dns.query == "${at}", action: block}`,
  );
  const files = {
    "a.yaml": [`  - {id: x-${version}, condition: network.hostname == "x", action: ${first}}`, ...filler],
    "b.yaml": [`  - {id: y-${version}, condition: network.hostname == "y", action: ${second}}`],
    "c.yaml": [
      `  - {id: h-${version}, condition: network.hostname == "z", action: enrich, enrich: {script: hook.sh}}`,
      `  - {id: z-${version}, condition: network.hostname == "z" && enriched.version == ${version}, action: allow}`,
    ],
  };
  for (const [name, rules] of Object.entries(files)) {
    writeFileSync(join(dir, name), `version: "1"\nrules:\n${rules.join("\n")}\n`, { mode: 0o644 });
  }
}

// As a single file, like in the built daemon, because each reload starts a thread that reads the whole program.
async function bundled(entry: string): Promise<URL> {
  const { outputs: [bundle] } = await Bun.build({
    entrypoints: [join(import.meta.dir, "..", "..", "src", entry)],
    target: "bun",
    format: "esm",
    minify: true,
    outdir: join(root, "bundle"),
  });
  if (bundle === undefined) throw new Error(`${entry} is not bundled`);
  return pathToFileURL(bundle.path);
}

const versionOf = (id: string | null) => Number(id?.split("-")[1]);

test(`${DECISIONS} decisions over ${RELOADS} reloads`, async () => {
  writeVersion(0);
  const program = await bundled("outcalld.ts");
  const load = () => loadDirectory({ dir, agentTimeoutMs: 5_000, program });
  const first = await load();
  if (first.set === null) throw new Error("the rules load");
  const rules = new LiveRules({ set: first.set, loadedAt: new Date(0) });
  const silent = { debug: () => {}, info: () => {}, warning: () => {}, error: () => {} };
  const options = {
    dir,
    load,
    rules,
    clock: systemClock,
    log: silent,
    keep: () => Promise.resolve(ok(null)),
    first: first.fingerprint,
  };
  const reloader = new Reloader(options);

  let inForce = 0;
  const seen = new Set<number>();
  const decide = (hostname: "x" | "y") => {
    const { decision } = evaluateRules(rules.current.set, { network: { hostname } });
    const version = versionOf(decision.matched_rule);
    const wanted = (hostname === "x") === (version % 2 === 0) ? "allow" : "block";
    if (decision.decision !== wanted || version < inForce || version > inForce + 1) {
      throw new Error(`version ${inForce} or the next is in force, and ${JSON.stringify(decision)} was given`);
    }
    seen.add(version);
  };
  // The hook waits until a reload is done, so that the rest of the evaluation runs with another set in force.
  let reload = Promise.withResolvers<void>();
  const runHook: RunHook = async (rule) => {
    await reload.promise;
    return ok({ version: versionOf(rule.id) });
  };
  const outlived = async () => {
    const turn = { requester: "test", signal: new AbortController().signal };
    const { decision, hooks } = await evaluateWithHooks(rules.current.set, { network: { hostname: "z" } }, {
      runHook,
      turn,
    });
    expect(decision).toMatchObject({ decision: "allow", matched_rule: `z-${versionOf(hooks[0]?.id ?? null)}` });
  };

  const reloading = (async () => {
    const open: Promise<void>[] = [];
    for (let version = 1; version <= RELOADS; version++) {
      for (let count = 0; count < HOOKED; count++) open.push(outlived());
      writeVersion(version);
      expect((await reloader.reload("api")).ok).toBe(true);
      inForce = version;
      reload.resolve();
      reload = Promise.withResolvers<void>();
    }
    await Promise.all(open);
  })();
  let decided = 0;
  while (decided < DECISIONS || inForce < RELOADS) {
    for (let count = 0; count < BATCH; count++) decide(count % 2 === 0 ? "x" : "y");
    decided += BATCH;
    const isAhead = decided / DECISIONS > (inForce + 1) / RELOADS;
    await (isAhead ? setTimeout(PAUSE_MS) : setImmediate());
  }
  await reloading;
  decide("x");
  expect(decided).toBeGreaterThanOrEqual(DECISIONS);
  expect(seen.size).toBe(RELOADS + 1);
}, TIMEOUT_MS);

// Rule requests with a rules directory and a state directory of their own, and with dependencies that a test can make
// fail.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../../src/core/problem.ts";
import { problem } from "../../../src/core/problem.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import type { KeepEvent, RequestEvent } from "../../../src/request/event.ts";
import { analyzeHere } from "./analyze-here.ts";
import type { Analyze } from "../../../src/request/analysis-thread.ts";
import { RuleRequests } from "../../../src/request/requests.ts";
import { RequestStore } from "../../../src/request/request-store.ts";
import { loadRules } from "../../../src/rule/load-rules.ts";
import type { RuleSet } from "../../../src/rule/rule-set.ts";
import type { Requester, Submission } from "../../../src/wire/stored-request.ts";

/** A container with a name. */
export const BUILDER: Requester = { id: "b".repeat(64), name: "builder", image: "node:24", named: true };

/** Another container. */
export const OTHER: Requester = { id: "c".repeat(64), name: "other", image: "", named: true };

/** The operator in tests. */
export const OPERATOR = { uid: 0, name: "root" };

/** A rule file that contains a rule with these members. */
export function fileOf(...rules: readonly string[]): Submission {
  return { form: "file", ruleFile: `version: "1"\nrules:\n${rules.map((rule) => `  - {${rule}}\n`).join("")}` };
}

/** The members of one rule. */
export function ruleOf(condition: string, action = "allow", description = "a rule"): Submission {
  return { form: "rule", description, condition, action };
}

/** Rule requests with all their dependencies. */
export class RequestBench {
  readonly dir: string;
  readonly rulesDir: string;
  readonly stateDir: string;
  readonly events: RequestEvent[] = [];
  store: RequestStore;
  requests: RuleRequests;
  /** The kinds of events that cannot be written. */
  refusedEvents: readonly RequestEvent["kind"][] = [];
  /** Called before an event is written. */
  onEvent: () => void = () => {};
  /** Called instead of a reload, if set. */
  reloading: (() => Promise<Result<unknown, Problem>>) | null = null;
  live: RuleSet;

  readonly #analyze: Analyze;

  constructor(rules: Readonly<Record<string, string>> = {}, analyze: Analyze = analyzeHere) {
    this.#analyze = analyze;
    this.dir = mkdtempSync(join(tmpdir(), "outcall-requests-"));
    this.rulesDir = join(this.dir, "rules.d");
    this.stateDir = join(this.dir, "state");
    mkdirSync(this.rulesDir, { mode: 0o755 });
    mkdirSync(this.stateDir, { mode: 0o700 });
    for (const [name, text] of Object.entries(rules)) this.writeRules(name, text);
    const { set, findings } = loadRules({ dir: this.rulesDir, trust: "owner" });
    if (set === null) throw new Error(JSON.stringify(findings));
    this.live = set;
    this.store = this.#openStore();
    this.requests = this.#makeRequests();
  }

  /** Writes an event, unless the test makes that fail. */
  readonly keep: KeepEvent = (event) => {
    this.onEvent();
    if (this.refusedEvents.includes(event.kind)) {
      return Promise.resolve(err(problem("request.store", "evidence cannot be kept")));
    }
    this.events.push(event);
    return Promise.resolve(ok(null));
  };

  /** Writes a rule file, like an operator does. */
  writeRules(name: string, text: string): void {
    writeFileSync(join(this.rulesDir, name), text, { mode: 0o644 });
  }

  /** Loads the directory and puts the rules in force. */
  reload(): Promise<Result<unknown, Problem>> {
    const { set, findings } = loadRules({ dir: this.rulesDir, trust: "owner" });
    if (set === null) return Promise.resolve(err(problem("rule.file", findings[0]?.message ?? "")));
    this.live = set;
    return Promise.resolve(ok(null));
  }

  /** Opens everything again, like a daemon that is restarted. */
  restart(): void {
    this.store.close();
    this.store = this.#openStore();
    this.requests = this.#makeRequests();
  }

  /** The file names in the rules directory. */
  files(): readonly string[] {
    return readdirSync(this.rulesDir).sort();
  }

  /** The text of a rule file. */
  read(name: string): string {
    return readFileSync(join(this.rulesDir, name), "utf8");
  }

  /** Submits a request and returns its id; fails if the request is refused. */
  async submit(submission: Submission, requester: Requester = BUILDER): Promise<string> {
    const submitted = await this.requests.submit(requester, submission);
    if (!submitted.ok) throw new Error(submitted.error.message);
    return submitted.value.id;
  }

  /** Closes everything and removes the directories. */
  dispose(): void {
    this.store.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  #openStore(): RequestStore {
    const store = RequestStore.open(this.stateDir);
    if (!store.ok) throw new Error(store.error.message);
    return store.value;
  }

  #makeRequests(): RuleRequests {
    return new RuleRequests({
      store: this.store,
      rulesDir: this.rulesDir,
      rules: () => this.live,
      reload: () => (this.reloading ?? (() => this.reload()))(),
      keep: this.keep,
      analyze: this.#analyze,
      now: () => new Date("2026-11-21T12:00:00Z"),
    });
  }
}

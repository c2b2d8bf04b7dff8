// Findings of rule files: for each code an example that has it, analysed like `outcall lint` does.
import type { ProblemCode } from "../../src/core/problem.ts";
import { lint } from "../../src/report/lint-paths.ts";
import type { FindingSource } from "./findings.ts";
import { lintExample } from "./lint-example.ts";

/** A rules directory that has a finding: the texts of its files, its links and its scripts. */
export type Example = {
  readonly files?: Readonly<Record<string, string>>;
  /** Targets of symbolic links, by link name. */
  readonly links?: Readonly<Record<string, string>>;
  /** Names of scripts to create. */
  readonly scripts?: readonly string[];
};

const rule = (members: string) => `{id: a, action: allow, ${members}}`;
const file = (...rules: readonly string[]): Example => ({
  files: { "a.yaml": `version: "1"\nrules:\n${rules.map((each) => `  - ${each}\n`).join("")}` },
});
const condition = (text: string): Example => file(`{id: a, action: allow, condition: '${text}'}`);
const text = (content: string): Example => ({ files: { "a.yaml": content } });
const hook = (script: string) =>
  `{id: h, condition: run.path == "/usr/bin/git", action: enrich, enrich: {script: ${script}}}`;
const GIT = 'condition: run.path == "/usr/bin/git"';

/** One example for each code that rule files can have. */
const EXAMPLES: Readonly<Partial<Record<ProblemCode, Example>>> = {
  "rule.yaml": text('version: "1"\nrules: [\n'),
  "rule.schema": file(rule(`${GIT}, prority: 1`)),
  "rule.version": text("version: 1\nrules: []\n"),
  "rule.duplicate-id": file(rule(GIT), rule(GIT)),
  "rule.undefined-definition": condition("$is_git"),
  "rule.definition-cycle": text('version: "1"\ndefinitions: {a: $b, b: $a}\nrules: []\n'),
  "rule.cel-syntax": condition("run.tool == "),
  "rule.unknown-field": condition('network.hostnme == "a"'),
  "rule.type": condition('network.port == "443"'),
  "rule.regex": condition('http.path.matches("(a")'),
  "rule.limit": condition("[[[1]]].all(a, a.all(b, b.all(c, c == 1)))"),
  "rule.file": { links: { "a.yaml": "nowhere" } },
  "rule.hook-unsafe": file(hook("../owner.sh")),
  "rule.unsupported": file(rule(`${GIT}, egress: {mode: direct}`)),
  "rule.unused-definition": text(`version: "1"\ndefinitions: {is_git: run.tool == "git"}\nrules: [${rule(GIT)}]\n`),
  "rule.no-rules": text('version: "1"\ndefinitions: {is_git: run.tool == "git"}\n'),
  "rule.empty": {},
  "rule.hook-missing": file(hook("owner.sh")),
  "rule.hook-timeout": { ...file(hook("owner.sh")), scripts: ["owner.sh"] },
  "rule.not-boolean": condition("run.tool"),
  "rule.constant": condition('run.tool == "a" || true'),
  "rule.never": condition('network.hostname == "Example.COM"'),
  "rule.loose": condition('network.hostname.endsWith("github.com")'),
  "rule.egress-unused": file(rule(`${GIT}, egress: {mode: proxy}`)),
  "rule.unreachable": file('{id: all, condition: "true", action: block}', rule(GIT)),
  "rule.unguarded-index": condition('http.headers["x-team"] == "blue"'),
  "rule.unscoped-allow": condition('target.startsWith("/workspace/")'),
  "rule.omittable": file(
    '{id: no-put, condition: http.method == "PUT", action: block}',
    rule('condition: network.hostname == "a.example"'),
  ),
  "rule.spoofable": {
    ...file(hook("owner.sh"), rule(`condition: '"team" in run.context && run.context["team"] == "blue"'`)),
    scripts: ["owner.sh"],
  },
  "rule.expired": file(rule(`${GIT}, expires: 2026-01-01T00:00:00Z`)),
  "rule.priority-range": file(rule(`${GIT}, priority: 1000000`)),
  "rule.ignored-file": {
    ...file(rule(GIT)),
    files: { "a.yml": "", "b.yaml": `version: "1"\nrules: [${rule(GIT)}]\n` },
  },
};

/** The source of the findings of rule files. */
export const RULE_FINDINGS: FindingSource = {
  room: "rule",
  find: (code) => {
    const example = EXAMPLES[code];
    return example === undefined ? [] : lintExample(example, (dir) => lint([dir]));
  },
};

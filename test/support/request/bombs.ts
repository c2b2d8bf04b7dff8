// Rule requests that are cheap to send and expensive to analyse; each is within the size limit of a submission.

/** An expensive request: the body of a rule request. */
export type Bomb = { readonly note: string; readonly body: Readonly<Record<string, string>> };

const rule = (condition: string) => ({ description: "x", condition, action: "allow" });
const pattern = (text: string) => rule(`run.tool.matches(${JSON.stringify(text)})`);
const file = (rules: string) => ({ rule_file: `version: "1"\nrules:\n${rules}` });

const FOLDED = `(?i)[${"k-\u{1e000}".repeat(2_590)}]`;

const aliases = Array.from(
  { length: 9 },
  (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? "x" : `*a${at - 1}`).join(", ")}]\n`,
);

/** Every bomb. */
export const BOMBS: readonly Bomb[] = [
  { note: "a class of 2,590 ranges in any case", body: pattern(FOLDED) },
  {
    note: "a class of 2,590 ranges in a rule that is refused anyway",
    body: file(
      `  - {id: a, action: enrich, enrich: {script: a.sh}, condition: 'run.tool.matches("${
        FOLDED.slice(0, 15_000)
      }]")'}\n`,
    ),
  },
  { note: "a class of 3,900 negated classes", body: pattern(`[${"\\PL".repeat(3_900)}]`) },
  { note: "a class of 3,900 negated classes in any case", body: pattern(`(?i)[${"\\PL".repeat(3_900)}]`) },
  { note: "repeats of repeats", body: pattern("((a{100}){100}){100}") },
  { note: "nested parentheses", body: rule("(".repeat(8_000) + "true" + ")".repeat(8_000)) },
  { note: "nested lists", body: rule("[".repeat(16_000)) },
  { note: "negations", body: rule(`${"!".repeat(16_000)}true`) },
  { note: "nested comprehensions", body: rule(`${"[1].all(x, ".repeat(1_000)}true${")".repeat(1_000)}`) },
  { note: "nine levels of aliases", body: { rule_file: aliases.join("") } },
  { note: "nested flow lists", body: { rule_file: "[".repeat(16_000) } },
  { note: "nested block maps", body: { rule_file: "a: ".repeat(5_000) } },
  { note: "2,000 keys", body: { rule_file: Array.from({ length: 2_000 }, (_, at) => `${at}: 1\n`).join("") } },
  { note: "2,000 empty rules", body: file("  - {}\n".repeat(2_000)) },
  {
    note: "21 rules, each with a class of 80 ranges in any case",
    body: file(
      Array.from(
        { length: 21 },
        (_, at) =>
          `  - {id: r${at}, action: allow, condition: 'run.tool.matches("(?i)[${"k-\u{1e000}".repeat(80)}]")'}\n`,
      ).join(""),
    ),
  },
];

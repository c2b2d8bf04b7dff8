// JUnit report of `bun test` -> tally. The report says nothing of a file that could not be loaded or that ended the
// process, so the files that must have run are held against it, and so is the exit code.
import type { Tally } from "./tally.ts";

/** A finished run of the tests. */
export type TestOutcome = {
  /** The text of the report; empty when the run left none. */
  readonly report: string;
  /** The test files that had to run, as the report names them. */
  readonly files: readonly string[];
  readonly exitCode: number;
};

type TestCase = { readonly file: string; readonly name: string; readonly outcome: "passed" | "failed" | "skipped" };

/** Counts the tests of a run; each file that gave no result counts as a failure and is named in `problems`. */
export function readTestReport({ report, files, exitCode }: TestOutcome): Tally & { readonly problems: string[] } {
  const cases = readTestCases(report);
  const ran = new Set(cases.map(({ file }) => file));
  const problems = files.filter((file) => !ran.has(file)).map((file) => `${file} gave no result`);
  const failed = cases.filter(({ outcome }) => outcome === "failed").length;
  // Errors outside of any test are in the exit code alone.
  if (exitCode !== 0 && failed + problems.length === 0) problems.push(`the tests ended with status ${exitCode}`);
  return {
    passed: cases.filter(({ outcome }) => outcome === "passed").length,
    failed: failed + problems.length,
    skipped: cases.filter(({ outcome }) => outcome === "skipped").map(({ file, name }) => `${file}: ${name}`),
    problems,
  };
}

function readTestCases(report: string): readonly TestCase[] {
  // A case is one empty element, or has its outcome between its tags; markup inside of text is escaped.
  const cases = report.matchAll(/<testcase ([^<>]*?)(?:\/>|>(.*?)<\/testcase>)/gs);
  return [...cases].map(([, attributes = "", content = ""]) => ({
    file: attributeOf(attributes, "file"),
    name: [...attributeOf(attributes, "classname").split(" > ").reverse(), attributeOf(attributes, "name")]
      .filter((part) => part !== "").join(" > "),
    outcome: outcomeOf(content),
  }));
}

function outcomeOf(content: string): TestCase["outcome"] {
  if (content.trim() === "") return "passed";
  return /^\s*<skipped\b/.test(content) ? "skipped" : "failed";
}

const ENTITIES: ReadonlyMap<string, string> = new Map([["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"]]);

function attributeOf(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return value.replace(/&(lt|gt|quot|apos);/g, (whole, entity: string) => ENTITIES.get(entity) ?? whole)
    .replaceAll("&amp;", "&");
}

// JUnit report of `bun test` -> tally. The report omits files that could not be loaded or that ended the process. So
// the list of expected files and the exit code are checked too.
import { isAbsolute, relative } from "node:path";
import { PROJECT } from "../project.ts";
import type { Tally } from "./tally.ts";

/** A finished run of the tests. */
export type TestOutcome = {
  /** The text of the report; empty if the run left none. */
  readonly report: string;
  /** The test files that had to run, relative to the project. */
  readonly files: readonly string[];
  readonly exitCode: number;
};

/** The counts, and the failures to print at the end. Long logs are often cut, and the end is what remains. */
type TestReport = Tally & {
  /** Files without a result, and a bad exit status of the run. */
  readonly problems: readonly string[];
  /** Each failed test: its name, then its message on the next lines. */
  readonly failures: readonly string[];
};

type TestCase = {
  readonly file: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** The message of a failed test. */
  readonly message: string;
};

/** Counts the tests of a run. A file without a result counts as one failure and is named in `problems`. */
export function readTestReport({ report, files, exitCode }: TestOutcome): TestReport {
  const cases = readTestCases(report);
  const ran = new Set(cases.map(({ file }) => file));
  const problems = files.filter((file) => !ran.has(file)).map((file) => `${file} gave no result`);
  const failures = cases.filter(({ outcome }) => outcome === "failed");
  // Errors outside of tests appear only in the exit code.
  if (exitCode !== 0 && failures.length + problems.length === 0) {
    problems.push(`the tests ended with status ${exitCode}`);
  }
  return {
    passed: cases.filter(({ outcome }) => outcome === "passed").length,
    failed: failures.length + problems.length,
    skipped: cases.filter(({ outcome }) => outcome === "skipped").map(({ file, name }) => `${file}: ${name}`),
    problems,
    failures: failures.map(({ file, name, message }) => `${file}: ${name}\n${message}`),
  };
}

function readTestCases(report: string): readonly TestCase[] {
  // A test case is one empty element, or has its outcome between its tags. Markup inside of text is escaped.
  const cases = report.matchAll(/<testcase ([^<>]*?)(?:\/>|>(.*?)<\/testcase>)/gs);
  return [...cases].map(([, attributes = "", content = ""]) => ({
    file: relativeFile(attributeOf(attributes, "file")),
    name: [...attributeOf(attributes, "classname").split(" > ").reverse(), attributeOf(attributes, "name")]
      .filter((part) => part !== "").join(" > "),
    outcome: outcomeOf(content),
    message: messageOf(content),
  }));
}

// The report gives an absolute path for a test that changes its directory.
function relativeFile(file: string): string {
  return isAbsolute(file) ? relative(PROJECT, file) : file;
}

function outcomeOf(content: string): TestCase["outcome"] {
  if (content.trim() === "") return "passed";
  return /^\s*<skipped\b/.test(content) ? "skipped" : "failed";
}

/** How many characters of a failed test's message are shown. */
const MESSAGE_LENGTH = 4_000;

function messageOf(content: string): string {
  return unescape(/<failure\b[^>]*>(.*?)<\/failure>/s.exec(content)?.[1] ?? "").trim().slice(0, MESSAGE_LENGTH);
}

const ENTITIES = new Map([["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"], ["#10", "\n"]]);

function attributeOf(attributes: string, name: string): string {
  return unescape(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
}

function unescape(text: string): string {
  return text.replace(/&([a-z]+|#10);/g, (whole, entity: string) => ENTITIES.get(entity) ?? whole)
    .replaceAll("&amp;", "&");
}

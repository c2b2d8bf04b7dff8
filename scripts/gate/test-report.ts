// JUnit report of `bun test` -> tally. The report says nothing of a file that could not be loaded or that ended the
// process, so the files that must have run are held against it, and so is the exit code.
import { isAbsolute, relative } from "node:path";
import { PROJECT } from "../project.ts";
import type { Tally } from "./tally.ts";

/** A finished run of the tests. */
export type TestOutcome = {
  /** The text of the report; empty when the run left none. */
  readonly report: string;
  /** The test files that had to run, relative to the project. */
  readonly files: readonly string[];
  readonly exitCode: number;
};

/** What a run gave, with what a log's reader wants last: where it is cut, its end is what is kept. */
type TestReport = Tally & {
  /** Files without a result, and a bad end of the run. */
  readonly problems: readonly string[];
  /** Each failed test, with its message on the lines behind its name. */
  readonly failures: readonly string[];
};

type TestCase = {
  readonly file: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** What a failed test said. */
  readonly message: string;
};

/** Counts the tests of a run; each file that gave no result counts as a failure and is named in `problems`. */
export function readTestReport({ report, files, exitCode }: TestOutcome): TestReport {
  const cases = readTestCases(report);
  const ran = new Set(cases.map(({ file }) => file));
  const problems = files.filter((file) => !ran.has(file)).map((file) => `${file} gave no result`);
  const failures = cases.filter(({ outcome }) => outcome === "failed");
  // Errors outside of any test are in the exit code alone.
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
  // A case is one empty element, or has its outcome between its tags; markup inside of text is escaped.
  const cases = report.matchAll(/<testcase ([^<>]*?)(?:\/>|>(.*?)<\/testcase>)/gs);
  return [...cases].map(([, attributes = "", content = ""]) => ({
    file: relativeFile(attributeOf(attributes, "file")),
    name: [...attributeOf(attributes, "classname").split(" > ").reverse(), attributeOf(attributes, "name")]
      .filter((part) => part !== "").join(" > "),
    outcome: outcomeOf(content),
    message: messageOf(content),
  }));
}

// A test that changes its directory gets its file reported with the whole path.
function relativeFile(file: string): string {
  return isAbsolute(file) ? relative(PROJECT, file) : file;
}

function outcomeOf(content: string): TestCase["outcome"] {
  if (content.trim() === "") return "passed";
  return /^\s*<skipped\b/.test(content) ? "skipped" : "failed";
}

/** How much of a failed test's message is shown. */
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

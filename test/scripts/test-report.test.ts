import { describe, expect, test } from "bun:test";
import { PROJECT } from "../../scripts/project.ts";
import { readTestReport } from "../../scripts/gate/test-report.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="5" assertions="5" failures="1" skipped="2" time="0.007">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" tests="4" failures="1" skipped="2">
    <testsuite name="outer &lt;&amp;&quot; x" file="test/a.test.ts" line="2">
      <testcase name="passes" classname="outer &lt;&amp;&quot; x" time="0.1" file="test/a.test.ts" line="2" assertions="1" />
      <testsuite name="inner" file="test/a.test.ts" line="2">
        <testcase name="as root" classname="inner &gt; outer &lt;&amp;&quot; x" time="0" file="test/a.test.ts" line="2">
          <skipped />
        </testcase>
        <testcase name="fails" classname="inner &gt; outer &lt;&amp;&quot; x" time="0.1" file="test/a.test.ts" line="2">
          <failure type="AssertionError" message="expect(&lt;testcase /&gt;)">Expected: &lt;skipped /&gt;&#10;Received: &amp;lt;&#10;</failure>
        </testcase>
      </testsuite>
    </testsuite>
    <testcase name="later" classname="" time="0" file="test/a.test.ts" line="3">
      <skipped message="TODO" />
    </testcase>
  </testsuite>
  <testsuite name="test/b.test.ts" file="test/b.test.ts" tests="1">
    <testcase name="b &amp;lt;" classname="" time="0" file="test/b.test.ts" line="1" />
  </testsuite>
</testsuites>`;

const FILES = ["test/a.test.ts", "test/b.test.ts"];

test("readTestReport counts by outcome, names what was skipped and says what failed", () => {
  expect(readTestReport({ report: REPORT, files: FILES, exitCode: 1 })).toEqual({
    passed: 2,
    failed: 1,
    skipped: [`test/a.test.ts: outer <&" x > inner > as root`, "test/a.test.ts: later"],
    problems: [],
    failures: [`test/a.test.ts: outer <&" x > inner > fails\nExpected: <skipped />\nReceived: &lt;`],
  });
});

test("readTestReport knows a file by its whole path", () => {
  const report = `<testcase name="b" classname="" file="${PROJECT}/test/b.test.ts" line="1" />`;
  expect(readTestReport({ report, files: ["test/b.test.ts"], exitCode: 0 })).toEqual({
    passed: 1,
    failed: 0,
    skipped: [],
    problems: [],
    failures: [],
  });
});

describe("readTestReport counts files and errors that the report does not mention as failed", () => {
  const passing = `<testcase name="b" classname="" file="test/b.test.ts" line="1" />`;
  const cases = [
    {
      note: "a file without results",
      report: passing,
      files: FILES,
      exitCode: 0,
      problem: "test/a.test.ts gave no result",
    },
    { note: "no report", report: "", files: ["test/b.test.ts"], exitCode: 0, problem: "test/b.test.ts gave no result" },
    {
      note: "a bad end without a failed test",
      report: passing,
      files: ["test/b.test.ts"],
      exitCode: 1,
      problem: "the tests ended with status 1",
    },
  ];
  for (const { note, report, files, exitCode, problem } of cases) {
    test(note, () => {
      const { failed, problems } = readTestReport({ report, files, exitCode });
      expect(failed).toBe(1);
      expect(problems).toEqual([problem]);
    });
  }
});

import { describe, expect, test } from "bun:test";
import { formatJunit } from "../../src/report/format-junit.ts";
import { CLEAN, HOSTILE, linesOf, ORDINARY, UNPRINTABLE } from "./reports.ts";

describe("formatJunit", () => {
  test("is a suite for each file and a case for each finding", () => {
    expect(formatJunit(ORDINARY, false)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="outcall lint" tests="4" failures="1" errors="0">
  <testsuite name="rules.d/00-base.yaml" tests="2" failures="1" errors="0">
    <testcase classname="rules.d/00-base.yaml" name="rule.unknown-field at 4:16" file="rules.d/00-base.yaml" line="4">
      <failure type="rule.unknown-field" message="rule &quot;a&quot;: unknown field &quot;hostnam&quot; of network">rules.d/00-base.yaml:4:16: rule &quot;a&quot;: unknown field &quot;hostnam&quot; of network
hint: did you mean &quot;hostname&quot;?</failure>
    </testcase>
    <testcase classname="rules.d/00-base.yaml" name="rule.constant at 7:17" file="rules.d/00-base.yaml" line="7">
      <system-out>warning: rules.d/00-base.yaml:7:17: condition is always true (rule &quot;b&quot;)</system-out>
    </testcase>
  </testsuite>
  <testsuite name="rules.d/20.yaml" tests="1" failures="0" errors="0">
    <testcase classname="rules.d/20.yaml" name="no findings"/>
  </testsuite>
  <testsuite name="rules.d/10.yml" tests="1" failures="0" errors="0">
    <testcase classname="rules.d/10.yml" name="rule.ignored-file at 1:1" file="rules.d/10.yml" line="1">
      <system-out>note: rules.d/10.yml:1:1: &quot;10.yml&quot; is not read as a rule file
hint: rule files end in .yaml</system-out>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  test("a clean file is a passing case", () => {
    expect(formatJunit(CLEAN, true)).toContain('tests="1" failures="0"');
    expect(formatJunit(CLEAN, true)).not.toContain("<failure");
  });

  test("warnings fail when they fail the run", () => {
    expect(formatJunit(ORDINARY, true)).toContain('<testsuites name="outcall lint" tests="4" failures="2"');
    expect(formatJunit(ORDINARY, true)).toContain('<failure type="rule.constant"');
  });

  test("hostile text is neither markup nor unprintable", () => {
    const output = formatJunit(HOSTILE, false);
    for (const line of linesOf(output)) expect(line).not.toMatch(UNPRINTABLE);
    const tags = output.match(/<[^>]*>/g)?.map((tag) => /^<[/?]?([a-z-]+)/.exec(tag)?.[1]);
    expect(tags).toEqual(
      ["xml", "testsuites", "testsuite", "testcase", "failure", "failure", "testcase", "testsuite", "testsuites"],
    );
    expect(output).not.toMatch(/&(?!(amp|lt|gt|quot);)/);
    expect(output).toContain("]]&gt;");
  });
});

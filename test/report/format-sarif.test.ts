import { Validator } from "@cfworker/json-schema";
import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
import { describe, expect, test } from "bun:test";
import { PROBLEMS } from "../../src/core/problem.ts";
import { formatSarif } from "../../src/report/format-sarif.ts";
import { CLEAN, HOSTILE, linesOf, ORDINARY, UNPRINTABLE } from "./reports.ts";

const validator = new Validator(JSON.parse(JSON.stringify(schema)), "4", false);

describe("formatSarif", () => {
  for (const [note, report] of Object.entries({ CLEAN, ORDINARY, HOSTILE })) {
    test(`validates against the schema of SARIF 2.1.0: ${note}`, () => {
      expect(validator.validate(JSON.parse(formatSarif(report))).errors).toEqual([]);
    });
  }

  test("the validator refuses documents that are not SARIF", () => {
    const log = JSON.parse(formatSarif(ORDINARY));
    log.runs[0].results[0].level = "fatal";
    expect(validator.validate(log).valid).toBe(false);
  });

  test("has one run with tool, columns in UTF-16 and every rule with its sentence", () => {
    const [run, ...more] = JSON.parse(formatSarif(ORDINARY)).runs;
    expect(more).toEqual([]);
    expect(run.columnKind).toBe("utf16CodeUnits");
    expect(run.tool.driver.name).toBe("outcall");
    const codes = Object.entries(PROBLEMS).filter(([code]) => code.startsWith("rule.") && code !== "rule.not-found");
    for (const [code, { sentence }] of codes) {
      expect(run.tool.driver.rules).toContainEqual({ id: code, shortDescription: { text: sentence } });
    }
  });

  test("a result names its rule by id and index, its place and the rule of the file", () => {
    const [run] = JSON.parse(formatSarif(ORDINARY)).runs;
    expect(run.results[0]).toEqual({
      ruleId: "rule.unknown-field",
      ruleIndex: run.tool.driver.rules.findIndex((rule: { id: string }) => rule.id === "rule.unknown-field"),
      level: "error",
      message: { text: 'rule "a": unknown field "hostnam" of network\nhint: did you mean "hostname"?' },
      locations: [{
        physicalLocation: {
          artifactLocation: { uri: "rules.d/00-base.yaml" },
          region: { startLine: 4, startColumn: 16, endLine: 4, endColumn: 31 },
        },
        logicalLocations: [{ name: "a", kind: "rule" }],
      }],
    });
    expect(run.results.map((result: { level: string }) => result.level)).toEqual(["error", "warning", "note"]);
  });

  const uris = [
    { file: "a b.yaml", uri: "a%20b.yaml" },
    { file: "./a//b/./c.yaml", uri: "a/b/c.yaml" },
    { file: "../shared/a.yaml", uri: "../shared/a.yaml" },
    { file: "/etc/outcall/rules.d/a.yaml", uri: "file:///etc/outcall/rules.d/a.yaml" },
    { file: "c:d?e#f%20.yaml", uri: "c%3Ad%3Fe%23f%2520.yaml" },
    { file: "ü\ud800", uri: "%C3%BC%EF%BF%BD" },
    { file: ".", uri: "." },
  ];
  for (const { file, uri } of uris) {
    test(`${JSON.stringify(file)} is ${uri}`, () => {
      const findings = ORDINARY.findings.slice(0, 1).map((each) => ({ ...each, place: { ...each.place, file } }));
      const [run] = JSON.parse(formatSarif({ ...ORDINARY, findings })).runs;
      expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
    });
  }

  test("is printable, whatever files hold", () => {
    for (const line of linesOf(formatSarif(HOSTILE))) expect(line).not.toMatch(UNPRINTABLE);
  });
});

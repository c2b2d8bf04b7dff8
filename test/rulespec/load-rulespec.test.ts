import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEnvelope, loadRulespec } from "../../src/rulespec/load-rulespec.ts";
import { OPERATOR_TEXT } from "../../src/rulespec/read-yaml.ts";
import { whyUntrusted } from "../../src/file/trust.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

const dir = mkdtempSync(join(tmpdir(), "outcall-rulespec-"));
const path = join(dir, "rulespec.yaml");
writeFileSync(path, COMPLETE_RULESPEC);
afterAll(() => rmSync(dir, { recursive: true }));

test("loadRulespec gives the rulespec and the text that places are of", () => {
  const { rulespec, findings, source } = loadRulespec(path, whyUntrusted);
  expect(rulespec?.predicates).toHaveLength(8);
  expect({ findings, source }).toEqual({ findings: [], source: COMPLETE_RULESPEC });
});

test("a file that is not there is a finding", () => {
  const missing = join(dir, "nope.yaml");
  const place = { file: missing, line: 1, column: 1 };
  const finding = { code: "rulespec.file", severity: "error", place };
  expect(loadRulespec(missing)).toMatchObject({ rulespec: null, findings: [finding] });
  expect(loadEnvelope(missing).envelope).toMatchObject({ ok: false, error: [finding] });
});

test("a file that others may write is a finding if ownership is checked, and is read otherwise", () => {
  chmodSync(path, 0o666);
  expect(loadRulespec(path, whyUntrusted).findings).toMatchObject([{ code: "rulespec.file" }]);
  expect(loadRulespec(path).rulespec).not.toBeNull();
});

test("a file over 16 MiB is not read to its end", () => {
  const large = join(dir, "large.yaml");
  writeFileSync(large, COMPLETE_ENVELOPE.padEnd(OPERATOR_TEXT.sizeBytes + 10, "#"));
  expect(loadEnvelope(large).envelope).toMatchObject({
    ok: false,
    error: [{
      code: "rulespec.limit",
      message: `over ${OPERATOR_TEXT.sizeBytes} bytes of text, found ${OPERATOR_TEXT.sizeBytes + 1}`,
    }],
  });
});

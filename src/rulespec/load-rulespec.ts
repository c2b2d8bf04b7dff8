// Paths from an operator -> rulespec and envelope. No other file of this room reads files.
import type { Stats } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { err, type Result } from "../core/result.ts";
import { placeAt } from "../core/span.ts";
import { readFile } from "../file/read-file.ts";
import { type Envelope, parseEnvelope } from "./parse-envelope.ts";
import { type ParsedRulespec, parseRulespec } from "./parse-rulespec.ts";
import { OPERATOR_TEXT } from "./read-yaml.ts";

/** The default path of a rulespec, below the working directory. */
export const RULESPEC_FILE = "analysis/rulespec.yaml";

/** Container names that can be file names. The names that engines give are much shorter. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

/** The file name of the rulespec for a container's name, or undefined if the name cannot be a file name. */
export function rulespecFileName(name: string): string | undefined {
  return FILE_NAME.test(name) ? `${name}.yaml` : undefined;
}

/** A rulespec with its text, from which reports show lines. */
export type LoadedRulespec = ParsedRulespec & { readonly source: string };

/** Loads a rulespec. `judge` returns why a file is not trusted, or null. Places name the path as given. */
export function loadRulespec(path: string, judge?: (stats: Stats) => string | null): LoadedRulespec {
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes, ...(judge === undefined ? {} : { judge }) });
  if (!bytes.ok) return { rulespec: null, findings: [unreadable(path, bytes.error.message)], source: "" };
  return { ...parseRulespec(path, bytes.value), source: new TextDecoder().decode(bytes.value) };
}

/** An envelope or its findings, with its text. */
export type LoadedEnvelope = { readonly envelope: Result<Envelope, readonly Finding[]>; readonly source: string };

/** Loads an envelope from a file that the operator names. */
export function loadEnvelope(path: string): LoadedEnvelope {
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes });
  if (!bytes.ok) return { envelope: err([unreadable(path, bytes.error.message)]), source: "" };
  return { envelope: parseEnvelope(path, bytes.value, OPERATOR_TEXT), source: new TextDecoder().decode(bytes.value) };
}

function unreadable(path: string, message: string): Finding {
  return { code: "rulespec.file", severity: "error", message, place: placeAt(path) };
}

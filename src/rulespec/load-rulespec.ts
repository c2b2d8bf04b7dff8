// Paths -> rulespec and envelope, as an operator gives them: the only file of this room that reads files.
import type { Stats } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { err, type Result } from "../core/result.ts";
import { placeAt } from "../core/span.ts";
import { readFile } from "../file/read-file.ts";
import { type Envelope, parseEnvelope } from "./parse-envelope.ts";
import { type ParsedRulespec, parseRulespec } from "./parse-rulespec.ts";
import { OPERATOR_TEXT } from "./read-yaml.ts";

/** Where a rulespec is when nobody says otherwise, below the working directory. */
export const RULESPEC_FILE = "analysis/rulespec.yaml";

/** Names that are the same as a file's: what engines give containers, far below the limit of a name. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

/** The file of a rulespec for containers of a name, or undefined where no file may have it. */
export function rulespecFileName(name: string): string | undefined {
  return FILE_NAME.test(name) ? `${name}.yaml` : undefined;
}

/** A rulespec with its text, for reports that show the line. */
export type LoadedRulespec = ParsedRulespec & { readonly source: string };

/** Loads a rulespec; `judge` says why a file may not be relied on. A place's file is the path as given. */
export function loadRulespec(path: string, judge?: (stats: Stats) => string | null): LoadedRulespec {
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes, ...(judge === undefined ? {} : { judge }) });
  if (!bytes.ok) return { rulespec: null, findings: [unreadable(path, bytes.error.message)], source: "" };
  return { ...parseRulespec(path, bytes.value), source: new TextDecoder().decode(bytes.value) };
}

/** An envelope, or everything that is wrong with it, with its text. */
export type LoadedEnvelope = { readonly envelope: Result<Envelope, readonly Finding[]>; readonly source: string };

/** Loads an envelope from a file that an operator names. */
export function loadEnvelope(path: string): LoadedEnvelope {
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes });
  if (!bytes.ok) return { envelope: err([unreadable(path, bytes.error.message)]), source: "" };
  return { envelope: parseEnvelope(path, bytes.value, OPERATOR_TEXT), source: new TextDecoder().decode(bytes.value) };
}

function unreadable(path: string, message: string): Finding {
  return { code: "rulespec.file", severity: "error", message, place: placeAt(path) };
}

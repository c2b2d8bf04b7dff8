// Chooses the rulespec of a container: the operator's file, or in the operator's directory the file named like the container,
// or `default.yaml`. No text of an agent and no file that it can write affects the choice.
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { isMissing } from "../core/thrown.ts";
import { reasonOf } from "../file/read-file.ts";
import { whyUntrusted } from "../file/trust.ts";
import { type LoadedRulespec, loadRulespec, rulespecFileName } from "../rulespec/load-rulespec.ts";

/** Where the operator keeps rulespecs; null if there are none. */
export type RulespecSource = { readonly kind: "file" | "dir"; readonly path: string } | null;

/** The name of the rulespec for containers without their own. */
const DEFAULT_NAME = "default";

/** The file that applies, or that none is configured, or why none can apply. */
export type ChosenRulespec =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

/** Chooses by the container's name. The next file is tried only if the one before does not exist. */
export function chooseRulespec(source: RulespecSource, containerName: string): ChosenRulespec {
  if (source === null) return { kind: "none" };
  if (source.kind === "file") return { kind: "file", path: source.path };
  const own = rulespecFileName(containerName);
  if (own === undefined) return { kind: "refused", reason: `no file is named like container ${quote(containerName)}` };
  for (const name of [own, `${DEFAULT_NAME}.yaml`]) {
    const path = join(source.path, name);
    if (stateOf(path) !== MISSING) return { kind: "file", path };
  }
  return { kind: "none" };
}

/**
 * Loads the chosen file under the ownership rule of rule files: only root and the daemon's user may write the file and its
 * directory. The file must not be below a path that a container mounts, because root in a container passes that rule.
 */
export function loadChosen(path: string, mounts: readonly string[]): LoadedRulespec {
  const untrusted = untrustedDirectory(dirname(path)) ?? mountedFile(path, mounts);
  return untrusted === null ? loadRulespec(path, whyUntrusted) : { rulespec: null, findings: [untrusted], source: "" };
}

function mountedFile(path: string, mounts: readonly string[]): Finding | null {
  const real = realPath(path);
  const mounted = mounts.map(realPath).find((mount) => real === mount || real.startsWith(mount.replace(/\/*$/, "/")));
  if (mounted === undefined) return null;
  return refusal(path, `${quote(path)} is below ${quote(mounted)}, which a container mounts`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // A missing file is refused when it is opened.
  }
}

function untrustedDirectory(dir: string): Finding | null {
  let message: string | null;
  try {
    const why = whyUntrusted(statSync(dir));
    message = why === null ? null : `directory ${quote(dir)} ${why}`;
  } catch (cause) {
    message = `cannot read directory ${quote(dir)}: ${reasonOf(cause)}`;
  }
  return message === null ? null : refusal(dir, message);
}

function refusal(path: string, message: string): Finding {
  return { code: "rulespec.file", severity: "error", message, place: placeAt(path) };
}

/** A text that changes when another file is chosen, or when the chosen file is written or replaced. */
export function fingerprintOf(source: RulespecSource, containerName: string): string {
  const chosen = chooseRulespec(source, containerName);
  return chosen.kind === "file" ? `${chosen.path} ${stateOf(chosen.path)}` : chosen.kind;
}

const MISSING = "missing";

function stateOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch (cause) {
    return isMissing(cause) ? MISSING : `unreadable: ${reasonOf(cause)}`;
  }
}

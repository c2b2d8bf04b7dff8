// The requests in documents: a decision, a rule, and a command of outcall-agent or a context of the host API.
import { contextOf } from "../../../src/action/request-context.ts";
import type { PermissionBody } from "../../../src/wire/agent-api.ts";
import { splitWords } from "../../golden/script.ts";

/** One line of a block of requests. */
type DocumentRequest = {
  readonly decision: "allow" | "block";
  /** The rule that decides; null for the default block. */
  readonly rule: string | null;
  /** The request, as written in the document. */
  readonly words: string;
};

/** Reads a block; a malformed line is an error. */
export function readRequests(text: string): readonly DocumentRequest[] {
  return text.trimEnd().split("\n").map((line) => {
    const { decision, rule, words } = /^(?<decision>allow|block) +(?<rule>\S+) +(?<words>\S.*)$/.exec(line)?.groups ??
      {};
    if (decision !== "allow" && decision !== "block") throw new Error(`no request: ${line}`);
    return { decision, rule: rule === "-" ? null : rule ?? null, words: words ?? "" };
  });
}

/** The members that the host adds to an agent's request, for an ordinary container. */
const HOST_KNOWS = {
  agent: { id: "a".repeat(64), name: "box", image: "box:1", labels: {} },
  envelope: { verified: false, outcome: "none", age_seconds: Number.MAX_SAFE_INTEGER, facts: {} },
};

/** The context of a request: a context unchanged, a command of outcall-agent as the daemon reads it. A refused request fails. */
export function contextOfWords(words: string): unknown {
  const context = judgedContext(words);
  if (context === null) throw new Error(`the daemon refuses ${words}`);
  return context;
}

/** The context of a request, or null if the daemon refuses the request without judging it. */
export function judgedContext(words: string): unknown {
  if (words.startsWith("{")) return JSON.parse(words);
  const context = contextOf(bodyOf(splitWords(words)));
  return context.ok ? { ...context.value, ...HOST_KNOWS } : null;
}

/** The body that outcall-agent would send. */
function bodyOf([command = "", ...words]: readonly string[]): PermissionBody {
  const [first = "", ...rest] = words;
  if (command === "exec") {
    return { action_type: "tool_exec", target: first, metadata: { argv: rest, cwd: "/workspace" } };
  }
  if (command === "shell") return { action_type: "shell_exec", target: first, metadata: { cwd: "/workspace" } };
  if (command !== "check") throw new Error(`no command of outcall-agent: ${command}`);
  return checkBody(words);
}

function checkBody(words: readonly string[]): PermissionBody {
  const flags = new Map<string, string[]>();
  for (let at = 0; at < words.length; at += 2) {
    const [flag = "", value = ""] = words.slice(at);
    if (!["--type", "--target", "--meta"].includes(flag)) throw new Error(`no flag of check: ${flag}`);
    flags.set(flag, [...(flags.get(flag) ?? []), value]);
  }
  const metadata: Record<string, string | string[]> = {};
  for (const each of flags.get("--meta") ?? []) {
    const [key = "", value = ""] = each.split(/=(.*)/s);
    const before = metadata[key];
    metadata[key] = before === undefined && key !== "argv" ? value : [...[before ?? []].flat(), value];
  }
  return { action_type: flags.get("--type")?.[0] ?? "", target: flags.get("--target")?.[0] ?? "", metadata };
}

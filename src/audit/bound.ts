// A redacted value -> one whose JSON text is within a limit: longer texts are cut, with their length and SHA-256, and so are
// the ends of long lists and objects.
import { Buffer } from "node:buffer";
import { NAMESPACES } from "../core/context.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { invariant } from "../core/invariant.ts";
import { cutMark } from "./placeholder.ts";

/** How long texts, and how many members of a list or object, are kept whole; the first of these that fits is taken. */
const STEPS: readonly { readonly characters: number; readonly members: number }[] = [
  { characters: 1_024, members: 128 },
  { characters: 512, members: 64 },
  { characters: 256, members: 32 },
  { characters: 128, members: 16 },
  { characters: 64, members: 8 },
  { characters: 32, members: 2 },
  { characters: 0, members: 0 },
];

/** Bytes of a value as JSON. */
export function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The object, cut where its JSON text is over the limit; its members themselves all stay. */
export function boundObject(value: JsonObject, limitBytes: number): JsonObject {
  if (jsonBytes(value) <= limitBytes) return value;
  for (const step of STEPS) {
    const cut = mapValues(value, (member, name) => {
      return isJsonObject(member) && name !== "metadata" ? cutNamespace(member, step) : cutValue(member, step);
    });
    if (jsonBytes(cut) <= limitBytes) return cut;
  }
  // More members than any context has: what they are does not fit, so only that they were there.
  const whole = { cut: cutMark(JSON.stringify(value)) };
  invariant(jsonBytes(whole) <= limitBytes, "a cut mark fits into a record");
  return whole;
}

/** A text, cut after so many characters. */
export function boundText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Not between the halves of a pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return `${text.slice(0, end)}${cutMark(text)}`;
}

type Step = (typeof STEPS)[number];

function cutValue(value: Json, step: Step): Json {
  if (typeof value === "string") return boundText(value, step.characters);
  if (isJsonList(value)) return cutList(value, step);
  return isJsonObject(value) ? cutMembers(value, step.members, step) : value;
}

function cutList(list: readonly Json[], step: Step): readonly Json[] {
  const kept = list.slice(0, step.members).map((member) => cutValue(member, step));
  if (list.length <= step.members) return kept;
  return [...kept, cutMark(JSON.stringify(list.slice(step.members)))];
}

// The namespaces of a context have few members, whose names stay; maps of names, as metadata, may have any number.
function cutNamespace(members: JsonObject, step: Step): JsonObject {
  return cutMembers(members, Math.max(step.members, NAMESPACE_MEMBERS), step);
}

/** The most members that a namespace has. */
const NAMESPACE_MEMBERS = Math.max(...Object.values(NAMESPACES).map((members) => Object.keys(members).length));

function cutMembers(members: JsonObject, limit: number, step: Step): JsonObject {
  const entries = Object.entries(members);
  const kept = entries.slice(0, limit).map(([name, value]) => {
    return [boundText(name, NAME_CHARACTERS), cutValue(value, step)] as const;
  });
  if (entries.length <= limit) return Object.fromEntries(kept);
  const rest = JSON.stringify(Object.fromEntries(entries.slice(limit)));
  return Object.fromEntries([...kept, ["cut", cutMark(rest)]]);
}

/** Longest name that stays whole: longer than any of ours. */
const NAME_CHARACTERS = 32;

function mapValues(value: JsonObject, change: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

// A redacted value -> a value whose JSON text is within a limit. Long texts, lists and objects are cut; a mark says how long
// the whole was, with its SHA-256.
import { Buffer } from "node:buffer";
import { NAMESPACES } from "../core/context.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { invariant } from "../core/invariant.ts";
import { cutMark } from "./placeholder.ts";

/** How many characters of a text and how many members of a list or object are kept. The first step that fits is taken. */
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

/** The object, cut where its JSON text is over the limit. The names of its members stay. */
export function boundObject(value: JsonObject, limitBytes: number): JsonObject {
  if (jsonBytes(value) <= limitBytes) return value;
  for (const step of STEPS) {
    const cut = mapValues(value, (member, name) => {
      return isJsonObject(member) && name !== "metadata" ? cutNamespace(member, step) : cutValue(member, step);
    });
    if (jsonBytes(cut) <= limitBytes) return cut;
  }
  // The names of the members alone are over the limit, so only one mark for all of them is kept.
  const whole = { cut: cutMark(JSON.stringify(value)) };
  invariant(jsonBytes(whole) <= limitBytes, "a cut mark fits into a record");
  return whole;
}

/** A text, cut after so many characters. */
export function boundText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Never between the halves of a surrogate pair.
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

// A namespace has few members, and all their names stay. A map such as metadata can have any number.
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

/** Longest name that is kept whole. All names of members are shorter. */
const NAME_CHARACTERS = 32;

function mapValues(value: JsonObject, change: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

// Value -> canonical JSON text: two values have the same text exactly if they are equal. The order of members and the spelling
// of numbers do not count. Digests and stamps cover this text.

/** Writes a value as JSON without white space, with members sorted by code unit and undefined members left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  // Plain loops, because this runs for every decision.
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

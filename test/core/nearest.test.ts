// Suggests the known name that is most similar to a wrong one.
import { expect, test } from "bun:test";
import { didYouMean, nearestName } from "../../src/core/nearest.ts";

const KNOWN = ["id", "condition", "action", "log", "description", "priority", "hostname", "check", "checkin"];

test.each([
  { note: "a slip", name: "conditon", nearest: "condition" },
  { note: "another case", name: "Action", nearest: "action" },
  { note: "a longer form", name: "logging", nearest: "log" },
  { note: "an abbreviation", name: "desc", nearest: "description" },
  { note: "one slip is nearer than a stem", name: "checkinn", nearest: "checkin" },
  { note: "two letters are no abbreviation", name: "ho", nearest: undefined },
  { note: "two letters swapped", name: "hsotname", nearest: "hostname" },
  { note: "one slip in a short name", name: "lgo", nearest: "log" },
  { note: "two slips in a short name are another name", name: "lbx", nearest: undefined },
  { note: "three slips in a name of eight letters are another name", name: "hixxname", nearest: undefined },
  { note: "nothing alike", name: "zzzzzz", nearest: undefined },
  { note: "far too long", name: "condition".repeat(20), nearest: undefined },
])("nearestName: $note", ({ name, nearest }) => {
  expect(nearestName(name, KNOWN) ?? "none").toBe(nearest ?? "none");
});

test("didYouMean gives a question, or nothing", () => {
  expect(didYouMean("hostnam", KNOWN)).toBe('did you mean "hostname"?');
  expect(didYouMean("zzzzzz", KNOWN)).toBeUndefined();
});

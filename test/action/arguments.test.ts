import { expect, test } from "bun:test";
import { ARGUMENT_COUNT_LIMIT, checkArguments, sortArguments } from "../../src/action/arguments.ts";
import { CASES, Random, SEED } from "./random.ts";

test("sortArguments loses no argument, keeps the order, and keeps flags a bounded list", () => {
  const random = new Random(SEED);
  const pieces = ["-", "--", "a", "f", "=", "é", " ", "/", "-uf"] as const;
  for (let round = 0; round < CASES; round++) {
    const argv = Array.from({ length: random.below(8) }, () => random.text(pieces, 4));
    const about = `seed ${SEED}, round ${round}: ${JSON.stringify(argv)}`;
    const { args, flags } = sortArguments(argv);
    const end = argv.indexOf("--");
    const isTypedFlag = (argument: string, index: number) =>
      (end === -1 || index < end) && argument.startsWith("-") && argument !== "-";
    const typed = argv.filter(isTypedFlag);
    expect(args, about).toEqual(argv.filter((argument, index) => !isTypedFlag(argument, index) && index !== end));
    expect(typed.filter((flag) => !flags.includes(flag)), about).toEqual([]);
    expect(flags.every((flag) => flag.startsWith("-") && flag !== "-" && flag !== "--"), about).toBe(true);
  }
});

test("sortArguments makes of the largest vector of clusters a short list", () => {
  const letters = Array.from({ length: 93 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
  const argv = Array.from({ length: 700 }, (_, index) => `-${index}${letters.replaceAll("=", "")}`.slice(0, 93));
  expect(checkArguments(argv).ok).toBe(true);
  expect(sortArguments(argv).flags.length).toBeLessThanOrEqual(argv.length + 94);
});

test("checkArguments takes as many as the limit and no more", () => {
  expect(checkArguments(Array.from({ length: ARGUMENT_COUNT_LIMIT }, () => "")).ok).toBe(true);
  expect(checkArguments(Array.from({ length: ARGUMENT_COUNT_LIMIT + 1 }, () => "")).ok).toBe(false);
});

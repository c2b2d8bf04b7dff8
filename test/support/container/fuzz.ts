// Random inputs for parsers of foreign bytes: pieces of valid inputs, cut and mixed. The seed is printed, and
// OUTCALL_FUZZ_SEED repeats a run.

/** The number of inputs per test; OUTCALL_FUZZ_CASES sets it. */
const FUZZ_CASES = Number(process.env["OUTCALL_FUZZ_CASES"] ?? "1000");

/** The seed of this run. */
export const FUZZ_SEED = Number(process.env["OUTCALL_FUZZ_SEED"] ?? Math.floor(Math.random() * 0x7fffffff));

/** Calls the parser with random mixtures of the samples. An exception fails the test, with the input that caused it. */
export function fuzzTexts(samples: readonly string[], parse: (text: string) => unknown): void {
  const random = mulberry(FUZZ_SEED);
  const pick = (text: readonly string[]): string => text[Math.floor(random() * text.length)] ?? "";
  for (let round = 0; round < FUZZ_CASES; round++) {
    let text = pick(samples);
    const edits = Math.floor(random() * 6);
    for (let edit = 0; edit < edits; edit++) {
      const at = Math.floor(random() * (text.length + 1));
      const other = pick(samples);
      const piece = random() < 0.5
        ? other.slice(Math.floor(random() * other.length), Math.floor(random() * other.length))
        : String.fromCharCode(Math.floor(random() * 256)).repeat(1 + Math.floor(random() * 3));
      text = text.slice(0, at) + piece + text.slice(at + Math.floor(random() * 8));
    }
    try {
      parse(text);
    } catch (cause) {
      throw new Error(`seed ${FUZZ_SEED}, text ${JSON.stringify(text)}`, { cause });
    }
  }
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// LateLines writes lines in order and in batches, urgent ones at once, and loses none.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { LATE_LINES, LateLines } from "../../src/log/late-lines.ts";

function start() {
  const written: string[] = [];
  const lines = new LateLines((text) => void written.push(text));
  const note = (text: string, isUrgent = false) => lines.note(() => lines.line(`${text}\n`), isUrgent);
  return { written, lines, note };
}

test("lines wait and are written together, in order", () => {
  const { written, lines, note } = start();
  note("a");
  note("b");
  expect(written).toEqual([]);
  lines.flush();
  expect(written).toEqual(["a\nb\n"]);
});

test("they are written in a moment by themselves", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const lines = new LateLines(resolve);
  lines.note(() => lines.line("a\n"), false);
  expect(await promise).toBe("a\n");
});

test("an urgent line is written at once, after the waiting ones", () => {
  const { written, note } = start();
  note("a");
  note("b", true);
  expect(written).toEqual(["a\nb\n"]);
});

test("lines wait up to the limit, and one more writes them all", () => {
  const { written, note } = start();
  for (let count = 1; count < LATE_LINES; count++) note("x");
  expect(written).toEqual([]);
  note("x");
  expect(written).toEqual(["x\n".repeat(LATE_LINES)]);
});

test("a single line is written at once, and without waiting lines nothing is written", () => {
  const { written, lines } = start();
  lines.flush();
  lines.line("a\n");
  expect(written).toEqual(["a\n"]);
});

test("waiting lines are written when the process ends", () => {
  const module = `${import.meta.dir}/../../src/log/late-lines.ts`;
  const program = `import { LateLines } from ${JSON.stringify(module)};
    const lines = new LateLines((text) => process.stdout.write(text));
    lines.note(() => lines.line("last"), false);
    process.exit(3);`;
  const { status, stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 3, stdout: "last" });
});

// `bun run picture [file|-]`: draws docs/demo.svg, the terminal in README.md, from the output of `./scripts/demo`. The
// demo is run, or its recorded output is read from a file or from standard input.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, runMain } from "./failure.ts";
import { drawTerminal } from "./picture/draw-terminal.ts";
import { pictureLines } from "./picture/picture-lines.ts";
import { PROJECT } from "./project.ts";

const DEMO_TIMEOUT_MS = 600_000;
const PICTURE = join(PROJECT, "docs", "demo.svg");

await runMain(() => {
  const [source] = process.argv.slice(2);
  const output = source === undefined ? runDemo() : readFileSync(source === "-" ? 0 : source, "utf8");
  writeFileSync(PICTURE, drawTerminal(pictureLines(output)));
  console.log("wrote docs/demo.svg");
  return 0;
});

// Standard error is included, in the order in which a terminal would show it.
function runDemo(): string {
  const command = ["-c", "./scripts/demo 2>&1"];
  const done = spawnSync("sh", command, { cwd: PROJECT, encoding: "utf8", timeout: DEMO_TIMEOUT_MS });
  return done.status === 0
    ? done.stdout
    : fail(`./scripts/demo failed with exit status ${done.status}: ${done.stdout}`);
}

// The demo of README.md with the built programs: all its results are as expected, and the picture shows its present
// output.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pictureLines } from "../../scripts/picture/picture-lines.ts";
import { IS_ROOT, missingProgram, requirement, ROOT } from "../support/container/container.ts";
import { missingUserNamespaces } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const { label, skip } = requirement(
  "the demo",
  missingProgram("git"),
  missingProgram("unshare"),
  IS_ROOT ? undefined : missingUserNamespaces(),
);

/** The lines of text in the picture. */
function linesOfPicture(): readonly string[] {
  const svg = readFileSync(join(ROOT, "docs", "demo.svg"), "utf8");
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = ""]) =>
    line.replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll(
        "&amp;",
        "&",
      )
  );
}

describe.skipIf(skip)(label, () => {
  test("every result is as expected, and docs/demo.svg shows this demo; `bun run picture` redraws it", () => {
    const environment = { ...process.env, OUTCALL_DEMO_PROGRAMS: dirname(program("outcall")[0] ?? "") };
    const done = spawnSync("sh", ["-c", "./scripts/demo 2>&1"], { cwd: ROOT, env: environment, encoding: "utf8" });
    expect({ status: done.status, output: done.stdout }).toMatchObject({ status: 0 });
    const printed = pictureLines(done.stdout).filter((line) => line.length > 0)
      .map((line) => line.map(({ text }) => text).join(""));
    // The order of the two output streams of a container is not defined.
    expect(linesOfPicture().toSorted()).toEqual(printed.toSorted());
    expect(linesOfPicture()[0]).toBe("$ ./scripts/demo");
  });
});

// The three built programs as files: static, and without a trace of the machine that built them.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DIST, PROGRAMS, PROJECT } from "../../scripts/project.ts";
import { readElf, SEGMENT } from "../../scripts/static-relink/elf.ts";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";

const canLinkStatically = findStaticLibc(hostMachine()) !== undefined;

describe.each([...PROGRAMS])("dist/%s", (program) => {
  test.skipIf(!canLinkStatically)("is static", () => {
    const types = readElf(readFileSync(join(DIST, program))).headers.map(({ type }) => type);
    expect(types).toContain(SEGMENT.load);
    expect(types).not.toContain(SEGMENT.interpreter);
    expect(types).not.toContain(SEGMENT.dynamic);
  });

  test("holds no path of the place where it was built", () => {
    const bytes = readFileSync(join(DIST, program));
    for (const directory of ["src", "node_modules", "dist"]) {
      expect(bytes.includes(join(PROJECT, directory, "/"))).toBe(false);
    }
  });
});

// The third-party packages in each program. A new one shows up in a diff of `binary-packages.json`.
import { expect, test } from "bun:test";
import { bundledPackages } from "../../scripts/bundled-packages.ts";
import { entryOf, PROGRAMS } from "../../scripts/project.ts";
import listed from "./binary-packages.json" with { type: "json" };

for (const program of PROGRAMS) {
  test(`${program} contains the packages listed for it`, () => {
    expect(bundledPackages(entryOf(program))).toEqual(listed[program]);
  });
}

// `bun run reference`: writes the reference pages in `docs/reference` from the code that they describe.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runMain } from "./failure.ts";
import { PROJECT } from "./project.ts";
import { referenceFiles } from "./reference/documents.ts";

/** The directory of the pages. */
export const REFERENCE = join(PROJECT, "docs", "reference");

if (import.meta.main) {
  await runMain(() => {
    const files = referenceFiles();
    mkdirSync(REFERENCE, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(REFERENCE, name), text);
    console.log(`wrote ${files.size} files to ${relative(PROJECT, REFERENCE)}`);
    return 0;
  });
}

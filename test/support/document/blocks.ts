// A document -> its blocks of commands and settings, for a test that runs them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../container/container.ts";

/** The blocks of commands by heading and position, such as `install-2.sh`, and of settings, such as `the-unit.ini`. */
export function documentBlocks(path: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, path), "utf8");
  const blocks = new Map<string, string>();
  for (const section of text.split(/^## /m).slice(1)) {
    const heading = (section.split("\n")[0] ?? "").toLowerCase().replaceAll(" ", "-");
    const commands = [...section.matchAll(/^```sh\n(.*?)^```/gms)];
    for (const [at, [, block = ""]] of commands.entries()) blocks.set(`${heading}-${at + 1}.sh`, block);
    const [, settings] = /^```ini\n(.*?)^```/ms.exec(section) ?? [];
    if (settings !== undefined) blocks.set(`${heading}.ini`, settings);
  }
  return blocks;
}

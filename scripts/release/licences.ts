// Components -> the licence files of an archive: THIRD-PARTY-LICENSES, which has every component, and a folder with the
// long texts that it refers to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Component, sha256 } from "./components.ts";
import { RUNTIME_PARTS } from "./runtime-parts.ts";

// These files exist on every Debian system (package base-files).
const COMMON = "/usr/share/common-licenses";
const COMMON_TEXTS = ["Apache-2.0", "BSD", "GPL-3", "LGPL-2", "LGPL-2.1"] as const;

/** In characters: longer licence texts get a file of their own. */
const LONG = 12_000;

const INTRODUCTION =
  `What the programs outcalld, outcall and outcall-agent contain that others made, and under which terms.
Outcall itself is under the Apache License 2.0, see LICENSE.

The programs are static: they carry the runtime Bun, with JavaScriptCore of WebKit in it, and the GNU C Library. WebKit and
TinyCC in Bun and the GNU C Library are under the GNU Lesser General Public License. It asks that whoever gets the programs
can change these libraries and make the programs anew with them. You can: all of Outcall is source under the Apache License,
and \`bun run build\` in it links the libc.a that it finds on the machine, and compiles with the Bun that it is run with, so a
changed library takes no more than an installed one (Bun's source says how it is built with another WebKit). Nothing in
Outcall's terms forbids to change the programs for your own use or to take them apart to mend such changes. The source of the
libraries is at the places named below: for Debian's packages that is the source package of exactly the version named, which
Debian keeps, also of past versions.
`;

/** The licence files by their path in the archive. */
export function licenceFiles(components: readonly Component[]): ReadonlyMap<string, string> {
  const files = new Map(COMMON_TEXTS.map((name) => [`licenses/${name}.txt`, readFileSync(join(COMMON, name), "utf8")]));
  const sections = components.map((component) => sectionOf(component, files));
  files.set("THIRD-PARTY-LICENSES", [INTRODUCTION, ...sections].join("\n"));
  return files;
}

function sectionOf(component: Component, files: Map<string, string>): string {
  const { name, version, licence, purl, programs, text } = component;
  const heading = [
    "=".repeat(100),
    `${name} ${version}`,
    `licence:  ${licence}`,
    `package:  ${purl}`,
    `part of:  ${programs.join(", ")}`,
    ...sourceLines(component),
    "",
  ];
  if (text.length <= LONG) return [...heading, text.trim(), ""].join("\n");
  const path = `licenses/${name}.txt`;
  if (files.has(path)) throw new Error(`two texts for "${path}"`);
  files.set(path, text);
  return [...heading, `Its whole text, with all notices, is ${path} (SHA-256 ${sha256(text)}).`, ""].join("\n");
}

function sourceLines({ name, purl }: Component): readonly string[] {
  const source = /upstream=(.*)$/.exec(purl)?.[1];
  if (source !== undefined) {
    return [`source:   Debian's source package ${source}; terms in full: licenses/LGPL-2.1.txt, licenses/GPL-3.txt`];
  }
  return name === "bun" ? ["source:   https://github.com/oven-sh/bun"] : [];
}

/** The licence text of the runtime: its own licence is MIT; each of its parts is listed with its licence and source. */
export function runtimeText(version: string): string {
  const rows = RUNTIME_PARTS.flatMap(({ name, licence, source, version }) => {
    return [`  ${name}${version === undefined ? "" : ` ${version}`}`, `    ${licence}, ${source}`];
  });
  return `Bun is under the MIT licence:

${MIT}

Version ${version} contains, as the runtime and the file LICENSE.md of its source tell, the following, each with its notices
at the place named. Of LGPL-2.0 and LGPL-2.1, Apache-2.0 and BSD the whole terms are in the folder licenses. What is under LGPL can be changed and Bun built
anew with it, as the file LICENSE.md of its source says; JavaScriptCore as Bun changed it is at the place named.

${rows.join("\n")}`;
}

const MIT =
  `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

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
  `This file lists the third-party components in the programs outcalld, outcall and outcall-agent, with their licences.
Outcall itself is licensed under the Apache License 2.0; see LICENSE.

The programs are linked statically. They contain the Bun runtime, which includes JavaScriptCore from WebKit, and the GNU C
Library. The GNU C Library, WebKit and TinyCC (a part of Bun) are licensed under the GNU Lesser General Public License. That
licence gives every recipient of the programs the right to modify these libraries and to relink the programs with them. You
can do so: the complete source of Outcall is available under the Apache License. \`bun run build\` links the libc.a of your
machine and compiles with the Bun that runs it, so installing a modified library is enough. (Bun's source explains how to
build it with another WebKit.) Outcall's terms do not restrict modifying the programs for your own use, or reverse
engineering for debugging such modifications. The source of the libraries is available at the places named below. For
Debian's packages, it is the source package of exactly the named version; Debian archives past versions too.
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
  return [...heading, `The complete licence text, with all notices, is in ${path} (SHA-256 ${sha256(text)}).`, ""].join(
    "\n",
  );
}

function sourceLines({ name, purl }: Component): readonly string[] {
  const source = /upstream=(.*)$/.exec(purl)?.[1];
  if (source !== undefined) {
    return [`source:   Debian's source package ${source}; licence texts: licenses/LGPL-2.1.txt, licenses/GPL-3.txt`];
  }
  return name === "bun" ? ["source:   https://github.com/oven-sh/bun"] : [];
}

/** The licence text of the runtime: its own licence is MIT; each of its parts is listed with its licence and source. */
export function runtimeText(version: string): string {
  const rows = RUNTIME_PARTS.flatMap(({ name, licence, source, version }) => {
    return [`  ${name}${version === undefined ? "" : ` ${version}`}`, `    ${licence}, ${source}`];
  });
  return `Bun is licensed under the MIT licence:

${MIT}

According to the runtime and to the file LICENSE.md of its source, version ${version} contains the parts below. The notices of
each part are at the address next to it. The complete texts of LGPL-2.0, LGPL-2.1, Apache-2.0 and BSD are in the folder
licenses. The parts under the LGPL can be modified, and Bun can be rebuilt with them, as LICENSE.md explains. The
source of JavaScriptCore, with Bun's changes, is at the address in the list.

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

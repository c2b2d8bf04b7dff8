// The parts of the runtime: the libraries whose versions it reports (`process.versions`), and those that only the
// licence file of its source lists. The runtime's package lists neither. Compare this table with that file whenever the
// runtime's version changes.
import { versions } from "node:process";

/** A part of the runtime. */
export type RuntimePart = {
  readonly name: string;
  /** An SPDX expression. */
  readonly licence: string;
  readonly source: string;
  /** A version or a commit, if the runtime reports one. */
  readonly version: string | undefined;
};

/** The version of the runtime for which this list was last checked. */
export const LISTED_FOR = "1.4.5";

type Row = readonly [name: string, licence: string, source: string, versionKey?: string];

const GITHUB = "https://github.com/";

// These are the runtime's packages for browsers, which are never part of the programs.
const ROWS: readonly Row[] = [
  ["JavaScriptCore and WebKit", "LGPL-2.0-or-later", `${GITHUB}oven-sh/WebKit`, "webkit"],
  ["BoringSSL", "Apache-2.0 AND OpenSSL AND ISC AND MIT", `${GITHUB}google/boringssl`, "boringssl"],
  ["brotli", "MIT", `${GITHUB}google/brotli`],
  ["libarchive", "BSD-2-Clause", `${GITHUB}libarchive/libarchive`, "libarchive"],
  ["lol-html", "BSD-3-Clause", `${GITHUB}cloudflare/lol-html`, "lolhtml"],
  ["ls-hpack", "MIT", `${GITHUB}litespeedtech/ls-hpack`, "lshpack"],
  ["ls-qpack", "MIT", `${GITHUB}litespeedtech/ls-qpack`],
  ["lsquic", "MIT AND BSD-3-Clause", `${GITHUB}litespeedtech/lsquic`],
  ["mimalloc", "MIT", `${GITHUB}microsoft/mimalloc`, "mimalloc"],
  ["picohttpparser", "MIT", `${GITHUB}h2o/picohttpparser`, "picohttpparser"],
  ["zstd", "BSD-3-Clause", `${GITHUB}facebook/zstd`, "zstd"],
  ["simdutf", "Apache-2.0", `${GITHUB}simdutf/simdutf`],
  ["TinyCC", "LGPL-2.1-or-later", `${GITHUB}tinycc/tinycc`, "tinycc"],
  ["uSockets", "Apache-2.0", `${GITHUB}uNetworking/uSockets`],
  ["uWebSockets", "Apache-2.0", `${GITHUB}jarred-sumner/uwebsockets`],
  ["zlib-ng", "Zlib", `${GITHUB}zlib-ng/zlib-ng`, "zlib"],
  ["c-ares", "MIT", `${GITHUB}c-ares/c-ares`, "ares"],
  ["ICU", "Unicode-3.0", `${GITHUB}unicode-org/icu`, "icu"],
  ["base64", "BSD-2-Clause", `${GITHUB}aklomp/base64`],
  ["libdeflate", "MIT", `${GITHUB}ebiggers/libdeflate`, "libdeflate"],
  ["libjpeg-turbo", "BSD-3-Clause AND IJG AND Zlib", `${GITHUB}libjpeg-turbo/libjpeg-turbo`],
  ["libspng", "BSD-2-Clause", `${GITHUB}randy408/libspng`],
  ["libwebp", "BSD-3-Clause", `${GITHUB}webmproject/libwebp`],
  ["highway", "Apache-2.0", `${GITHUB}google/highway`],
  ["uucode", "MIT", `${GITHUB}jacobsandlund/uucode`],
  ["SQLite", "blessing", "https://sqlite.org/src", "sqlite"],
  ["libc++abi (parts)", "Apache-2.0 WITH LLVM-exception", `${GITHUB}llvm/llvm-project`],
  ["TigerBeetle (parts)", "Apache-2.0", `${GITHUB}tigerbeetle/tigerbeetle`],
  ["esbuild (ported parts)", "MIT", `${GITHUB}evanw/esbuild`],
  ["llhttp", "MIT", `${GITHUB}nodejs/llhttp`, "llhttp"],
  ["Zig (standard library)", "MIT", `${GITHUB}oven-sh/zig`, "zig"],
];

/** The parts of the runtime that runs this script. */
export const RUNTIME_PARTS: readonly RuntimePart[] = ROWS.map(([name, licence, source, versionKey]) => {
  return { name, licence, source, version: versionKey === undefined ? undefined : versions[versionKey] };
});

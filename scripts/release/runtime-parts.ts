// What the runtime contains, by its own account (the file LICENSE.md of its source), since its package does not say.
// To be held against that file whenever the runtime's version changes.

/** A part of the runtime. */
export type RuntimePart = { readonly name: string; readonly licence: string; readonly source: string };

/** The version of the runtime that this list was made for. */
export const LISTED_FOR = "1.4.5";

const github = (path: string) => `https://github.com/${path}`;

/** The libraries and the code of others in it; the packages that it brings for browsers are never part of our programs. */
export const RUNTIME_PARTS: readonly RuntimePart[] = [
  { name: "JavaScriptCore and WebKit", licence: "LGPL-2.0-or-later", source: github("oven-sh/WebKit") },
  { name: "BoringSSL", licence: "Apache-2.0 AND OpenSSL AND ISC AND MIT", source: github("google/boringssl") },
  { name: "brotli", licence: "MIT", source: github("google/brotli") },
  { name: "libarchive", licence: "BSD-2-Clause", source: github("libarchive/libarchive") },
  { name: "lol-html", licence: "BSD-3-Clause", source: github("cloudflare/lol-html") },
  { name: "ls-hpack", licence: "MIT", source: github("litespeedtech/ls-hpack") },
  { name: "ls-qpack", licence: "MIT", source: github("litespeedtech/ls-qpack") },
  { name: "lsquic", licence: "MIT AND BSD-3-Clause", source: github("litespeedtech/lsquic") },
  { name: "mimalloc", licence: "MIT", source: github("microsoft/mimalloc") },
  { name: "picohttpparser", licence: "MIT", source: github("h2o/picohttpparser") },
  { name: "zstd", licence: "BSD-3-Clause", source: github("facebook/zstd") },
  { name: "simdutf", licence: "Apache-2.0", source: github("simdutf/simdutf") },
  { name: "TinyCC", licence: "LGPL-2.1-or-later", source: github("tinycc/tinycc") },
  { name: "uSockets", licence: "Apache-2.0", source: github("uNetworking/uSockets") },
  { name: "uWebSockets", licence: "Apache-2.0", source: github("jarred-sumner/uwebsockets") },
  { name: "zlib-ng", licence: "Zlib", source: github("zlib-ng/zlib-ng") },
  { name: "c-ares", licence: "MIT", source: github("c-ares/c-ares") },
  { name: "ICU", licence: "Unicode-3.0", source: github("unicode-org/icu") },
  { name: "base64", licence: "BSD-2-Clause", source: github("aklomp/base64") },
  { name: "libdeflate", licence: "MIT", source: github("ebiggers/libdeflate") },
  {
    name: "libjpeg-turbo",
    licence: "BSD-3-Clause AND IJG AND Zlib",
    source: github("libjpeg-turbo/libjpeg-turbo"),
  },
  { name: "libspng", licence: "BSD-2-Clause", source: github("randy408/libspng") },
  { name: "libwebp", licence: "BSD-3-Clause", source: github("webmproject/libwebp") },
  { name: "highway", licence: "Apache-2.0", source: github("google/highway") },
  { name: "uucode", licence: "MIT", source: github("jacobsandlund/uucode") },
  { name: "SQLite", licence: "blessing", source: "https://sqlite.org/src" },
  { name: "libc++abi (parts)", licence: "Apache-2.0 WITH LLVM-exception", source: github("llvm/llvm-project") },
  { name: "TigerBeetle (parts)", licence: "Apache-2.0", source: github("tigerbeetle/tigerbeetle") },
  { name: "esbuild (ported parts)", licence: "MIT", source: github("evanw/esbuild") },
];

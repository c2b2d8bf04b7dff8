// The only file that calls libc, for the few calls that neither Bun nor Deno offers: `bun:ffi` under Bun, `Deno.dlopen` under
// Deno. Neither is imported by name, so that each type checker passes without the other's types. The names of the calls are
// written in full because a static build looks them up in a table of names.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The calls of libc that the product needs; each returns -1 if the kernel refuses. */
export type Libc = {
  /** getsockopt(2): fills `value`; `length` is a native-endian u32, read and written. */
  readonly getsockopt: (fd: number, level: number, name: number, value: Uint8Array, length: Uint8Array) => number;
  /** socketpair(2): fills `fds` with two descriptors. */
  readonly socketpair: (domain: number, type: number, protocol: number, fds: Uint8Array) => number;
  /** poll(2) over `count` structures of eight bytes. */
  readonly poll: (fds: Uint8Array, count: bigint, timeoutMs: number) => number;
  /** open(2) of a path that ends in a zero byte. */
  readonly open: (path: Uint8Array, flags: number) => number;
  /** flock(2). */
  readonly flock: (fd: number, operation: number) => number;
  /** ioctl(2) of requests that take no argument. */
  readonly ioctl: (fd: number, request: bigint) => number;
  /** socket(2). */
  readonly socket: (domain: number, type: number, protocol: number) => number;
  /** sendto(2): returns the number of bytes sent; an empty address means the peer of the socket. */
  readonly sendto: (
    fd: number,
    data: Uint8Array,
    length: bigint,
    flags: number,
    address: Uint8Array,
    addressLength: number,
  ) => number;
  /** recv(2): fills `data` and returns the number of bytes received. */
  readonly recv: (fd: number, data: Uint8Array, length: bigint, flags: number) => number;
  /** close(2). */
  readonly close: (fd: number) => number;
};

type ArgumentType = "i32" | "u64" | "buffer";
type Signatures = { readonly [Name in keyof Libc]: readonly ArgumentType[] };

const LIBRARY = "libc.so.6";
const SIGNATURES: Signatures = {
  getsockopt: ["i32", "i32", "i32", "buffer", "buffer"],
  socketpair: ["i32", "i32", "i32", "buffer"],
  poll: ["buffer", "u64", "i32"],
  open: ["buffer", "i32"],
  flock: ["i32", "i32"],
  ioctl: ["i32", "u64"],
  socket: ["i32", "i32", "i32"],
  sendto: ["i32", "buffer", "u64", "i32", "buffer", "i32"],
  recv: ["i32", "buffer", "u64", "i32"],
  close: ["i32"],
};

// The parts of the two runtimes that are used, with our own types.
type BunSymbol = { readonly args: readonly string[]; readonly returns: string };
type BunFfi = {
  readonly dlopen: (path: string, symbols: Record<string, BunSymbol>) => { readonly symbols: Libc };
};
type DenoSymbol = { readonly parameters: readonly string[]; readonly result: string };
type DenoFfi = {
  readonly dlopen: (path: string, symbols: Record<string, DenoSymbol>) => { readonly symbols: Libc };
};

const loaded: { libc?: Result<Libc, Problem> } = {};

/** Binds the calls at first use; a runtime that cannot bind them returns the same problem each time. */
export function libc(): Result<Libc, Problem> {
  loaded.libc ??= load();
  return loaded.libc;
}

function load(): Result<Libc, Problem> {
  const bun = process.getBuiltinModule("bun:ffi") as unknown as BunFfi | undefined;
  const deno = (globalThis as unknown as { readonly Deno?: DenoFfi }).Deno;
  try {
    if (bun !== undefined) return ok(bun.dlopen(LIBRARY, bunSymbols()).symbols);
    if (deno !== undefined) return ok(deno.dlopen(LIBRARY, denoSymbols()).symbols);
  } catch (cause) {
    return err(problem("peer.unidentified", "calls of libc cannot be bound", { cause }));
  }
  return err(problem("peer.unidentified", "this runtime has no way to call libc"));
}

function bunSymbols(): Record<string, BunSymbol> {
  const symbols = Object.entries(SIGNATURES).map(([name, types]) => {
    return [name, { args: types.map((type) => (type === "buffer" ? "ptr" : type)), returns: "i32" }] as const;
  });
  return Object.fromEntries(symbols);
}

function denoSymbols(): Record<string, DenoSymbol> {
  const symbols = Object.entries(SIGNATURES).map(([name, types]) => {
    return [name, { parameters: types, result: "i32" }] as const;
  });
  return Object.fromEntries(symbols);
}

// The differences between the machines that a static program can be built for.
import { fail } from "../failure.ts";
import type { Elf } from "./elf.ts";

/** A type of machine, as the relinker sees it. */
export type Machine = {
  readonly name: string;
  /** The compiler and the symbol lister for this machine. */
  readonly compiler: string;
  readonly symbolLister: string;
  /** The Debian packages that contain these tools and the static libc. */
  readonly packages: string;
  /**
   * The largest page size of its kernels in bytes: the addresses and file offsets of segments must be equal modulo
   * this.
   */
  readonly pageSize: number;
  /**
   * Relocation types: a variable copied into the program, the address of a symbol, and all types that write an address.
   */
  readonly copy: number;
  readonly globalData: number;
  readonly addressTypes: readonly number[];
  /** Whether the program's thread-local block comes first (arm64) or last (x64) in a process. */
  readonly programTlsFirst: boolean;
  /** The largest alignment of thread-local data that keeps the program's offsets valid. */
  readonly tlsAlignment: number;
};

/** x86-64: `R_X86_64_64`, `COPY`, `GLOB_DAT`, `JUMP_SLOT`; thread-local storage of variant II. */
export const X64: Machine = {
  name: "x64",
  compiler: "gcc",
  symbolLister: "nm",
  packages: "gcc libc6-dev",
  pageSize: 4096,
  copy: 5,
  globalData: 6,
  addressTypes: [1, 6, 7],
  programTlsFirst: false,
  tlsAlignment: 64,
};

/** AArch64: `R_AARCH64_ABS64`, `COPY`, `GLOB_DAT`, `JUMP_SLOT`; thread-local storage of variant I. */
export const ARM64: Machine = {
  name: "arm64",
  compiler: "aarch64-linux-gnu-gcc",
  symbolLister: "aarch64-linux-gnu-nm",
  packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
  pageSize: 65536,
  copy: 1024,
  globalData: 1025,
  addressTypes: [257, 1025, 1026],
  programTlsFirst: true,
  tlsAlignment: 16,
};

/** The machine that this process runs on, and that programs are built for by default. */
export function hostMachine(): Machine {
  return process.arch === "arm64" ? ARM64 : X64;
}

const MACHINES: ReadonlyMap<number, Machine> = new Map([[62, X64], [183, ARM64]]);

/** The machine that an executable is for; fails with its machine number if that is unknown. */
export function machineOf(elf: Elf): Machine {
  return MACHINES.get(elf.machine) ?? fail(`machine ${elf.machine} is neither x64 (62) nor arm64 (183)`);
}

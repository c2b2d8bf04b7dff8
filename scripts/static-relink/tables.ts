// Program -> the assembly text that binds it: the tables for glue.c, and the space for the program's thread-local data.
import { alignUp } from "./elf.ts";
import { type Program, START_FUNCTION } from "./program.ts";
import type { Start } from "./start.ts";

/** Symbols of the image that the relinker looks up after linking. */
export const SYMBOLS = {
  start: "static_start_main",
  programTls: "static_program_tls",
  joinedTls: "static_joined_tls",
} as const;

/** Room for the thread-local data of libc itself beside the program's, in bytes; glibc 2.36 needs under 300. */
export const LIBC_TLS_ROOM_BYTES = 4096;

/** Functions that are replaced by those of our C files. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  [START_FUNCTION, SYMBOLS.start],
  ["execve", "static_execve"],
  ["dlopen", "static_dlopen"],
  ["dlsym", "static_dlsym"],
  ["dlclose", "static_dlclose"],
  ["dlerror", "static_dlerror"],
  ["__xstat", "static_xstat"],
  ["__xstat64", "static_xstat"],
  ["__lxstat", "static_lxstat"],
  ["__lxstat64", "static_lxstat"],
  ["__fxstat", "static_fxstat"],
  ["__fxstat64", "static_fxstat"],
]);

// libc writes the environment through all three names, so all three must refer to the program's one variable.
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([["environ", ["environ", "_environ", "__environ"]]]);

const QUIET_ABORT: ReadonlyMap<string, string> = new Map([...REPLACED, ["abort", "static_abort"]]);

/** The size of the program's thread-local block in the static program, in bytes. */
export function programTlsSize(program: Program): number {
  // The last block ends at the thread pointer, so its size must be a multiple of its alignment.
  return program.machine.programTlsFirst ? program.tls.memorySize : alignUp(program.tls.memorySize, 16);
}

/** The tables that the C files declare; `names` are the functions that the program may look up by name. */
export function tablesText(program: Program, names: readonly string[], start: Start): string {
  const { finiArray, fini } = program;
  const { settings = [] } = start;
  const replaced = start.quietAbort ? QUIET_ABORT : REPLACED;
  const expressionOf = (target: string | number) =>
    typeof target === "number" ? String(target) : replaced.get(target) ?? target;
  return [
    ...program.copies.flatMap(({ name, address }) => (ALIASES.get(name) ?? [name]).map((alias) => [alias, address]))
      .map(([name, address]) => `.globl ${name}\n.set ${name}, ${address}`),
    ...program.optional.map((name) => `.weak ${name}`),
    `.section .data.rel.ro,"aw",%progbits\n.p2align 3`,
    ...label("static_program"),
    `.quad ${finiArray.address}, ${finiArray.count}, ${fini}`,
    ...label("static_slots"),
    ...program.slots.map(({ address, target, addend }) => `.quad ${address}, ${expressionOf(target)} + ${addend}`),
    ...label("static_slots_end"),
    ...label("static_names"),
    ...names.map((name, index) => `.quad name_${index}, ${expressionOf(name)}`),
    ...label("static_names_end"),
    ...label("static_variables"),
    ...start.variables.names.map((_, index) => `.quad variable_${index}`),
    `.quad 0`,
    ...label("static_variables_stay"),
    `.quad ${start.variables.kind === "keep" ? 1 : 0}`,
    ...label("static_settings"),
    ...settings.map((_, index) => `.quad setting_${index}`),
    `.quad 0`,
    ...label("static_unready_status"),
    `.quad ${start.unreadyStatus}`,
    `.section .rodata.static,"a",%progbits`,
    ...names.map((name, index) => `name_${index}: .asciz "${name}"`),
    ...start.variables.names.map((name, index) => `variable_${index}: .asciz "${name}"`),
    ...settings.map((setting, index) => `setting_${index}: .asciz "${setting}"`),
    ...label("static_program_name"),
    `.asciz "${start.name}"`,
    `.p2align 6`,
    ...label(SYMBOLS.joinedTls),
    `.space ${programTlsSize(program) + LIBC_TLS_ROOM_BYTES}`,
    NO_EXECUTABLE_STACK,
  ].join("\n");
}

/**
 * The program's thread-local block as assembly for the linker. Code reaches thread-local data at fixed distances from
 * the thread pointer, so the block must keep its position: first, with content of its own, or last and empty.
 */
export function threadLocalText(program: Program): string {
  const section = program.machine.programTlsFirst ? '.tdata,"awT",%progbits' : '.tbss,"awT",%nobits';
  const name = SYMBOLS.programTls;
  return [
    `.section ${section}\n.p2align 4`,
    `.globl ${name}\n.type ${name},%object\n${name}: .space ${programTlsSize(program)}`,
    NO_EXECUTABLE_STACK,
  ].join("\n");
}

const NO_EXECUTABLE_STACK = `.section .note.GNU-stack,"",%progbits\n`;

function label(name: string): readonly string[] {
  return [`.globl ${name}`, `${name}:`];
}

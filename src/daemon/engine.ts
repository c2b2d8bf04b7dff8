// Controls of the JavaScript engine. Bun lets a program decide when code is compiled and garbage collected. Deno decides
// both by itself, so there these functions do nothing.

type BunEngine = {
  readonly gc: (atOnce: boolean) => void;
  readonly unsafe: { readonly setJITPolicy: (scale: number) => void };
};

/**
 * Turns the compilers on for the calling thread. The built program starts with them off (`scripts/project.ts`), because code
 * of the start runs once, and compiling it would take a fifth of an idle daemon's memory.
 */
export function compileAsUsual(): void {
  bunEngine()?.unsafe.setJITPolicy(1);
}

/** Collects all garbage and returns free memory to the system. It blocks the thread for some milliseconds. */
export function collectGarbage(): void {
  bunEngine()?.gc(true);
}

function bunEngine(): BunEngine | undefined {
  return Reflect.get(globalThis, "Bun");
}

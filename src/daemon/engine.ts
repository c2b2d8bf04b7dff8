// What the daemon asks of the engine under it: Bun lets a program say when its code is worth compiling and when its garbage
// is to be collected. Deno decides both by itself, so there nothing is asked.

type BunEngine = {
  readonly gc: (atOnce: boolean) => void;
  readonly unsafe: { readonly setJITPolicy: (scale: number) => void };
};

/**
 * Has the calling thread's code compiled as usual from here on. The built program starts with an engine that interprets
 * what runs once (`scripts/project.ts`): the compilers and what they make of a start are a fifth of an idle daemon's memory.
 */
export function compileAsUsual(): void {
  bunEngine()?.unsafe.setJITPolicy(1);
}

/** Collects all garbage and gives free memory back; nothing else is done meanwhile, for some milliseconds. */
export function collectGarbage(): void {
  bunEngine()?.gc(true);
}

function bunEngine(): BunEngine | undefined {
  return Reflect.get(globalThis, "Bun");
}

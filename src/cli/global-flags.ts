// The flags that every command of outcall takes, and the type of a plan of any command.
import { defineFlags, type Flags, type Plan } from "../command/command.ts";
import { DEFAULT_HOST_SOCKET } from "../core/defaults.ts";

/** The flags. */
export const GLOBAL_FLAGS = defineFlags({
  socket: { value: "path", summary: "host socket of the daemon", default: DEFAULT_HOST_SOCKET },
  json: { summary: "print JSON, errors included" },
  color: { value: "when", summary: "when output is coloured", choices: ["auto", "always", "never"], default: "auto" },
});

/** A plan of any command, or of a command with the given flags. */
export type CliPlan<F extends Flags = Record<never, never>> = Plan<F & typeof GLOBAL_FLAGS>;

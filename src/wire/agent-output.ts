// The output of the shim with `--json`; `outcall schema agent-check` prints the schema.
import { type Static, Type } from "@sinclair/typebox";
import { VerdictData } from "./agent-api.ts";

/** `outcall-agent check`: the verdict. */
export const CheckOutput = Type.Object({ version: Type.Literal(1), ...VerdictData.properties }, {
  additionalProperties: false,
});

/** A verdict as `check --json` prints it. */
export type CheckOutput = Static<typeof CheckOutput>;

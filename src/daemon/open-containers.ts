// Stage: the container source, and the sessions of containers.
import { chooseSource } from "../container/choose.ts";
import type { ContainerSource } from "../container/source.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { Log } from "../log/logger.ts";
import { Sessions } from "../session/sessions.ts";
import type { Config } from "./config.ts";

/** The containers of a daemon. */
export type OpenContainers = { readonly source: ContainerSource; readonly sessions: Sessions };

/** Chooses the source and connects to it. */
export async function openContainers(
  stack: AsyncDisposableStack,
  config: Config,
  log: Log,
): Promise<Result<OpenContainers, Problem>> {
  const chosen = await chooseSource(config);
  if (!chosen.ok) return chosen;
  const { source, warnings } = chosen.value;
  stack.defer(() => source.close());
  for (const reason of warnings) log.warning("containers.source", { reason });
  return ok({ source, sessions: new Sessions() });
}

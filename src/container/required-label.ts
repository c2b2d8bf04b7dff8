// `--require-label`: only containers with the label may check in. A label that the image carries does not count, because
// the author of the image wrote it and not the operator.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { rejectPeer } from "../peer/rejection.ts";
import type { ContainerSource } from "./source.ts";

/** A label by its key; without a value, any value is accepted. */
export type RequiredLabel = { readonly key: string; readonly value?: string };

/** Parses `key` or `key=value`; null if the key is empty. */
export function parseRequiredLabel(text: string): RequiredLabel | null {
  const at = text.indexOf("=");
  const key = at < 0 ? text : text.slice(0, at);
  if (key === "") return null;
  return at < 0 ? { key } : { key, value: text.slice(at + 1) };
}

/** Restricts a source to containers with the label; an error if the source knows no labels. */
export function requireLabel(source: ContainerSource, label: RequiredLabel): Result<ContainerSource, Problem> {
  if (source.kind !== "docker") {
    const why = `--require-label needs the labels of docker, and the container source is ${source.kind}`;
    return err(problem("container.no-source", why));
  }
  return ok({
    ...source,
    identify: async (peer, signal) => {
      const container = await source.identify(peer, signal);
      if (!container.ok) return container;
      const { ownLabels } = container.value;
      const value = Object.hasOwn(ownLabels, label.key) ? ownLabels[label.key] : undefined;
      const fits = value !== undefined && (label.value === undefined || label.value === value);
      return fits ? container : err(rejectPeer(peer.process.pid, "the container does not have the required label"));
    },
  });
}

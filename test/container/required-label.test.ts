// --require-label: the label must be set on the container; labels of its image do not count.
import { describe, expect, test } from "bun:test";
import type { Container } from "../../src/container/container.ts";
import { parseRequiredLabel, requireLabel } from "../../src/container/required-label.ts";
import type { ContainerSource } from "../../src/container/source.ts";
import { ok } from "../../src/core/result.ts";
import { end, peerOf, startIdle } from "../support/container/peer.ts";

function sourceOf(kind: ContainerSource["kind"], own: Container["ownLabels"]): ContainerSource {
  const container: Container = {
    id: "a",
    shortId: "ctr-a",
    name: "a",
    image: "",
    labels: { fromImage: "1", ...own },
    ownLabels: own,
    instance: "a:1",
    source: kind,
  };
  return {
    kind,
    identify: () => Promise.resolve(ok(container)),
    status: () => ({ kind, ready: true, detail: "", containers: 1 }),
    onGone: () => () => undefined,
    close: () => undefined,
  };
}

const words = [
  ["team", { key: "team" }],
  ["team=", { key: "team", value: "" }],
  ["team=a=b", { key: "team", value: "a=b" }],
  ["", null],
  ["=a", null],
] as const;
test.each(words)("parseRequiredLabel: %p", (text, label) => expect(parseRequiredLabel(text)).toEqual(label));

describe("requireLabel", () => {
  const cases: readonly (readonly [label: string, own: Container["ownLabels"], fits: boolean, note: string])[] = [
    ["team", { team: "a" }, true, "any value will do"],
    ["team", { team: "" }, true, "the empty one too"],
    ["team=a", { team: "a" }, true, "the value that is named"],
    ["team=a", { team: "ab" }, false, "not one that begins with it"],
    ["team=", { team: "a" }, false, "not any value for the empty one"],
    ["team", {}, false, "no label"],
    ["fromImage", {}, false, "a label that the image carries"],
    ["constructor", {}, false, "what every object has is no label"],
    ["Team", { team: "a" }, false, "letters are told apart"],
  ];
  for (const [text, own, fits, note] of cases) {
    test(note, async () => {
      const label = parseRequiredLabel(text);
      if (label === null) throw new Error("no label");
      const source = requireLabel(sourceOf("docker", own), label);
      if (!source.ok) throw new Error(source.error.message);
      const child = await startIdle();
      const identified = await source.value.identify(peerOf(child));
      await end(child);
      if (fits) expect(identified).toMatchObject({ ok: true, value: { id: "a" } });
      else {
        expect(identified).toMatchObject({
          ok: false,
          error: {
            code: "container.unknown",
            message: "check-in rejected: peer does not belong to a known container",
            cause: { pid: child.pid, detail: "the container does not have the required label" },
          },
        });
      }
    });
  }

  test("a source without labels is refused, because no container could check in", () => {
    for (const kind of ["cgroup", "namespace"] as const) {
      expect(requireLabel(sourceOf(kind, { team: "a" }), { key: "team" })).toMatchObject({
        ok: false,
        error: { code: "container.no-source", message: expect.stringContaining(kind) },
      });
    }
  });
});

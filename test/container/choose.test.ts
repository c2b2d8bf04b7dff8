import { afterEach, beforeEach, expect, test } from "bun:test";
import { chooseSource, type SourceChoice } from "../../src/container/choose.ts";
import { CONTAINER_SOURCES } from "../../src/core/defaults.ts";
import { readCgroupMounts } from "../../src/container/cgroup-mount.ts";
import { FakeEngine } from "../support/host/docker-fake.ts";

let engine: FakeEngine;

beforeEach(async () => {
  engine = await FakeEngine.start();
});

afterEach(() => engine.close());

async function kindOf(containers: SourceChoice): Promise<string> {
  const chosen = await chooseSource({ containers, dockerSocket: engine.socketPath });
  if (!chosen.ok) return chosen.error.code;
  const { kind } = chosen.value.source;
  chosen.value.source.close();
  return kind;
}

const choices: readonly (readonly [containers: SourceChoice, kind: string])[] = [
  ["docker", "docker"],
  ["auto", "docker"],
  ["namespace", "namespace"],
];
test.each(choices)("%s takes %s where an engine answers", async (containers, kind) => {
  expect(await kindOf(containers)).toBe(kind);
});

test("the source cgroup is chosen if hierarchies are mounted, otherwise refused", async () => {
  const mounts = readCgroupMounts();
  const mounted = mounts.ok && mounts.value.length > 0;
  expect(await kindOf("cgroup")).toBe(mounted ? "cgroup" : "container.no-source");
});

test("docker is refused if no engine answers, and the error names the socket", async () => {
  await engine.stop();
  const chosen = await chooseSource({ containers: "docker", dockerSocket: engine.socketPath });
  expect(chosen).toMatchObject({ ok: false, error: { code: "container.no-source" } });
  expect(!chosen.ok && chosen.error.message).toContain(`docker socket "${engine.socketPath}": engine does not answer`);
});

test("docker is refused if another kind of server answers", async () => {
  engine.answers.set("/version", { raw: "<html>" });
  expect(await kindOf("docker")).toBe("container.no-source");
});

test("auto never takes namespaces", async () => {
  await engine.stop();
  expect(["cgroup", "container.no-source"]).toContain(await kindOf("auto"));
});

test("A5: under auto a Docker socket that is named and dead is an error", async () => {
  await engine.stop();
  const dockerSocket = engine.socketPath;
  const chosen = await chooseSource({ containers: "auto", dockerSocket, isDockerSocketGiven: true });
  expect(chosen).toMatchObject({
    ok: false,
    error: {
      code: "container.no-source",
      message: expect.stringContaining(`docker socket "${dockerSocket}": engine does not answer`),
      hint: expect.stringContaining("--docker-socket"),
    },
  });
});

test("A5: under auto a default Docker socket that is dead is a warning", async () => {
  await engine.stop();
  const dockerSocket = engine.socketPath;
  const chosen = await chooseSource({ containers: "auto", dockerSocket, isDockerSocketGiven: false });
  if (!chosen.ok) {
    expect(chosen.error.message).toContain("and no container engine's cgroups are seen");
    return;
  }
  chosen.value.source.close();
  expect(chosen.value.source.kind).toBe("cgroup");
  expect(chosen.value.warnings).toEqual([expect.stringContaining(`docker socket "${dockerSocket}"`)]);
});

test("namespace alone gives a warning", async () => {
  for (const containers of CONTAINER_SOURCES.filter((choice) => choice !== "auto")) {
    const chosen = await chooseSource({ containers, dockerSocket: engine.socketPath });
    if (!chosen.ok) continue;
    chosen.value.source.close();
    expect(chosen.value.warnings.length).toBe(containers === "namespace" ? 1 : 0);
  }
});

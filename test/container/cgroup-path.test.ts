import { describe, expect, test } from "bun:test";
import {
  containerIdOf,
  containerPath,
  idInName,
  idInPath,
  isWithin,
  namesContainer,
} from "../../src/container/cgroup-path.ts";
import { type CgroupLine, parseCgroup } from "../../src/peer/proc.ts";
import { FUZZ_SEED, fuzzTexts } from "../support/container/fuzz.ts";

const A = "a1".repeat(32);
const B = "b2".repeat(32);

function lines(...texts: readonly string[]): readonly CgroupLine[] {
  const parsed = parseCgroup(texts.join("\n"));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("idInPath", () => {
  const cases: readonly (readonly [note: string, path: string, id: string | undefined])[] = [
    ["docker, cgroupfs", `/docker/${A}`, A],
    ["docker, systemd", `/system.slice/docker-${A}.scope`, A],
    ["docker, cgroupfs below a slice", `/system.slice/${A}`, A],
    ["docker seen from another cgroup namespace", `/../${A}`, A],
    ["docker seen from far away", `/../../docker/${A}/sub`, A],
    ["docker, a cgroup of the container's own", `/docker/${A}/sub/${B}`, A],
    ["docker in docker", `/docker/${A}/docker/${B}`, A],
    ["docker in docker, systemd", `/system.slice/docker-${A}.scope/system.slice/docker-${B}.scope`, A],
    ["docker, rootless", `/user.slice/user-1000.slice/user@1000.service/user.slice/docker-${A}.scope`, A],
    ["docker of one's own parent", `/outcall/agents/${A}`, A],
    ["podman, systemd", `/machine.slice/libpod-${A}.scope`, A],
    ["podman, systemd, below its scope", `/machine.slice/libpod-${A}.scope/container`, A],
    ["podman, cgroupfs", `/libpod_parent/libpod-${A}`, A],
    ["podman, split", `/user.slice/x.service/libpod-payload-${A}`, A],
    ["podman's monitor is a process of the host", `/machine.slice/libpod-conmon-${A}.scope`, undefined],
    ["podman's monitor, cgroupfs", `/libpod_parent/conmon-${A}`, undefined],
    ["kubernetes, cgroupfs", `/kubepods/burstable/pod0f1b/${A}`, A],
    ["kubernetes, containerd, systemd", `/kubepods.slice/kubepods-pod0f1b.slice/cri-containerd-${A}.scope`, A],
    ["kubernetes, cri-o", `/kubepods.slice/kubepods-pod0f1b.slice/crio-${A}.scope`, A],
    ["kubernetes, cri-o's monitor", `/kubepods.slice/crio-conmon-${A}.scope`, undefined],
    ["containerd, systemd names under cgroupfs", `/system.slice/kubepods-pod0f1b.slice:cri-containerd:${A}`, A],
    ["containerd's own namespaces", `/default/${A}`, A],
    ["nerdctl", `/user.slice/nerdctl-${A}.scope`, A],
    ["the root", "/", undefined],
    ["a user's session", "/user.slice/user-1000.slice/session-1.scope", undefined],
    ["32 digits", `/process_api/${A.slice(0, 32)}`, undefined],
    ["63 digits", `/docker/${A.slice(1)}`, undefined],
    ["65 digits", `/docker/${A}a`, undefined],
    ["12 digits", `/docker/${A.slice(0, 12)}`, undefined],
    ["upper-case digits", `/docker/${A.toUpperCase()}`, undefined],
    ["letters beyond f", `/docker/${"g".repeat(64)}`, undefined],
    ["an unknown prefix", `/system.slice/evil-${A}.scope`, undefined],
    ["an unknown suffix", `/system.slice/docker-${A}.service`, undefined],
    ["an id within a name", `/docker/x${A}`, undefined],
    ["a removed cgroup", `/docker/${A} (deleted)`, undefined],
    ["a line end within a name", `/docker/${A}\n`, undefined],
  ];
  test.each(cases)("%s", (_note, path, id) => {
    expect(idInPath(path)).toBe(id);
    expect(namesContainer(lines(`0::${path.replace("\n", " ")}`))).toBe(id !== undefined);
  });

  test("containerPath ends at the outermost id", () => {
    expect(containerPath(`/docker/${A}/sub/${B}`)).toBe(`/docker/${A}`);
    expect(containerPath(`/../${A}`)).toBe(`/../${A}`);
    expect(containerPath("/docker")).toBeUndefined();
  });
});

describe("containerIdOf", () => {
  const cases: readonly (readonly [note: string, list: readonly CgroupLine[], id: string | undefined])[] = [
    ["version 2", lines(`0::/docker/${A}`), A],
    ["version 1", lines(`2:cpu:/docker/${A}`, `1:memory:/docker/${A}`), A],
    ["hybrid", lines(`2:cpu:/docker/${A}`, `1:name=systemd:/docker/${A}`, "0::/"), A],
    [
      "one line with an id, others elsewhere",
      lines(`2:cpu:/`, `1:memory:/process_api/${A.slice(0, 32)}`, `0::/docker/${A}`),
      A,
    ],
    ["different forms of one id", lines(`1:cpu:/docker/${A}`, `0::/system.slice/docker-${A}.scope`), A],
    ["different ids", lines(`1:cpu:/docker/${A}`, `0::/docker/${B}`), undefined],
    ["no id", lines("1:cpu:/", "0::/"), undefined],
    ["no lines", [], undefined],
  ];
  test.each(cases)("%s", (_note, list, id) => {
    const found = containerIdOf(list);
    expect(found.ok ? found.value : undefined).toBe(id);
  });
});

describe("isWithin", () => {
  const first = lines(`2:cpu:/docker/${A}`, "1:memory:/", `0::/docker/${A}`);
  const cases: readonly (readonly [note: string, list: readonly CgroupLine[], within: boolean])[] = [
    ["the same cgroup", lines(`0::/docker/${A}`), true],
    ["below it", lines(`0::/docker/${A}/sub/${B}`), true],
    ["on one hierarchy of several", lines("0::/", `2:cpu:/docker/${A}`), true],
    ["a cgroup of another place with the same name", lines(`0::/user.slice/docker/${A}`), false],
    ["below another place with the same name", lines(`0::/user.slice/${A}/sub`), false],
    ["above it", lines("0::/docker"), false],
    ["a name that begins the same", lines(`0::/docker/${A}-more/${A}`), false],
    ["the root, where the first process is on that hierarchy", lines("1:memory:/"), false],
    ["an id on a hierarchy where the first process has none", lines(`1:memory:/docker/${A}`), false],
    ["an unknown hierarchy", lines(`7:pids:/docker/${A}`), false],
    ["another container", lines(`0::/docker/${B}`), false],
  ];
  test.each(cases)("%s", (_note, list, within) => expect(isWithin(list, first, A)).toBe(within));

  test("a first process below the container's cgroup does not hold one above", () => {
    expect(isWithin(lines(`0::/docker/${A}`), lines(`0::/docker/${A}/init`), A)).toBe(false);
  });

  test("a first process of another container contains no other process", () => {
    expect(isWithin(lines(`0::/docker/${A}`), lines(`0::/docker/${B}`), A)).toBe(false);
  });
});

test(`cgroup lines give an id of 64 digits that stands in them, or none (seed ${FUZZ_SEED})`, () => {
  const samples = [
    `0::/docker/${A}\n`,
    `1:cpu:/system.slice/docker-${B}.scope\n`,
    `2:name=systemd:/x:cri-containerd:${A}\n`,
    "0::/../..\n",
  ];
  fuzzTexts(samples, (text) => {
    const parsed = parseCgroup(text);
    if (!parsed.ok) return;
    const found = containerIdOf(parsed.value);
    if (!found.ok) return;
    expect(found.value).toMatch(/^[0-9a-f]{64}$/);
    expect(text).toContain(found.value);
    expect(isWithin(parsed.value, parsed.value, found.value)).toBe(true);
  });
});

test("idInName refuses what is not a whole name", () => expect(idInName(`docker/${A}`)).toBeUndefined());

// Every session of README.md and docs, command by command: with the built programs, a real engine, and the paths in the
// pages.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { missingProgram, requirement } from "../support/container/container.ts";
import { parse } from "yaml";
import { missingEngine } from "../support/host/docker.ts";
import { DocumentHost, isAsSaid, readSession } from "../support/document/session.ts";
import { FENCES, fencesOf, fileNameOf, kindOf } from "../support/document/documents.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const pages = [...Map.groupBy(FENCES, ({ path }) => path)]
  .filter(([, fences]) => fences.some((fence) => kindOf(fence) === "session"));

test("there are sessions", () => expect(pages.length).toBeGreaterThanOrEqual(6));

const { label, skip } = requirement("sessions of the documents", missingEngine(), missingProgram("jq"));

describe.skipIf(skip)(label, () => {
  let host: DocumentHost;
  beforeAll(() => {
    host = new DocumentHost();
  });
  afterEach(() => host.clear());
  afterAll(() => host.stop());

  test.each(pages)("%s", async (path, fences) => {
    const shell = host.startShell();
    try {
      for (const fence of fences.filter(({ info }) => fileNameOf(info) !== undefined)) await shell.write(fence);
      for (const fence of fences) {
        if (kindOf(fence) !== "session") continue;
        const steps = readSession(fence);
        for (const [at, { line, command, output }] of steps.entries()) {
          const done = await shell.run(command);
          const place = `${path}:${line}: ${command}`;
          // On a match the pattern itself is compared, so that a difference shows the real output.
          const said = isAsSaid(output, done.output) ? done.output : output;
          expect({ place, output: done.output }).toEqual({ place, output: said });
          // The page must show a failure: by the denial in the output, or by printing the status with the next command.
          const isSaid = /^outcall-agent: denied: /m.test(output) || steps[at + 1]?.command === "echo $?";
          if (!isSaid) expect({ place, status: done.status }).toEqual({ place, status: 0 });
        }
      }
    } finally {
      await shell.stop();
    }
  });

  test("docs/containers.md, Compose: the service, made as docker would make it, asks and gets its answer", async () => {
    const [fence] = fencesOf("compose");
    const [rules] = FENCES.filter(({ path, info }) => path === fence?.path && fileNameOf(info) !== undefined);
    const services: Readonly<Record<string, ComposeService>> = parse(fence?.text ?? "").services;
    const shell = host.startShell();
    try {
      if (rules !== undefined) await shell.write(rules);
      const label = "--require-label outcall=yes";
      expect(await shell.run(`outcalld --bridge none ${label}`)).toEqual({ status: 0, output: "" });
      for (const [name, service] of Object.entries(services)) {
        expect(await shell.run(dockerRun(name, service))).toMatchObject({ status: 0 });
        const asked = await shell.run(`docker exec ${name} /usr/local/bin/outcall-agent exec -- ls -d /etc`);
        expect(asked).toEqual({ status: 0, output: "/etc\n" });
      }
    } finally {
      await shell.stop();
    }
  });
});

/** The members of the Compose file format that the example uses; any other member fails the test. */
type ComposeService = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

// Compose may not be installed, so this translates its members to the corresponding docker flags.
function dockerRun(name: string, service: ComposeService): string {
  const { image, command, ...rest } = service;
  const flags = Object.entries(rest).flatMap(([member, value]) => {
    const flag = COMPOSE_FLAGS[member];
    if (flag === undefined) throw new Error(`no flag of docker is known for ${member}`);
    if (value === true) return [flag];
    if (Array.isArray(value)) return value.flatMap((each) => [flag, String(each)]);
    if (typeof value === "object") return Object.entries(value).flatMap(([key, each]) => [flag, `${key}=${each}`]);
    return [flag, String(value)];
  });
  return ["docker run -d --name", name, ...flags, image, ...[command].flat()].join(" ");
}

const COMPOSE_FLAGS: Readonly<Record<string, string>> = {
  user: "--user",
  read_only: "--read-only",
  cap_drop: "--cap-drop",
  security_opt: "--security-opt",
  network_mode: "--network",
  labels: "--label",
  volumes: "-v",
};

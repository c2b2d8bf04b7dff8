// Every session of README and docs, word by word: the built programs, a real engine, the paths that the pages name.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { missingProgram, requirement } from "../support/container.ts";
import { missingEngine } from "../support/docker.ts";
import { DocumentHost, isAsSaid, readSession } from "../support/document-session.ts";
import { FENCES, fileNameOf, kindOf } from "../support/documents.ts";

// A real engine takes seconds to start, more on a busy machine.
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
  afterEach(() => host.removeContainers());
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
          // What is printed is compared by its pattern, and shown as it is where it differs.
          const said = isAsSaid(output, done.output) ? done.output : output;
          expect({ place, output: done.output }).toEqual({ place, output: said });
          // A command that fails says so: a line of its own words, or the next command prints its status.
          const isSaid = /^outcall-agent: denied: /m.test(output) || steps[at + 1]?.command === "echo $?";
          if (!isSaid) expect({ place, status: done.status }).toEqual({ place, status: 0 });
        }
      }
    } finally {
      await shell.stop();
    }
  });
});


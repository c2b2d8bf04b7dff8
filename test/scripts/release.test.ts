// The parts of `bun run release`: all contents are listed, and the same input gives the same archive.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Schema, Validator } from "@cfworker/json-schema";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { PROGRAMS, PROJECT } from "../../scripts/project.ts";
import { formatBill } from "../../scripts/release/bill-of-materials.ts";
import { licenceFiles } from "../../scripts/release/licences.ts";
import { componentsOf, releaseDate } from "../../scripts/release/make-archive.ts";
import { pack, writeSums } from "../../scripts/release/pack.ts";
import { missingTools } from "../../scripts/release/requirements.ts";
import { RUNTIME_PARTS } from "../../scripts/release/runtime-parts.ts";
import { runtimeIntegrity } from "../../scripts/release/runtimes.ts";
import runtimes from "../../scripts/release/runtimes/package.json" with { type: "json" };
import { chooseTargets, TARGETS } from "../../scripts/release/targets.ts";
import listed from "../architecture/binary-packages.json" with { type: "json" };
import { missingProgram, requirement } from "../support/container/container.ts";
import { SAMPLE_COMPONENT, STAGED_DATE, stageSample } from "../support/program/staged-release.ts";

setDefaultTimeout(120_000);

const made: string[] = [];
afterAll(() => {
  for (const each of made) rmSync(each, { recursive: true });
});

// The required members of CycloneDX 1.6 (ECMA-424), as far as our bills of materials use them.
const TEXT: Schema = { type: "string", minLength: 1 };
const COMPONENT: Schema = {
  type: "object",
  required: ["type", "bom-ref", "name", "purl", "licenses"],
  additionalProperties: false,
  properties: {
    "type": { enum: ["application", "library"] },
    "bom-ref": TEXT,
    "name": TEXT,
    "version": TEXT,
    "purl": { type: "string", pattern: "^pkg:(npm|deb|generic|github)/[^ ]+$" },
    "hashes": {
      type: "array",
      minItems: 1,
      items: {
        oneOf: [["SHA-256", 64], ["SHA-512", 128]].map(([alg, length]) => ({
          type: "object",
          required: ["alg", "content"],
          additionalProperties: false,
          properties: { alg: { const: alg }, content: { type: "string", pattern: `^[0-9a-f]{${length}}$` } },
        })),
      },
    },
    "licenses": {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: {
        oneOf: [
          { type: "object", required: ["expression"], additionalProperties: false, properties: { expression: TEXT } },
          {
            type: "object",
            required: ["license"],
            additionalProperties: false,
            properties: {
              license: {
                type: "object",
                required: ["id"],
                additionalProperties: false,
                properties: { id: { type: "string", pattern: "^[A-Za-z0-9.+-]+$" } },
              },
            },
          },
        ],
      },
    },
    "externalReferences": {
      type: "array",
      items: {
        type: "object",
        required: ["type", "url"],
        properties: { type: { const: "vcs" }, url: { type: "string", pattern: "^https://" } },
      },
    },
    "components": { type: "array", items: { $ref: "#/$defs/component" } },
  },
};
const BILL: Schema = {
  type: "object",
  required: ["bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"],
  properties: {
    bomFormat: { const: "CycloneDX" },
    specVersion: { const: "1.6" },
    serialNumber: {
      type: "string",
      pattern: "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    },
    version: { const: 1 },
    metadata: {
      type: "object",
      required: ["timestamp", "tools", "component"],
      properties: {
        timestamp: { const: "2023-11-14T22:13:20.000Z" },
        component: { $ref: "#/$defs/component" },
      },
    },
    components: { type: "array", items: { $ref: "#/$defs/component" } },
    dependencies: {
      type: "array",
      items: {
        type: "object",
        required: ["ref", "dependsOn"],
        additionalProperties: false,
        properties: { ref: TEXT, dependsOn: { type: "array", uniqueItems: true, items: TEXT } },
      },
    },
  },
  $defs: { component: COMPONENT },
};

type Listed = { readonly "bom-ref": string; readonly name: string; readonly hashes?: unknown };

const [x64] = TARGETS;
const lacking = x64 === undefined ? ["a target"] : missingTools([x64.machine]);
const COMMON = "/usr/share/common-licenses";
const packing = requirement(
  "the same files give the same archive and checksums",
  existsSync(COMMON) ? undefined : COMMON,
  missingProgram("sha256sum"),
);
const account = requirement("the account of a program's parts", ...lacking);

test.skipIf(account.skip)(account.label, () => {
  if (x64 === undefined) throw new Error("no target");
  const components = componentsOf(x64);
  const programs = new Map(PROGRAMS.map((name) => [name, "a".repeat(64)] as const));
  const options = { version: "1.0.0", target: "x64", date: STAGED_DATE, compiler: "0.0.0", programs, components };
  const text = formatBill(options);
  expect(formatBill(options)).toBe(text);
  const bill: {
    readonly components: readonly (Listed & { readonly components?: readonly Listed[] })[];
    readonly metadata: { readonly component: Listed };
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  } = JSON.parse(text);
  expect(new Validator(BILL, "2020-12").validate(bill).errors).toEqual([]);

  // Each program contains its bundled packages, the runtime and the two libraries, and every reference has a target.
  const known = [
    bill.metadata.component,
    ...bill.components,
    ...bill.components.flatMap((each) => each.components ?? []),
  ]
    .map((each) => each["bom-ref"]);
  expect(new Set(known).size).toBe(known.length);
  expect(bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.includes(ref)))
    .toEqual([]);
  const named = new Map(bill.components.map((each) => [each["bom-ref"], each.name]));
  for (const program of PROGRAMS) {
    const parts = bill.dependencies.find(({ ref }) => ref === program)?.dependsOn.map((ref) => named.get(ref) ?? "");
    expect(parts?.sort()).toEqual(["bun", "glibc", "libgcc", ...listed[program]].sort());
  }
  expect(bill.components.filter((each) => each.hashes === undefined)).toEqual([]);

  const files = licenceFiles(components);
  const notices = files.get("THIRD-PARTY-LICENSES") ?? "";
  for (const { name, version, text: licence } of components) {
    expect(notices).toContain(`\n${name} ${version}\n`);
    expect([notices, ...files.values()].some((each) => each.includes(licence.trim()))).toBe(true);
  }
  for (const { name } of RUNTIME_PARTS) expect(notices).toContain(`  ${name}`);
  expect(notices).toContain("GNU Lesser General Public License");
});

test("the runtimes of releases are of the version that builds, and the same packages where both locks have them", () => {
  const versions = Object.entries(runtimes.dependencies);
  expect(versions.map(([name]) => name).sort()).toEqual(TARGETS.map(({ runtimePackage }) => runtimePackage).sort());
  expect([...new Set(versions.map(([, version]) => version))]).toEqual([packageFile.devDependencies.bun]);
  const lock = readFileSync(join(PROJECT, "bun.lock"), "utf8");
  const both = TARGETS.filter(({ runtimePackage }) => lock.includes(`"${runtimePackage}@`));
  expect(both.map(({ name }) => name)).toEqual(["x64", "arm64"]);
  for (const target of both) {
    const line = lock.split("\n").find((each) => each.includes(`["${target.runtimePackage}@`));
    expect(line).toContain(`"sha512-${runtimeIntegrity(target)}"`);
  }
});

test("chooseTargets returns all targets or the requested ones, and names an unknown one", () => {
  expect(chooseTargets([])).toEqual(TARGETS);
  expect(chooseTargets(["arm64", "x64"]).map(({ name }) => name)).toEqual(["x64", "arm64"]);
  expect(() => chooseTargets(["riscv"])).toThrow('unknown target "riscv"; usage: bun run release [x64]');
});

test("missingTools names everything that is missing with what to install, once", () => {
  if (x64 === undefined) throw new Error("no target");
  const machine = { ...x64.machine, name: "vax", compiler: "no-such-compiler", packages: "gcc-vax libc6-dev-vax" };
  expect(missingTools([machine, machine])).toEqual(["no static libc for vax (install gcc-vax libc6-dev-vax)"]);
});

test("releaseDate is the variable's, else the last commit's", () => {
  expect(releaseDate({ SOURCE_DATE_EPOCH: "17" }, "/nowhere")).toBe(17);
  expect(() => releaseDate({ SOURCE_DATE_EPOCH: "soon" }, "/nowhere")).toThrow(
    'SOURCE_DATE_EPOCH must be a number of seconds, got "soon"',
  );
  expect(() => releaseDate({}, "/nowhere")).toThrow("git failed");
});

test.skipIf(packing.skip)(packing.label, async () => {
  const archives: Buffer[] = [];
  for (const level of [6, 6, 1]) {
    const parent = stageSample("sample");
    made.push(parent);
    expect(pack({ parent, name: "sample", date: STAGED_DATE, level })).toBe("sample.tar.gz");
    await writeSums(parent, ["sample.tar.gz"]);
    const checked = spawnSync("sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"], { cwd: parent });
    expect(checked.status).toBe(0);
    archives.push(readFileSync(join(parent, "sample.tar.gz")));
  }
  const [first, again, quick] = archives;
  expect(first?.equals(again ?? Buffer.alloc(0))).toBe(true);
  expect(first?.equals(quick ?? Buffer.alloc(0))).toBe(false);
  // An unsorted input or a current date would make this differ.
  const other = stageSample("sample", { ...SAMPLE_COMPONENT, version: "1.2.4" });
  made.push(other);
  pack({ parent: other, name: "sample", date: STAGED_DATE, level: 6 });
  expect(first?.equals(readFileSync(join(other, "sample.tar.gz")))).toBe(false);
});

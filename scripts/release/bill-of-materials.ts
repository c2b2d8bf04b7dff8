// Components and programs -> a CycloneDX 1.6 bill of materials. The same release always gives the same text.
import type { ProgramName } from "../project.ts";
import { type Component, sha256 } from "./components.ts";
import { RUNTIME_PARTS, type RuntimePart } from "./runtime-parts.ts";

/** The contents of a bill of materials. */
export type BillOptions = {
  readonly version: string;
  readonly target: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** The version of the compiler. */
  readonly compiler: string;
  /** The SHA-256 of each program. */
  readonly programs: ReadonlyMap<ProgramName, string>;
  readonly components: readonly Component[];
};

/** The bill of materials as JSON text. */
export function formatBill(options: BillOptions): string {
  const bill = billOf(options);
  const serialNumber = `urn:uuid:${uuidOf(sha256(JSON.stringify(bill)))}`;
  const { $schema, bomFormat, specVersion, ...rest } = bill;
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber, ...rest }, null, 2)}\n`;
}

function billOf({ version, target, date, compiler, programs, components }: BillOptions) {
  const root = `outcall@${version}-linux-${target}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(date * 1000).toISOString(),
      tools: { components: [{ type: "application", name: "bun", version: compiler }] },
      component: {
        type: "application",
        "bom-ref": root,
        name: "outcall",
        version,
        purl: `pkg:generic/outcall@${version}?target=linux-${target}`,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: [
      ...[...programs].map(([name, hash]) => ({
        type: "application",
        "bom-ref": name,
        name,
        version,
        purl: `pkg:generic/${name}@${version}?target=linux-${target}`,
        hashes: [{ alg: "SHA-256", content: hash }],
        licenses: [{ license: { id: "Apache-2.0" } }],
      })),
      ...components.map((component) => ({
        type: "library",
        "bom-ref": component.purl,
        name: component.name,
        version: component.version,
        purl: component.purl,
        hashes: [{ alg: component.hash.kind, content: component.hash.hex }],
        licenses: licencesOf(component.licence),
        ...(component.name === "bun" ? { components: RUNTIME_PARTS.map(partOf) } : {}),
      })),
    ],
    dependencies: [
      { ref: root, dependsOn: [...programs.keys()] },
      ...[...programs.keys()].map((name) => ({
        ref: name,
        dependsOn: components.filter((component) => component.programs.includes(name)).map(({ purl }) => purl),
      })),
    ],
  };
}

// For some parts, the runtime does not say which version it was built with.
function partOf({ name, licence, source, version }: RuntimePart) {
  return {
    type: "library",
    "bom-ref": `bun:${name}`,
    name,
    ...(version === undefined ? {} : { version }),
    purl: `${sourcePurl(name, source)}${version === undefined ? "" : `@${version}`}`,
    licenses: licencesOf(licence),
    externalReferences: [{ type: "vcs", url: source }],
  };
}

// GitHub project names are case-insensitive, so package URLs have them in lower case.
function sourcePurl(name: string, source: string): string {
  const project = /^https:\/\/github\.com\/(.+)$/.exec(source)?.[1];
  return project === undefined ? `pkg:generic/${name.toLowerCase()}` : `pkg:github/${project.toLowerCase()}`;
}

function licencesOf(licence: string) {
  return licence.includes(" ") ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** A UUID of version 8 (RFC 9562), whose bits come from a hash. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
    .join("-");
}

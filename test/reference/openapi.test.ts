// The OpenAPI documents themselves: references point to existing parts, schemas are valid, examples match, and every
// route is included. answers.test.ts covers the answers of real apps.
import { describe, expect, test } from "bun:test";
import { type Schema, Validator } from "@cfworker/json-schema";
import { AGENT_SOCKET, HOST_SOCKET } from "../../scripts/reference/sockets.ts";
import { membersOf } from "../../scripts/reference/members.ts";
import { openApiOf } from "../../scripts/reference/openapi.ts";
import { AGENT_ROUTES } from "../../src/api/agent-routes.ts";
import { namesOf } from "../../src/wire/route.ts";
import { faultsOf } from "../support/document/openapi.ts";

const documents = [AGENT_SOCKET, HOST_SOCKET].map((reference) => ({
  title: reference.title,
  reference,
  document: openApiOf(reference),
}));

// A schema for the JSON Schema 2020-12 keywords that the documents use; other keywords are refused.
const SCHEMA: Schema = {
  $id: "https://outcall.example/schema",
  type: "object",
  additionalProperties: false,
  properties: {
    $ref: { type: "string", pattern: "^#/components/schemas/[A-Za-z]+$" },
    type: { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] },
    const: {},
    enum: { type: "array", minItems: 1 },
    anyOf: { type: "array", minItems: 1, items: { $ref: "#" } },
    properties: { type: "object", additionalProperties: { $ref: "#" } },
    patternProperties: { type: "object", additionalProperties: { $ref: "#" } },
    required: { type: "array", items: { type: "string" }, uniqueItems: true },
    additionalProperties: { type: "boolean" },
    items: { $ref: "#" },
    pattern: { type: "string", format: "regex" },
    minLength: { type: "integer", minimum: 0 },
    minimum: { type: "number" },
    maximum: { type: "number" },
    default: {},
    title: { type: "string" },
    description: { type: "string", minLength: 1 },
  },
};

function everyNode(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(everyNode)];
}

describe.each(documents)("$title", ({ reference, document }) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test("every reference leads somewhere", () => {
    const references = everyNode(document).flatMap((node) => "$ref" in node ? [String(node.$ref)] : []);
    expect(references.length).toBeGreaterThan(10);
    const lost = references.filter((each) => {
      const target = each.replace(/^#\//, "").split("/")
        .reduce<unknown>((at, key) => Object.entries(Object(at)).find(([name]) => name === key)?.[1], document);
      return target === undefined;
    });
    expect(lost).toEqual([]);
  });

  test("every schema is one", () => {
    const validator = new Validator(SCHEMA, "2020-12", false);
    const inContents = everyNode(document.paths).flatMap((node) => "schema" in node ? [node.schema] : []);
    for (const schema of [...Object.values(document.components.schemas), ...inContents]) {
      expect(validator.validate(schema).errors).toEqual([]);
    }
    for (const node of everyNode(document)) {
      if ("pattern" in node) expect(() => new RegExp(String(node.pattern), "u")).not.toThrow();
      if (!("required" in node) || !Array.isArray(node.required) || !("properties" in node)) continue;
      expect(Object.keys(Object(node.properties))).toEqual(expect.arrayContaining(node.required));
    }
  });

  test("every example fits its schema", () => {
    const contents = everyNode(document).filter((node) => "schema" in node && "example" in node);
    expect(contents.length).toBeGreaterThanOrEqual(operations.length);
    for (const content of contents) {
      if (!("schema" in content && "example" in content)) continue;
      expect(faultsOf(document, Object(content.schema), content.example)).toEqual([]);
    }
  });

  test("the paths are the app's routes, each with its own id and every parameter of its path", () => {
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => {
        const named = parameters.filter((each) => each.in === "path").map(({ name }) => `{${name}}`);
        expect([...path.matchAll(/\{\w+\}/g)].map(([each]) => each)).toEqual(named);
        return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      })
    );
    expect(paths.sort()).toEqual([...namesOf(reference.routes)].sort());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(namesOf(reference.routes).length);
  });
});

test("the two have no path in common", () => {
  const [agent, host] = documents.map(({ document }) => Object.keys(document.paths));
  expect(agent?.filter((path) => host?.includes(path))).toEqual([]);
});

describe("a document with a missing or an additional member is refused", () => {
  test("a schema without a name", () => {
    expect(() => openApiOf({ ...AGENT_SOCKET, schemas: {} })).toThrow("has no name");
  });

  test("a parameter that the path does not have", () => {
    const path = { description: "a", example: "b" };
    const routes = { "POST /v1/checkin": { ...AGENT_ROUTES["POST /v1/checkin"], path } };
    expect(() => openApiOf({ ...AGENT_SOCKET, routes })).toThrow("differ in parameters");
  });

  test("a member without a description", () => {
    expect(() => membersOf({ properties: { a: { type: "string" } } }, {})).toThrow('member "a" has no description');
  });
});

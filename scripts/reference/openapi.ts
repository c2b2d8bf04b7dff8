// A socket's routes -> OpenAPI 3.1. Bodies and answers come from the schemas that the apps validate with, and statuses
// from the table of problems.
import type { Json } from "../../src/core/json.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { VERSION } from "../../src/core/version.ts";
import { FailureAnswer } from "../../src/wire/answer.ts";
import type { Schema } from "../../src/wire/decode.ts";
import { fail } from "../failure.ts";
import { OF_NO_ROUTE, problemsOf, type Route as RouteEntry } from "../../src/wire/route.ts";
import { parametersOf as queryOf, type Route, routesOf, type SocketReference } from "./route.ts";
import { plainSchema, referTo, type SchemaNode } from "./schema.ts";

/** An answer of an operation. */
export type ResponseObject = {
  readonly description: string;
  readonly headers: { readonly [name: string]: { readonly $ref: string } };
  readonly content: { readonly "application/json": { readonly schema: SchemaNode; readonly example?: Json } };
};

/** A parameter in the path or in the query. */
type ParameterObject = {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: SchemaNode | { readonly enum: readonly string[] };
};

/** One route. */
export type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly "application/json": { readonly schema: SchemaNode; readonly example: Json } };
  };
  readonly responses: { readonly [status: string]: ResponseObject };
};

/** A document. */
export type OpenApi = {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly jsonSchemaDialect: string;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationObject } };
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaNode };
    readonly responses: { readonly [name: string]: ResponseObject };
    readonly headers: { readonly [name: string]: HeaderObject };
    readonly securitySchemes?: { readonly session: { readonly type: "http"; readonly scheme: "bearer" } };
  };
};

/** The host in URLs; the apps use only the path. */
const SERVER = "http://outcall.local";

type HeaderObject = { readonly description: string; readonly schema: SchemaNode };

const HEADERS: Readonly<Record<string, HeaderObject>> = {
  "Retry-After": {
    description: "Whole seconds to wait before sending the request again.",
    schema: { type: "integer", minimum: 1 },
  },
  "Allow": { description: "The methods that the path supports.", schema: { type: "string" } },
  "Cache-Control": { description: "Answers must not be cached.", schema: { const: "no-store" } },
};

/** The document of a socket. */
export function openApiOf(reference: SocketReference): OpenApi {
  const { title, description, socket, schemas } = reference;
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const route of routesOf(reference)) {
    const template = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [route.method]: operationOf(route, reference) };
  }
  const named = Object.entries({ FailureAnswer, ...schemas });
  const tokens = reference.problems.ofTokens.length === 0
    ? {}
    : { securitySchemes: { session: { type: "http", scheme: "bearer" } } as const };
  return {
    openapi: "3.1.0",
    info: { title, version: VERSION, description },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: SERVER, description: `The Unix socket ${socket}.` }],
    paths,
    components: {
      schemas: Object.fromEntries(named.map(([name, schema]) => [name, plainSchema(schema, schemas)])),
      responses: Object.fromEntries(OF_NO_ROUTE.map((code) => [responseName(code), failureOf([code])])),
      headers: { ...HEADERS, ...headersOf(reference) },
      ...tokens,
    },
  };
}

// The name of the answer to a request for no known route, for example `NotFound`.
function responseName(code: ProblemCode): string {
  const [, word = ""] = code.split(".");
  return word.split("-").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}

function operationOf({ method, path, entry }: Route, reference: SocketReference): OperationObject {
  const { summary, description, body, token } = entry;
  const parameters = parametersOf(path, entry);
  return {
    operationId: operationId(method, path),
    summary,
    ...(description === "" ? {} : { description }),
    // If the route has a body, the token may be in the body instead of the header.
    ...(token === undefined ? {} : { security: [{ session: [] }, ...(body === undefined ? [] : [{}])] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : {
      requestBody: {
        required: body.optional !== true,
        content: { "application/json": { schema: referenceTo(body.schema, reference), example: body.example } },
      },
    }),
    responses: { ...successOf(entry, reference), ...failuresOf(problemsOf(reference.problems, entry)) },
  };
}

function operationId(method: string, path: string): string {
  const words = path.replace(/^(\/api)?\/v1\//, "").split(/[/-]/).map((word) => word.replace(":", "by-"));
  return [method, ...words].join("-").replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function parametersOf(path: string, { path: part, query }: RouteEntry): readonly ParameterObject[] {
  const name = /:(\w+)/.exec(path)?.[1];
  if ((name === undefined) !== (part === undefined)) {
    return fail(`${path}: the entry and the path differ in parameters`);
  }
  const inPath = name === undefined || part === undefined ? [] : [
    {
      name,
      in: "path",
      required: true,
      description: part.description,
      schema: { type: "string", minLength: 1 },
    } as const,
  ];
  const inQuery = queryOf(query).map(({ name, description, values }) => {
    return { name, in: "query", required: false, description, schema: { enum: values } } as const;
  });
  return [...inPath, ...inQuery];
}

function successOf({ answer }: RouteEntry, reference: SocketReference): OperationObject["responses"] {
  const schema: SchemaNode = {
    type: "object",
    required: ["success", "data"],
    properties: { success: { const: true }, data: referenceTo(answer.schema, reference) },
    additionalProperties: false,
  };
  const example: Json = { success: true, data: answer.example };
  const names = ["Cache-Control", ...(answer.header === undefined ? [] : [answer.header.name])];
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(name)]));
  return {
    [answer.status]: {
      description: "The call succeeded.",
      headers,
      content: { "application/json": { schema, example } },
    },
  };
}

function failuresOf(codes: readonly ProblemCode[]): OperationObject["responses"] {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = meaningOf(code);
    byStatus.set(status, [...byStatus.get(status) ?? [], code]);
  }
  const sorted = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, each]) => [status, failureOf(each)]));
}

function failureOf(codes: readonly ProblemCode[]): ResponseObject {
  const statuses = new Set(codes.map((code) => meaningOf(code).status));
  const headers = [
    "Cache-Control",
    ...(statuses.has(429) ? ["Retry-After"] : []),
    ...(statuses.has(405) ? ["Allow"] : []),
  ];
  return {
    description: sentencesOf(codes),
    headers: Object.fromEntries(headers.map((name) => [name, headerOf(name)])),
    content: { "application/json": { schema: referTo("FailureAnswer") } },
  };
}

function headersOf(reference: SocketReference): Readonly<Record<string, HeaderObject>> {
  const own = routesOf(reference).flatMap(({ entry: { answer: { header } } }) => header === undefined ? [] : [header]);
  return Object.fromEntries(
    own.map(({ name, description, pattern }) => [name, { description, schema: { type: "string", pattern } }]),
  );
}

/** The meanings of the codes of one status. The many codes of rule findings are summed up in one sentence. */
export function sentencesOf(codes: readonly ProblemCode[]): string {
  const ofRules = codes.filter((code) => code.startsWith("rule."));
  const single = ofRules.length > RULE_CODES_SHOWN ? codes.filter((code) => !ofRules.includes(code)) : codes;
  const sentences = single.map((code) => meaningOf(code).sentence);
  return [...sentences, ...(single.length < codes.length ? [RULES_DO_NOT_LOAD] : [])].join(" ");
}

/** With more codes of rule findings than this, one sentence stands for all; the message says which one it is. */
const RULE_CODES_SHOWN = 3;

const RULES_DO_NOT_LOAD = "The requested rules have an error; the message says which.";

function headerOf(name: string): { readonly $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

function referenceTo(schema: Schema, { title, schemas }: SocketReference): SchemaNode {
  const name = Object.entries(schemas).find(([, each]) => each === schema)?.[0];
  return name === undefined ? fail(`${title}: a schema of a route has no name`) : referTo(name);
}

// Compares answers with an OpenAPI document and describes the differences.
import { type Schema, Validator } from "@cfworker/json-schema";
import type { OpenApi, OperationObject, ResponseObject } from "../../../scripts/reference/openapi.ts";
import type { SchemaNode } from "../../../scripts/reference/schema.ts";
import type { RawResponse } from "../socket/raw-http.ts";

/** The errors of a value according to a schema of the document; an empty list is the expected result. */
export function faultsOf(document: OpenApi, schema: SchemaNode, value: unknown): readonly string[] {
  // References point into the document, so its schemas are added to the schema.
  const whole = { ...schema, components: { schemas: document.components.schemas } };
  const { errors } = new Validator(plain(whole), "2020-12", false).validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

function plain(schema: object): Schema {
  const copy: Schema = JSON.parse(JSON.stringify(schema));
  return copy;
}

/** The operation of a route such as `GET /a/{id}`. */
function operationOf(document: OpenApi, route: string): OperationObject {
  const [method = "", path = ""] = route.split(" ");
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`no operation ${route}`);
  return operation;
}

/** Every route of a document with each documented status, as `GET /a/{id} 200`. */
export function documentedAnswers(document: OpenApi): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`)
    )
  );
}

/** The differences between an answer and the document's description of its route. */
export function answerFaults(document: OpenApi, route: string, answer: RawResponse): readonly string[] {
  const response = operationOf(document, route).responses[String(answer.status)];
  if (response === undefined) return [`${route}: status ${answer.status} is not documented: ${answer.body}`];
  return responseFaults(document, response, answer).map((fault) => `${route} ${answer.status}: ${fault}`);
}

/** The differences between an answer and a response object of the document. */
export function responseFaults(document: OpenApi, response: ResponseObject, answer: RawResponse): readonly string[] {
  const { headers, body } = answer;
  const ofBody = faultsOf(document, response.content["application/json"].schema, JSON.parse(body));
  const type = headers["content-type"] === "application/json" ? [] : [`content-type ${headers["content-type"]}`];
  const documented = Object.keys(response.headers).map((name) => name.toLowerCase());
  const missing = documented.filter((name) => headers[name] === undefined).map((name) => `no header ${name}`);
  const extra = Object.keys(headers).filter((name) => !documented.includes(name) && !OF_HTTP.has(name));
  return [...ofBody, ...type, ...missing, ...extra.map((name) => `undocumented header ${name}`)];
}

/** Headers that every HTTP answer may have. */
const OF_HTTP: ReadonlySet<string> = new Set(["connection", "content-length", "content-type", "date", "keep-alive"]);

// The sockets and their OpenAPI documents -> `api.md`: each route with its body, its answer, its errors and an example.
import type { Json } from "../../src/core/json.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { BODY_LIMIT_BYTES } from "../../src/wire/agent-api.ts";
import { jsonText } from "./json-text.ts";
import { anchor, block, code, GENERATED, page, table, words } from "./markdown.ts";
import { membersOf, typeText } from "./members.ts";
import { type OpenApi, sentencesOf } from "./openapi.ts";
import { bytesText } from "./quantity-text.ts";
import { OF_NO_ROUTE } from "../../src/wire/route.ts";
import { parametersOf, type Route, routesOf, type SocketReference } from "./route.ts";
import { plainSchema, type SchemaNode } from "./schema.ts";

/** A socket with its document and the name of the document's file. */
export type NamedDocument = {
  readonly file: string;
  readonly reference: SocketReference;
  readonly document: OpenApi;
};

/** The page. */
export function apiPage(documents: readonly NamedDocument[]): string {
  const links = documents.map(({ file }) => `[${file}](${file})`).join(" and ");
  return page([
    "# The two sockets",
    GENERATED,
    `\`outcalld\` listens on two Unix sockets. They have no route in common. OpenAPI 3.1 documents: ${links}.`,
    "Every answer is JSON in an envelope:",
    block(
      "json",
      '{"success": true, "data": ...}\n{"success": false, "error": "one line of text", "code": "daemon.not-found"}',
    ),
    "Programs should use `code`, which is one of the [errors](errors.md). The text of `error` is for people and may change.",
    `Request bodies are JSON in UTF-8, at most ${
      bytesText(BODY_LIMIT_BYTES)
    }, with \`Content-Type: application/json\`. An ` +
    "unknown member is an error. To send a request from a shell:",
    block("sh", "curl --unix-socket /run/outcalld/host.sock http://outcall.local/api/v1/status"),
    ...documents.flatMap(({ document, reference }) => new SocketPage(document, reference).parts()),
  ]);
}

class SocketPage {
  readonly #document: OpenApi;
  readonly #reference: SocketReference;

  constructor(document: OpenApi, reference: SocketReference) {
    this.#document = document;
    this.#reference = reference;
  }

  parts(): readonly string[] {
    const { title, description, problems: { always, ofBodies, ofTokens } } = this.#reference;
    const routes = routesOf(this.#reference);
    const short = title.replace("Outcall ", "");
    const own = [...ofBodies.filter((each) => !always.includes(each)), ...ofTokens];
    const schemas = this.#schemaParts(routes);
    return [
      `## ${short.charAt(0).toUpperCase()}${short.slice(1)}`,
      description,
      table(["Route", "Purpose"], routes.map(listed)),
      "Every request can fail with these errors:",
      refusals([...always, ...own, ...OF_NO_ROUTE]),
      ...routes.flatMap((route) => this.#routeParts(route)),
      ...(schemas.length === 0 ? [] : [`### Schemas of the ${short}`, ...schemas]),
    ];
  }

  #routeParts(route: Route): readonly string[] {
    const { summary, description, path, query, body, token, answer, problems } = route.entry;
    const { always, ofBodies } = this.#reference.problems;
    const own = problems.filter((each) => !always.includes(each) && !ofBodies.includes(each));
    const parameter = path === undefined ? "" : `${code(`{${/:(\w+)/.exec(route.path)?.[1]}}`)}: ${path.description}`;
    const filters = parametersOf(query).map(({ name, values, description }) =>
      `${code(`?${name}=`)} ${words(values.map(code))}: ${description}`
    );
    return [
      `### ${titleOf(route)}`,
      `${summary}. ${description}${token === undefined ? "" : " Requires a session token."}`,
      parameter,
      ...filters,
      body === undefined ? "" : this.#bodyText(this.#node(body.schema), body.optional === true),
      this.#dataText(answer.status, this.#node(answer.schema)),
      own.length === 0 ? "" : `Further errors:\n\n${refusals(own)}`,
      exampleOf(route),
    ];
  }

  #node(schema: Parameters<typeof plainSchema>[0]): SchemaNode {
    return plainSchema(schema, this.#reference.schemas);
  }

  #bodyText(schema: SchemaNode, isOptional: boolean): string {
    const none = isOptional ? " (optional)" : "";
    if (Object.keys(schema.properties ?? {}).length === 0) return `Body${none}: \`{}\`.`;
    return `Body${none}:\n\n${this.#members(schema, true)}`;
  }

  #dataText(status: number, schema: SchemaNode): string {
    const answered = `Answer ${status}, data`;
    if (schema.type !== "array") {
      const name = this.#nameOf(schema);
      return this.#isShared(name)
        ? `${answered}: [${name}](#${anchor(name)}).`
        : `${answered}:\n\n${this.#members(schema)}`;
    }
    const items = schema.items ?? {};
    if (items.properties === undefined) return `${answered}: ${typeText(schema)}.`;
    return `${answered}: a list of\n\n${this.#members(items)}`;
  }

  #members(schema: SchemaNode, isTaken = false): string {
    const members = membersOf(schema, this.#document.components.schemas);
    const rows = members.map(({ name, type, meaning, isRequired }) => {
      const must = isTaken ? [isRequired ? "yes" : ""] : [];
      return [code(name), type, ...must, meaning];
    });
    return table(["Member", "Type", ...(isTaken ? ["Required"] : []), "Meaning"], rows);
  }

  // The schemas whose members are not shown with a route.
  #schemaParts(routes: readonly Route[]): readonly string[] {
    const { schemas } = this.#document.components;
    const shown = new Set(routes.flatMap(({ entry: { body, answer } }) => {
      const data = this.#nameOf(this.#node(answer.schema));
      return [
        ...(body === undefined ? [] : [this.#nameOf(this.#node(body.schema))]),
        ...this.#isShared(data) ? [] : [data],
      ];
    }));
    const rest = Object.entries(schemas).filter(([name, { properties }]) =>
      name !== "FailureAnswer" && properties !== undefined && !shown.has(name)
    );
    return rest.flatMap(([name, schema]) => [`#### ${name}`, schema.description ?? "", this.#members(schema)]);
  }

  #nameOf(schema: SchemaNode): string {
    const text = JSON.stringify(schema);
    return Object.entries(this.#document.components.schemas).find(([, each]) => JSON.stringify(each) === text)?.[0] ??
      "";
  }

  // Whether several places refer to the schema.
  #isShared(name: string): boolean {
    return JSON.stringify(this.#document).split(`"#/components/schemas/${name}"`).length > 2;
  }
}

function titleOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
}

function listed(route: Route): readonly string[] {
  return [`[${code(titleOf(route))}](#${anchor(titleOf(route))})`, route.entry.summary];
}

function refusals(codes: readonly ProblemCode[]): string {
  const statuses = [...new Set(codes.map((each) => meaningOf(each).status))].toSorted((a, b) => a - b);
  const ofStatus = (status: number) => codes.filter((each) => meaningOf(each).status === status);
  return table(["Status", "When"], statuses.map((status) => [String(status), sentencesOf(ofStatus(status))]));
}

function exampleOf({ method, path, entry }: Route): string {
  const { path: part, body, token, answer } = entry;
  const request = [
    `${method.toUpperCase()} ${path.replace(/:\w+/, part?.example ?? "")}`,
    ...(token === undefined ? [] : ["Authorization: Bearer tok-..."]),
    ...(body === undefined ? [] : ["", jsonText(body.example)]),
  ].join("\n");
  const answered: Json = { success: true, data: answer.example };
  return `${block("http", request)}\n${block("json", jsonText(answered))}`;
}

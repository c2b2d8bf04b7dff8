// Context: what a request is about, in the words that conditions use (S003-FR-005). An absent namespace is an absent
// member; a member left out of a present namespace has its zero value.
import type { Json, JsonObject } from "./json.ts";

/** A connection. */
export type NetworkContext = {
  readonly hostname?: string;
  readonly ip?: string;
  readonly port?: number;
  readonly protocol?: string;
};

/** An HTTP request; header names are lower-case. */
export type HttpContext = {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body_size?: number;
};

/** A DNS question. */
export type DnsContext = { readonly query?: string; readonly record_type?: string };

/** A request to a Docker engine. */
export type DockerContext = {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly env_keys?: readonly string[];
  readonly capabilities?: readonly string[];
};

/** A program that is to be run; `parsed` is false when the command line could not be taken apart. */
export type RunContext = {
  readonly tool?: string;
  readonly path?: string;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  readonly argv?: readonly string[];
  readonly parsed?: boolean;
  readonly context?: JsonObject;
};

/** The asking container as the host knows it, never in the agent's words. */
export type AgentContext = {
  readonly id?: string;
  readonly name?: string;
  readonly image?: string;
  readonly labels?: { readonly [name: string]: string };
};

/** The newest envelope of the asking container's present life. */
export type EnvelopeContext = {
  readonly verified?: boolean;
  readonly outcome?: string;
  readonly age_seconds?: number;
  readonly facts?: JsonObject;
};

/** Everything a rule may ask about one request. */
export type Context = {
  readonly network?: NetworkContext;
  readonly http?: HttpContext;
  readonly dns?: DnsContext;
  readonly docker?: DockerContext;
  readonly run?: RunContext;
  readonly agent?: AgentContext;
  readonly envelope?: EnvelopeContext;
  readonly action_type?: string;
  readonly target?: string;
  readonly metadata?: { readonly [key: string]: Json };
};

/** The type of a field in a condition. */
export type FieldType = "string" | "int" | "bool" | "list<string>" | "map<string, string>" | "map<string, dyn>";

/** The namespaces and their fields, in the order of the documentation (S003-IF-013). */
export const NAMESPACES = {
  network: { hostname: "string", ip: "string", port: "int", protocol: "string" },
  http: { method: "string", path: "string", host: "string", headers: "map<string, string>", body_size: "int" },
  dns: { query: "string", record_type: "string" },
  docker: {
    image: "string",
    command: "list<string>",
    volumes: "list<string>",
    env_keys: "list<string>",
    capabilities: "list<string>",
  },
  run: {
    tool: "string",
    path: "string",
    cwd: "string",
    args: "list<string>",
    flags: "list<string>",
    argv: "list<string>",
    parsed: "bool",
    context: "map<string, dyn>",
  },
  agent: { id: "string", name: "string", image: "string", labels: "map<string, string>" },
  envelope: { verified: "bool", outcome: "string", age_seconds: "int", facts: "map<string, dyn>" },
} as const satisfies Record<string, Record<string, FieldType>>;

/** The variables that are no namespaces. */
export const VARIABLES = {
  action_type: "string",
  target: "string",
  metadata: "map<string, dyn>",
  enriched: "map<string, dyn>",
} as const satisfies Record<string, FieldType>;

// The context table: every namespace, member and variable that conditions can read (S003-IF-013), in the order of the
// documentation. Types, the checker, the wire schema, the records, the logs and the reference are all derived from it, so
// a new member is one row here and the code that fills it.
import type { NamespaceRow, VariableRow } from "./context-member.ts";

/** The greatest integer that JSON carries exactly. */
const EXACT = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** The namespaces. */
export const CONTEXT_NAMESPACES = {
  network: {
    meaning: "A connection.",
    presence: "An agent's `network_call`.",
    setBy: "request",
    subject: "connection",
    line: "{hostname|ip}:{port}",
    members: {
      hostname: {
        type: "string",
        meaning: "Host name or address in canonical form: lower case, no trailing dot.",
        record: "text",
        log: "value",
      },
      ip: {
        type: "string",
        meaning: "The address, where the host is one; an IPv4-mapped IPv6 address is written as IPv4.",
        record: "text",
        log: "value",
      },
      port: { type: "int", meaning: "Port.", record: "plain", log: "value", bounds: { minimum: 0, maximum: 65_535 } },
      protocol: { type: "string", meaning: "tcp or udp.", record: "text", log: "value" },
    },
  },
  http: {
    meaning: "An HTTP request.",
    presence: "An agent's `network_call` with an http or https URL, or with `metadata.method`.",
    setBy: "request",
    subject: "connection",
    line: "{method} {host}{path}",
    members: {
      method: { type: "string", meaning: "Method, in capitals.", record: "text", log: "value" },
      path: {
        type: "string",
        meaning: "Path without query and fragment, dot segments resolved.",
        record: "path",
        log: "path",
      },
      query: { type: "string", meaning: "Query string as it is sent, without the question mark.", record: "query" },
      host: { type: "string", meaning: "Host name.", record: "text", log: "value" },
      scheme: {
        type: "string",
        meaning: "Scheme of the URL, in lower case; empty where the request gave no URL.",
        record: "text",
        log: "value",
      },
      headers: { type: "map<string, string>", meaning: "Headers; names in lower case.", record: { hide: "header" } },
      body_size: { type: "int", meaning: "Length of the body in bytes.", record: "plain", log: "value", bounds: EXACT },
    },
  },
  dns: {
    meaning: "A DNS question.",
    presence: "Contexts of the host alone.",
    setBy: "request",
    subject: "dns",
    line: "dns {record_type} {query}",
    members: {
      query: {
        type: "string",
        meaning: "The name that is asked for, in lower case, no trailing dot.",
        record: "text",
        log: "value",
      },
      record_type: { type: "string", meaning: "The type of record, such as A.", record: "text", log: "value" },
    },
  },
  docker: {
    meaning: "A call of the Docker API.",
    presence: "Contexts of the host alone.",
    setBy: "request",
    subject: "docker",
    line: "docker {operation} {target} {image} {command}",
    members: {
      operation: {
        type: "string",
        meaning: "What the call does, such as container.create.",
        record: "text",
        log: "value",
      },
      target: {
        type: "string",
        meaning: "The container, volume or network that the call is about.",
        record: "text",
        log: "value",
      },
      image: { type: "string", meaning: "Image.", record: "text", log: "value" },
      command: { type: "list<string>", meaning: "Command line: entry point and command.", record: "command" },
      volumes: { type: "list<string>", meaning: "Mounts, as source:target:mode.", record: "text" },
      env_keys: { type: "list<string>", meaning: "Names of the environment variables.", record: "environment" },
      capabilities: { type: "list<string>", meaning: "Capabilities that are added.", record: "text" },
      privileged: {
        type: "bool",
        meaning: "Whether the container is to be privileged.",
        record: "plain",
        log: "when-true",
      },
      network_mode: { type: "string", meaning: "Network mode of the container, such as none or host.", record: "text" },
      pid_mode: {
        type: "string",
        meaning: "PID mode of the container, such as host; empty for a PID namespace of its own.",
        record: "text",
      },
    },
  },
  run: {
    meaning: "A program that is to be run, or a file.",
    presence: "An agent's `tool_exec`, `shell_exec` and `file_access`.",
    setBy: "request",
    subject: "run",
    line: "{path|tool} {argv}",
    unparsedLine: "{argv}",
    members: {
      tool: {
        type: "string",
        meaning: "Last part of the program's path; sh for a shell line that was not taken apart, file for a file.",
        record: "text",
        log: "value",
      },
      path: {
        type: "string",
        meaning: "The program; the dot segments of an absolute path are resolved.",
        record: "text",
        log: "value",
      },
      executable: {
        type: "string",
        meaning: "The file behind all links of the path; the path itself where no enforcement point saw the file.",
        record: "text",
      },
      cwd: { type: "string", meaning: "Working directory, as given.", record: "text", log: "value" },
      args: { type: "list<string>", meaning: "Positional arguments.", record: "in-argv", log: "count" },
      flags: {
        type: "list<string>",
        meaning: "Flags as typed, also behind --; for --name=value also --name, for -uf also -u and -f.",
        record: "in-argv",
      },
      argv: { type: "list<string>", meaning: "The arguments as given, without the program.", record: "argv" },
      argv0: {
        type: "string",
        meaning:
          "The name by which the program is called; the last part of the path where no enforcement point saw it.",
        record: "text",
      },
      parsed: { type: "bool", meaning: "False where a shell line could not be taken apart.", record: "plain" },
      changed: {
        type: "bool",
        meaning: "False where an enforcement point saw that the file is the image's own; true otherwise.",
        record: "plain",
      },
      env_keys: {
        type: "list<string>",
        meaning: "Names of the program's environment variables; empty where no enforcement point saw them.",
        record: "environment",
      },
      context: {
        type: "map<string, dyn>",
        meaning: "The metadata, action_type, target, and what hooks add.",
        setBy: "hooks",
        record: "additions",
      },
    },
  },
  agent: {
    meaning: "The container that asks, as the host knows it, never in the agent's words.",
    presence: "Every request of an agent.",
    setBy: "host",
    subject: null,
    line: null,
    members: {
      id: { type: "string", meaning: "Full id of the container.", record: "text" },
      name: {
        type: "string",
        meaning: "Its name; its short id where the source has no names.",
        record: "text",
        log: "value",
      },
      image: { type: "string", meaning: "Its image; empty where the source knows none.", record: "text" },
      labels: { type: "map<string, string>", meaning: "Its labels.", record: { hide: "label" } },
      instance: {
        type: "string",
        meaning: "This run of the container: another one after each restart.",
        record: "text",
      },
      parent: {
        type: "string",
        meaning: "Full id of the container that made it; empty where the host made it.",
        record: "text",
      },
    },
  },
  envelope: {
    meaning: "The newest envelope of the container's present instance.",
    presence: "Every request of an agent, also before its first envelope.",
    setBy: "host",
    subject: null,
    line: null,
    members: {
      verified: { type: "bool", meaning: "Whether the operator's invariants hold on the facts.", record: "plain" },
      outcome: {
        type: "string",
        meaning: "verified, failed, vacuous, unverified, or none before the first envelope.",
        record: "text",
      },
      age_seconds: {
        type: "int",
        meaning: "Age of the envelope; 2^53-1 before the first.",
        record: "plain",
        bounds: EXACT,
      },
      facts: {
        type: "map<string, dyn>",
        meaning: "The facts, the agent's own word.",
        setBy: "request",
        record: { hide: "fact" },
      },
    },
  },
} as const satisfies Record<string, NamespaceRow>;

/** The variables that are not namespaces. */
export const CONTEXT_VARIABLES = {
  action_type: {
    type: "string",
    meaning: "The kind of action that is asked about.",
    setBy: "request",
    record: "text",
    log: "value",
    presence: "Every request of an agent.",
    isAlwaysGiven: false,
    isInput: true,
  },
  target: {
    type: "string",
    meaning:
      "What the action is done to, in canonical form: a program or file path, a URL, host:port, or a shell line.",
    setBy: "request",
    record: "target",
    log: "target",
    presence: "Every request of an agent.",
    isAlwaysGiven: false,
    isInput: true,
  },
  metadata: {
    type: "map<string, dyn>",
    meaning: "More about the action, in the agent's words.",
    setBy: "request",
    record: { hide: "metadata" },
    presence: "Every request of an agent; empty if it gave none.",
    isAlwaysGiven: false,
    isInput: true,
  },
  observed: {
    type: "bool",
    meaning: "True where an enforcement point saw the action itself; false where an agent asks about it.",
    setBy: "host",
    record: "plain",
    log: "when-true",
    presence: "Always.",
    isAlwaysGiven: true,
    isInput: true,
  },
  enriched: {
    type: "map<string, dyn>",
    meaning: "What hooks added. Only hooks can set it.",
    setBy: "hooks",
    record: { hide: "metadata" },
    presence: "Always.",
    isAlwaysGiven: true,
    isInput: false,
  },
} as const satisfies Record<string, VariableRow>;

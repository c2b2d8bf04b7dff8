// The defaults and choices that several programs share. Every flag's default is stated here or in the flag's own room, once
// (product.md 1; names and paths are the seeds').

/** Where the host socket is, in a directory of its own, because people mount the agent's. */
export const DEFAULT_HOST_SOCKET = "/run/outcalld/host.sock";

/** Where the agent socket is (S004-FR-002). */
export const DEFAULT_AGENT_SOCKET = "/run/outcall/agent.sock";

/** Where rule files are (S003-FR-027). */
export const DEFAULT_RULES_DIR = "/etc/outcall/rules.d";

/** What the daemon keeps between runs. */
export const DEFAULT_STATE_DIR = "/var/lib/outcall";

/** The bridge that must be up (S003-FR-033). */
export const DEFAULT_BRIDGE = "outcall0";

/** Where Docker's engine answers. */
export const DEFAULT_DOCKER_SOCKET = "/var/run/docker.sock";

/** How long the daemon evaluates for an agent (S004-FR-013). */
export const DEFAULT_AGENT_TIMEOUT = "5s";

/** How long decisions are kept. */
export const DEFAULT_LOG_KEEP = "30d";

/** How large the decision log becomes. */
export const DEFAULT_LOG_MAX = "1GB";

/** The ways to find out which container a process is in, of which `auto` chooses one. */
export const CONTAINER_SOURCES = ["auto", "docker", "cgroup", "namespace"] as const;

/** The way where the operator names none. */
export const DEFAULT_CONTAINER_SOURCE = "auto";

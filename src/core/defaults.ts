// Defaults and choices of flags that several programs share. The daemon creates these paths and names, and the other programs
// look for them there.

/** The host socket. It has a directory of its own, because containers mount the directory of the agent socket. */
export const DEFAULT_HOST_SOCKET = "/run/outcalld/host.sock";

/** The agent socket (S004-FR-002). */
export const DEFAULT_AGENT_SOCKET = "/run/outcall/agent.sock";

/** The rules directory (S003-FR-027). */
export const DEFAULT_RULES_DIR = "/etc/outcall/rules.d";

/** The state directory, for everything that the daemon keeps between runs. */
export const DEFAULT_STATE_DIR = "/var/lib/outcall";

/** The bridge that must be up (S003-FR-033). */
export const DEFAULT_BRIDGE = "outcall0";

/** The socket of the Docker engine. */
export const DEFAULT_DOCKER_SOCKET = "/var/run/docker.sock";

/** How long an evaluation for an agent may take (S004-FR-015). */
export const DEFAULT_AGENT_TIMEOUT = "5s";

/** How long decisions are kept. */
export const DEFAULT_LOG_KEEP = "30d";

/** How large the decision log becomes. */
export const DEFAULT_LOG_MAX = "1GB";

/** The container sources, which find out in which container a process is; `auto` chooses one of the others. */
export const CONTAINER_SOURCES = ["auto", "docker", "cgroup", "namespace"] as const;

/** The container source that is used if the operator names none. */
export const DEFAULT_CONTAINER_SOURCE = "auto";

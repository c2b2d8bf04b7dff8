// The command line of outcalld.
import type { Program } from "../command/command.ts";
import {
  DEFAULT_AGENT_SOCKET,
  DEFAULT_BRIDGE,
  DEFAULT_DOCKER_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../core/defaults.ts";

/** How long records of decisions are kept by default. */
export const DEFAULT_LOG_KEEP = "30d";

/** How many bytes of them are kept by default. */
export const DEFAULT_LOG_MAX = "1GB";

/** The command table of outcalld. */
export const OUTCALLD: Program = {
  name: "outcalld",
  summary: "outcalld decides by the operator's rules what agents in containers may do",
  environment: true,
  flags: [],
  commands: [{
    path: [],
    summary: "",
    arguments: [],
    flags: [
      { name: "rules-dir", value: "path", summary: "directory of rule files", default: DEFAULT_RULES_DIR },
      { name: "socket", value: "path", summary: "host socket, for the operator", default: DEFAULT_HOST_SOCKET },
      { name: "agent-socket", value: "path", summary: "agent socket, for containers", default: DEFAULT_AGENT_SOCKET },
      {
        name: "state-dir",
        value: "path",
        summary: "directory of what is kept between runs",
        default: DEFAULT_STATE_DIR,
      },
      {
        name: "containers",
        value: "source",
        summary: "where to look up the container of a process",
        choices: ["auto", "docker", "cgroup", "namespace"],
        default: "auto",
      },
      {
        name: "docker-socket",
        value: "path",
        summary: "socket of the Docker Engine API",
        default: DEFAULT_DOCKER_SOCKET,
      },
      { name: "cgroup-owner", value: "uid", summary: "user besides root that may own containers' cgroups" },
      {
        name: "operators-group",
        value: "group",
        summary: "group whose members may make the calls of the host socket that change nothing",
      },
      { name: "require-label", value: "label", summary: "key or key=value that a container must carry to check in" },
      { name: "bridge", value: "name", summary: "bridge that must be up, or none", default: DEFAULT_BRIDGE },
      { name: "watch", summary: "reload when the rules directory changes; on by default", negatable: true },
      { name: "agent-timeout", value: "duration", summary: "time limit of an evaluation for an agent", default: "5s" },
      { name: "agent-perm-rate", value: "rate", summary: "permission requests of a container", default: "100/10" },
      { name: "agent-rule-rate", value: "rate", summary: "rule requests of a container", default: "10/60" },
      { name: "rulespec", value: "file", summary: "rulespec that envelopes are checked against" },
      {
        name: "rulespec-dir",
        value: "path",
        summary: "directory of rulespecs instead: <container name>.yaml, else default.yaml",
      },
      {
        name: "log-format",
        value: "format",
        summary: "format of the log; auto is text on a terminal, else json",
        choices: ["auto", "json", "text"],
        default: "auto",
      },
      {
        name: "log-level",
        value: "level",
        summary: "lowest level that is logged",
        choices: ["debug", "info", "warning", "error"],
        default: "info",
      },
      { name: "log-keep", value: "age", summary: "how long records of decisions are kept", default: DEFAULT_LOG_KEEP },
      { name: "log-max", value: "size", summary: "how many bytes of records are kept", default: DEFAULT_LOG_MAX },
      { name: "check", summary: "analyse the rules and the rulespecs, print the findings, exit" },
    ],
  }],
};

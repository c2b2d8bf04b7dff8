// The command line of outcalld.
import { defineProgram } from "../command/command.ts";
import {
  CONTAINER_SOURCES,
  DEFAULT_AGENT_SOCKET,
  DEFAULT_AGENT_TIMEOUT,
  DEFAULT_BRIDGE,
  DEFAULT_CONTAINER_SOURCE,
  DEFAULT_DOCKER_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_LOG_KEEP,
  DEFAULT_LOG_MAX,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../core/defaults.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../log/logger.ts";
import { DEFAULT_RATES } from "../session/rates.ts";
import * as values from "./flag-values.ts";

/** The command table of outcalld. */
export const OUTCALLD = defineProgram({
  name: "outcalld",
  summary: "outcalld decides, by the operator's rules, what agents in containers may do.",
  environment: true,
  flags: {},
  commands: [{
    usage: "",
    summary: "",
    flags: {
      "rules-dir": { value: "path", summary: "directory of rule files", default: DEFAULT_RULES_DIR },
      socket: {
        value: "path",
        summary: "host socket, for the operator",
        default: DEFAULT_HOST_SOCKET,
        reads: values.readSocketPath,
      },
      "agent-socket": {
        value: "path",
        summary: "agent socket, for containers",
        default: DEFAULT_AGENT_SOCKET,
        reads: values.readSocketPath,
      },
      "state-dir": {
        value: "path",
        summary: "directory for the decision log, rule requests, envelopes and keys",
        default: DEFAULT_STATE_DIR,
      },
      containers: {
        value: "source",
        summary: "how the daemon finds out which container a process is in",
        choices: CONTAINER_SOURCES,
        default: DEFAULT_CONTAINER_SOURCE,
      },
      "docker-socket": {
        value: "path",
        summary: "socket of the Docker Engine API",
        default: DEFAULT_DOCKER_SOCKET,
      },
      "cgroup-owner": {
        value: "uid",
        summary: "user besides root that may own the cgroups of containers, for a rootless engine",
        reads: values.readUid,
      },
      "operators-group": {
        value: "group",
        summary: "group whose members may make the calls of the host socket that change nothing",
      },
      "require-label": {
        value: "label",
        summary: "key or key=value; only containers that carry this label may check in",
        reads: values.readLabel,
      },
      bridge: {
        value: "name",
        summary: "bridge that must be up, or none",
        default: DEFAULT_BRIDGE,
        reads: values.readBridge,
      },
      watch: { summary: "reload when the rules directory changes", negatable: true, default: true },
      "agent-timeout": {
        value: "duration",
        summary: "how long an evaluation for an agent may take",
        default: DEFAULT_AGENT_TIMEOUT,
        reads: values.readTimeout,
      },
      "agent-perm-rate": {
        value: "rate",
        summary: "permission requests that a container may send, as count/seconds",
        default: values.formatRate(DEFAULT_RATES.permissions),
        reads: values.readRate,
      },
      "agent-rule-rate": {
        value: "rate",
        summary: "rule requests that a container may send, as count/seconds",
        default: values.formatRate(DEFAULT_RATES.ruleRequests),
        reads: values.readRate,
      },
      rulespec: { value: "file", summary: "rulespec by which the envelopes of all containers are verified" },
      "rulespec-dir": {
        value: "path",
        summary: "directory of rulespecs: <container name>.yaml, else default.yaml; instead of --rulespec",
      },
      "log-format": {
        value: "format",
        summary: "format of log records; auto is text on a terminal, else json",
        choices: LOG_FORMATS,
        default: "auto",
      },
      "log-level": { value: "level", summary: "lowest level that is logged", choices: LOG_LEVELS, default: "info" },
      "log-keep": {
        value: "age",
        summary: "how long decisions are kept",
        default: DEFAULT_LOG_KEEP,
        reads: values.readAge,
      },
      "log-max": {
        value: "size",
        summary: "how large the decision log may become",
        default: DEFAULT_LOG_MAX,
        reads: values.readLogSize,
      },
      check: { summary: "analyse the rules and the rulespecs, print the findings, and exit" },
    },
    examples: [
      ["outcalld", `serve the rules of ${DEFAULT_RULES_DIR}`],
      ["outcalld --check --rules-dir ./rules.d", "analyse rules without serving anything; exit 1 if they do not load"],
      ["outcalld --bridge none --containers docker", "serve without a bridge, for the containers of Docker alone"],
    ],
  }],
});

// Structured log records on standard error, by LogTape: one line each, with foreign text escaped, as JSON for machines or as text
// for a terminal.
import { configureSync, getLogger, type LogLevel, type LogRecord } from "@logtape/logtape";
import { formatJson } from "../core/json.ts";
import { LateLines } from "./late-lines.ts";

/** The members of a record besides its time, level and event. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | readonly string[] | undefined>>;

/** Writes records: the event names what happened, and the fields give the details. */
export type Log = {
  readonly debug: (event: string, fields: LogFields) => void;
  readonly info: (event: string, fields: LogFields) => void;
  readonly warning: (event: string, fields: LogFields) => void;
  readonly error: (event: string, fields: LogFields) => void;
  /** Whether records of the level `debug` are written; true by default. */
  readonly writesDebug?: boolean;
};

/** The formats of log records; `auto` is text on a terminal, else JSON. */
export const LOG_FORMATS = ["auto", "json", "text"] as const;

/** The levels of log records, from the least important to the most. */
export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const;

/** The settings of the log: the form of a line, and the lowest level that is written. */
export type LogConfig = {
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly logLevel: (typeof LOG_LEVELS)[number];
};

/** Writes a line. */
export type WriteLine = (line: string) => void;

/** Sets up LogTape for this process and returns the log. */
export function startLog(config: LogConfig, isTerminal: boolean, write: WriteLine): Log {
  const text = config.logFormat === "text" || (config.logFormat === "auto" && isTerminal);
  const format = text ? formatTextRecord : formatJsonRecord;
  const lines = new LateLines(write);
  configureSync({
    reset: true,
    sinks: { lines: (record: LogRecord) => lines.line(`${format(record)}\n`) },
    loggers: [
      { category: "outcalld", lowestLevel: config.logLevel, sinks: ["lines"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["lines"] },
    ],
  });
  const logger = getLogger("outcalld");
  const writer = (level: LogLevel): Log["info"] => {
    if (!logger.isEnabledFor(level)) return () => {};
    const isUrgent = level !== "info" && level !== "debug";
    return (event, fields) => {
      const timestamp = Date.now();
      const say = () => {
        logger.emit({ timestamp, level, rawMessage: event, message: [event], properties: { ...fields } });
      };
      lines.note(say, isUrgent);
    };
  };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warning: writer("warning"),
    error: writer("error"),
    writesDebug: logger.isEnabledFor("debug"),
  };
}

/** One JSON object a line: `time`, `level`, `event`, then the fields. */
function formatJsonRecord(record: LogRecord): string {
  const { timestamp, level, properties } = record;
  const event = record.message.join("");
  return formatJson({ time: new Date(timestamp).toISOString(), level, event, ...properties });
}

/** Longest value in a line of text. */
const VALUE_LENGTH = 1_000;

function cut(text: string): string {
  return text.length <= VALUE_LENGTH ? text : `${text.slice(0, VALUE_LENGTH)}...`;
}

/** One line: time, level, event, then `name=value`. A value that is not plain is quoted as JSON, so it never looks like a field. */
function formatTextRecord(record: LogRecord): string {
  const { timestamp, level, properties } = record;
  const fields = Object.entries(properties).filter(([, value]) => value != null).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : String(value);
    return `${name}=${/^[\w.:/@%+-]+$/.test(text) ? text : formatJson(cut(text))}`;
  });
  const time = new Date(timestamp).toISOString();
  return [time, level.padEnd(7), record.message.join(""), ...fields].join(" ");
}

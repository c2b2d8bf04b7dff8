// The names of the files that a verification writes.

/** The stored envelope, the program, and the report. */
export const VERIFICATION_FILES = {
  envelope: "envelope.yaml",
  program: "rulespec.compiled.dl",
  report: "datalog_evaluation.txt",
} as const;

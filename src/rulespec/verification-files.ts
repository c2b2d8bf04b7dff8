// The names of the files that a verification leaves, in a directory of its own.

/** The envelope as it is kept, the program, and the report. */
export const VERIFICATION_FILES = {
  envelope: "envelope.yaml",
  program: "rulespec.compiled.dl",
  report: "datalog_evaluation.txt",
} as const;

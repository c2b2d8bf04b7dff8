// Failures of the build scripts: one error class for what the person at the terminal can mend, printed as one line by
// `runMain`. Anything else that is thrown is a bug and keeps its stack.

/** A failure whose message is all that its reader needs. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** Ends the script's work with a message: lower case, what failed, then found and wanted. */
export function fail(message: string): never {
  throw new Failure(message);
}

/** Runs a script's main and ends the process with the status it gives, or with 1 and a line for a failure. */
export async function runMain(main: () => number | Promise<number>): Promise<never> {
  try {
    process.exit(await main());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
}

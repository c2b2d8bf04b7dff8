// Failures of the build scripts. A `Failure` is an error that the person at the terminal can fix; `runMain` prints it
// as one line. Any other exception is a bug and keeps its stack trace.

/** A failure whose message tells the reader everything needed. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** Stops the script with a message: lower case, what failed, then found and wanted. */
export function fail(message: string): never {
  throw new Failure(message);
}

/** Runs a script's main function and exits with its status. A `Failure` is printed as one line and exits with 1. */
export async function runMain(main: () => number | Promise<number>): Promise<never> {
  try {
    process.exit(await main());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
}

// The version of the product, the same in all three programs; a test compares it with package.json.

/** The version that `--version` prints. */
export const VERSION = "0.1.0";

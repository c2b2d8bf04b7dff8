// The words that generated conditions and contexts share, so that conditions match often enough.

/** Strings, most of them typical of requests, some unusual. */
export const TEXTS: readonly string[] = [
  ...["", "a", "b", "ab", "GET", "POST", "get", "tcp", "udp", "A", "TXT", "git", "ls", "push", "-f", "--force", "main"],
  ...[
    "github.com",
    "api.github.com",
    "evil.example",
    "/api/v3/repos",
    "/api",
    "/w/x",
    "10.0.0.1",
    "10.0.0.0/8",
    "2001:DB8::1",
    "::ffff:1.2.3.4",
    "alpine:3",
    "1",
    "443",
  ],
  ...["true", "x😀é", "éa", " a ", "$gh", "a\nb", 'say "hi"', "back\\slash", "\u0000", "\uffee", "\uffee", "😀", "😀"],
];

/** Keys of open maps, including keys that are special in JavaScript. */
export const KEYS: readonly string[] = [
  ...["a", "b", "flag", "team", "x-team", "user-agent", "1", "2", "__proto__", "constructor", "toString", "", "é"],
  ...["action_type", "target"],
];

/** Keys that can be written as field selections. */
export const FIELDS: readonly string[] = ["a", "b", "flag", "team", "__proto__", "constructor", "nope", "target"];

/** Whole numbers. */
export const INTS: readonly number[] = [0, 1, 2, 3, -1, 22, 53, 80, 443, 1024, 65535, 2 ** 31, Number.MAX_SAFE_INTEGER];

/** Patterns with the same meaning in RE2 and JavaScript for the strings above. */
export const PATTERNS: readonly string[] = [
  ...["a", "^a", "b$", "^git$", "^[a-z]+$", "[0-9]+", "^/api(/v[0-9])?", "github\\.com$", "(a|b)+", "", "^$", "\\pL"],
  ...["^x\\S+$", "hub|lab", "^10\\.0\\.", "^-{1,2}f"],
];

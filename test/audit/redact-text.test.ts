// Secrets in texts of every kind are removed, and the text around them is kept.
import { describe, expect, test } from "bun:test";
import { hideQuery } from "../../src/audit/hide-urls.ts";
import { redactText } from "../../src/audit/redact-text.ts";

const cases: readonly { readonly note: string; readonly text: string; readonly gives: string }[] = [
  { note: "nothing to hide", text: "git push origin main", gives: "git push origin main" },
  { note: "a path", text: "/usr/bin/git", gives: "/usr/bin/git" },
  { note: "a host", text: "api.github.com:443", gives: "api.github.com:443" },
  { note: "an address of mail", text: "git@github.com:a/b.git", gives: "git@github.com:a/b.git" },
  { note: "an image by digest", text: "reg:5000/img@sha256:ab", gives: "reg:5000/img@sha256:ab" },
  { note: "a question", text: "what?", gives: "what?" },
  { note: "a hyphenated word", text: "task-force sk-learning", gives: "task-force sk-learning" },
  { note: "a query string", text: "https://h/p?q=1", gives: "https://h/p?<query 3 bytes>" },
  { note: "a fragment", text: "https://h/p#access=1", gives: "https://h/p#<fragment 8 bytes>" },
  { note: "both", text: "https://h?a#b", gives: "https://h?<query 1 bytes>#<fragment 1 bytes>" },
  { note: "user info", text: "https://u:pw@h:8/p", gives: "https://<user info 4 bytes>@h:8/p" },
  { note: "a user alone", text: "ssh://git@h/p", gives: "ssh://<user info 3 bytes>@h/p" },
  { note: "two at signs", text: "https://u:p@w@h/p", gives: "https://<user info 5 bytes>@h/p" },
  { note: "a slash in the password", text: "https://u:p/w@h/p", gives: "https://<user info 5 bytes>@h/p" },
  { note: "an IPv6 host", text: "http://[::1]:80/a@b", gives: "http://[::1]:80/a@b" },
  { note: "a scope in a path", text: "https://r/@scope/pkg", gives: "https://r/@scope/pkg" },
  {
    note: "URLs in the middle",
    text: "see (http://a?x) and http://b/c?y.",
    gives: "see (http://a?<query 2 bytes> and http://b/c?<query 2 bytes>",
  },
  { note: "a query without a scheme", text: "curl h/p?a=b", gives: "curl h/p?<query 3 bytes>" },
  { note: "a proxy without a scheme", text: "u:pw@proxy:8080", gives: "<user info 4 bytes>@proxy:8080" },
  { note: "an authorization", text: "Authorization: Bearer abc", gives: "Authorization: <header 10 bytes>" },
  { note: "no blank", text: "authorization:Basic dTpw", gives: "authorization:<header 10 bytes>" },
  { note: "of a proxy", text: "Proxy-Authorization: x y", gives: "Proxy-Authorization: <header 3 bytes>" },
  { note: "to the line's end alone", text: "Cookie: a=b; c\nnext", gives: "Cookie: <header 6 bytes>\nnext" },
  { note: "a scheme alone", text: "send bearer abcd now", gives: "send bearer <token 4 bytes> now" },
  { note: "basic", text: "Basic dXNlcjp4==", gives: "Basic <token 10 bytes>" },
  { note: "password=", text: "password=hunter2", gives: "password=<argument 7 bytes>" },
  { note: "password: quoted", text: `password: "a b" c`, gives: "password: <argument 5 bytes> c" },
  { note: "JSON", text: `{"api_key":"x","user":"u"}`, gives: `{"api_key":<argument 3 bytes>,"user":"u"}` },
  { note: "a compound name", text: "db.passwd=x y", gives: "db.passwd=<argument 1 bytes> y" },
  { note: "camel case", text: "clientSecret: x", gives: "clientSecret: <argument 1 bytes>" },
  { note: "inside quotes", text: `-d "a=b&token=c d" e`, gives: `-d "a=b&token=<argument 3 bytes>" e` },
  { note: "no value", text: "password=", gives: "password=" },
  { note: "an author is no auth", text: "author=bob", gives: "author=bob" },
];

// Fake tokens in real formats. They are assembled at run time, so that no secret scanner reports this file.
const TOKENS: readonly (readonly [string, string])[] = [
  ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"],
  ["gho_", "16C7e42F292c6912E7710c838347Ae178B4a"],
  ["github_pat_", "11ABCDE0000abcdefghij_0123456789"],
  ["glpat-", "abcdefghij0123456789"],
  ["xoxb-", "123456789012-abcdefGHIJKL"],
  ["xoxp-", "123-456-abc"],
  ["AKIA", "IOSFODNN7EXAMPLE"],
  ["ASIA", "IOSFODNN7EXAMPLE"],
  ["AIza", "SyA1234567890abcdefghijklmnopqrstuv"],
  ["sk-", "proj-abc123def456ghi789"],
  ["sk-ant-", "api03-abcdefghijklmnop"],
  ["sk_live_", "abcdefghij"],
  ["npm_", "abcdefghijklmnopqrstuvwxyz0123456789"],
  ["eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"],
  ["pypi-", "AgEIcHlwaS5vcmcCJDAwMDAwMDAw"],
  ["hf_", "abcdefghijklmnopqrstuvwxyz"],
  ["dckr_pat_", "abcdefghij"],
  ["SG.", "abcdefghijklmnopqrst.abcdefghijkl"],
  ["tok-", "A".repeat(43)],
];

describe("redactText", () => {
  for (const { note, text, gives } of cases) {
    test(`${note}: ${text}`, () => {
      expect(redactText(text)).toBe(gives);
    });
  }

  for (const [prefix, rest] of TOKENS) {
    const token = `${prefix}${rest}`;
    test(`a token that begins with ${prefix}`, () => {
      const hidden = `<token ${token.length} bytes>`;
      expect(redactText(token)).toBe(hidden);
      expect(redactText(`x ${token} y`)).toBe(`x ${hidden} y`);
      expect(redactText(`/a/${token}/b`)).toBe(`/a/${hidden}/b`);
      expect(redactText(`${token}.evil.example`.toLowerCase())).not.toContain(rest.toLowerCase().slice(0, 12));
    });
  }

  test("a private key, whole and cut", () => {
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAA\n-----END OPENSSH PRIVATE KEY-----`;
    expect(redactText(`a ${key} b`)).toBe(`a <private key ${key.length} bytes> b`);
    expect(redactText(`a ${key.slice(0, 60)}`)).toBe("a <private key 60 bytes>");
  });

  const hostile: readonly (readonly [string, string])[] = [
    ["letters", "a"],
    ["at signs", "a:b@"],
    ["names", "key=key="],
    ["quotes", `"key`],
    ["schemes", "a://"],
    ["questions", "?a"],
    ["keys that do not end", "-----BEGIN PRIVATE KEY"],
    ["dots", "SG.aaaaaaaaaaaaaaaaaaaa"],
    ["blanks", "password   "],
    ["Slack", "xoxb-"],
  ];
  for (const [note, piece] of hostile) {
    // With quadratic time, this would run longer than the test's timeout.
    test(`2 MiB of ${note}`, () => {
      const text = piece.repeat(2 * 1024 * 1024 / piece.length);
      expect(redactText(`${text} password=hunter2`)).not.toContain("hunter2");
    });
  }
});

describe("hideQuery: everything after the first question mark of a path or target", () => {
  for (
    const [text, gives] of [
      ["/a/b", "/a/b"],
      ["/a?b", "/a?<query 1 bytes>"],
      ["h.example/a?b?c", "h.example/a?<query 3 bytes>"],
      ["https://h/a?b", "https://h/a?<query 1 bytes>"],
      ["h:443#x", "h:443#<fragment 1 bytes>"],
    ] as const
  ) {
    test(text, () => expect(hideQuery(text)).toBe(gives));
  }
});

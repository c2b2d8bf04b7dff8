import { describe, expect, test } from "bun:test";
import { parse } from "../../src/cel/parse-expression.ts";
import { hostsOf } from "../../src/request/hosts.ts";

describe("hostsOf shows hosts that a reader may mistake for another host", () => {
  const cases: readonly (readonly [note: string, condition: string, hosts: readonly (readonly [string, string])[]])[] =
    [
      ["plain hosts", 'network.hostname == "github.com"', []],
      ["a letter of another script", 'network.hostname == "gіthub.com"', [["gіthub.com", "xn--gthub-n2e.com"]]],
      ["a list", 'dns.query in ["ex.com", "éx.com"]', [["éx.com", "xn--x-9fa.com"]]],
      ["a dot of another script", 'http.host == "github。com"', [["github。com", "github.com"]]],
      ["an ASCII form, with what it stands for", 'http.host == "xn--gthub-n2e.com"', [[
        "gіthub.com",
        "xn--gthub-n2e.com",
      ]]],
      ["a host twice", 'http.host == "éx.com" || dns.query == "éx.com"', [["éx.com", "xn--x-9fa.com"]]],
      ["no host at all", 'target == "é x"', []],
      ["a text too long for a host", `target == "${"é".repeat(254)}"`, []],
    ];
  for (const [note, condition, hosts] of cases) {
    test(note, () => {
      const parsed = parse(condition);
      expect(parsed.ok && hostsOf(parsed.value.tree)).toEqual(hosts.map(([text, ascii]) => ({ text, ascii })));
    });
  }
});

// Findings about conditions and definitions: the code, the place in the file, the rule and the hint, in every YAML
// style.
import { describe, expect, test } from "bun:test";
import { errorsIn, rules, warningsIn } from "../support/rule/findings.ts";

/** A file whose only rule has a condition in the given YAML style; it starts after `condition:` in line 4. */
function condition(yaml: string): string {
  return `version: "1"\nrules:\n  - id: r\n    condition:${yaml}\n    action: block\n`;
}

const PROT = 'error rule.unknown-field [r] rule "r": namespace network has no field "prot" | did you mean "protocol"?';

describe("the place of an error in a condition", () => {
  const cases: readonly (readonly [note: string, yaml: string, ...places: string[]])[] = [
    ["plain", " network.prot == 1", "4:24-4:28"],
    ["plain over two lines", " true &&\n      network.prot == 1", "5:15-5:19"],
    ["single quotes", " 'dns.query == ''x'' && network.prot == 1'", "4:47-4:51"],
    ["single quotes over two lines", " 'true &&\n\n     network.prot == 1'", "6:14-6:18"],
    ["double quotes with escapes before it", ' "\\x74rue && \\"a\\" == \\"a\\" && network.prot == 1"', "4:54-4:58"],
    ["double quotes with escapes in it", ' "network.\\u0070rot == 1"', "4:25-4:34"],
    ["double quotes with an escaped line break", ' "true &&\\\n     network.prot == 1"', "5:14-5:18"],
    ["a character of two units before it", ' \'"😀" == "é" && network.prot == 1\'', "4:40-4:44"],
    ["a block that keeps its lines", " |\n      true &&\n      network.prot == 1", "6:15-6:19"],
    ["such a block with more indentation", " |\n      true &&\n          network.prot == 1", "6:19-6:23"],
    ["such a block with an indicator", " |2-\n        true &&\n      network.prot == 1", "6:15-6:19"],
    ["such a block behind an empty line", " |+\n\n\n      network.prot == 1\n", "7:15-7:19"],
    ["a block that folds its lines", " >\n      true &&\n      network.prot == 1", "6:15-6:19"],
    [
      "such a block with an empty line and more indentation",
      " >-\n      true &&\n\n        true &&\n      network.prot == 1",
      "8:15-8:19",
    ],
    ["an anchor before it", " &c network.prot == 1", "4:27-4:31"],
    ["a comment of CEL before it", " |\n      // network.nope\n      network.prot == 1", "6:15-6:19"],
    ["two of them", " network.prot == network.prot", "4:24-4:28", "4:40-4:44"],
    ["within has()", " has(network.prot)", "4:28-4:32"],
    ["over two lines itself", " |\n      network\n      .prot == 1", "6:8-6:12"],
  ];
  for (const [note, yaml, ...places] of cases) {
    test(note, () => expect(errorsIn(condition(yaml))).toEqual(places.map((place) => `a.yaml:${place} ${PROT}`)));
  }

  test("lines that end as Windows has it", () => {
    const text = condition(" |\n      true &&\n      network.prot == 1").replaceAll("\n", "\r\n");
    expect(errorsIn(text)).toEqual([`a.yaml:6:15-6:19 ${PROT}`]);
  });

  test("an alias: the place is that of the anchored text", () => {
    const text = rules("id: q, condition: &c network.prot == 1, action: block", "id: r, condition: *c, action: block");
    expect(errorsIn(text)).toEqual([`a.yaml:3:35-3:39 ${PROT.replaceAll('"r"', '"q"').replace("[r]", "[q]")}`]);
  });
});

describe("each code of a condition", () => {
  const cases: readonly (readonly [note: string, condition: string, ...findings: string[]])[] = [
    ["cut off", "true &&", "31-31 rule.cel-syntax unexpected end of expression"],
    ["two expressions", "1 2", "26-27 rule.cel-syntax unexpected character: '2'"],
    [
      "an unknown namespace",
      "netwrok.port == 1",
      '24-31 rule.unknown-field unknown name "netwrok" | did you mean "network"?',
    ],
    [
      "an unknown field",
      "http.pth == 1",
      '29-32 rule.unknown-field namespace http has no field "pth" | did you mean "path"?',
    ],
    [
      "one like no other",
      "zzzzzz == 1",
      '24-30 rule.unknown-field unknown name "zzzzzz" | write text in quotes: "zzzzzz"',
    ],
    [
      "an unknown function",
      "dns.query.startWith('a')",
      '24-48 rule.type unknown function "startWith" | did you mean "startsWith"?',
    ],
    [
      "a function called as a method",
      "dns.query.string() == ''",
      "24-42 rule.type string is not called on a value | write string(x)",
    ],
    [
      "a method called as a function",
      "trim(dns.query) == ''",
      "24-39 rule.type trim is called on a value | write x.trim(...)",
    ],
    [
      "operands of different types",
      "network.port == '443'",
      "24-45 rule.type no such overload: int == string | write the number without quotes: 443",
    ],
    [
      "a namespace alone",
      "size(http) == 1",
      "29-33 rule.type http is a namespace and has no value of its own | name one of its fields, as in has(http.field)",
    ],
    ["dyn", "dyn(1) == 1", "24-30 rule.type dyn() is not available in conditions"],
    ["a pattern that is none", "dns.query.matches('(')", "42-45 rule.regex pattern is not RE2: missing closing ): `(`"],
    [
      "a pattern that is no literal",
      "dns.query.matches(target)",
      "42-48 rule.regex a pattern must be a string literal",
    ],
    [
      "a number too great",
      "network.port == 9223372036854775808",
      '40-59 rule.cel-syntax integer out of range: "9223372036854775808"',
    ],
    ["a definition that is none", "$nope", '24-29 rule.undefined-definition undefined definition "$nope"'],
    ["a sign without a name", "$ == 1", "24-25 rule.cel-syntax unexpected character: $"],
    [
      "escape sequences are shown, not sent",
      "'\u202e' == nope",
      '31-35 rule.unknown-field unknown name "nope" | write text in quotes: "nope"',
    ],
  ];
  for (const [note, text, ...findings] of cases) {
    test(note, () => {
      const found = errorsIn(condition(` ${JSON.stringify(text)}`));
      const wanted = findings.map((finding) => {
        const [, start = "", end = "", code = "", rest = ""] = /^(\d+)-(\d+) (\S+) (.*)$/.exec(finding) ?? [];
        // The columns are for a plain scalar, which starts in column 16; in a quoted one they are one higher.
        const shift = (column: string): number => Number(column) - 8 + 1;
        return `a.yaml:4:${shift(start)}-4:${shift(end)} error ${code} [r] rule "r": ${rest}`;
      });
      expect(found).toEqual(wanted);
    });
  }
});

describe("errors and definitions", () => {
  const cases:
    readonly (readonly [note: string, definitions: string, conditions: readonly string[], ...findings: string[]])[] = [
      [
        "an error wholly in a definition: the definition's place, the first rule that uses it, once",
        "a: network.prot == 1",
        ["$a", "$a || true"],
        '3:14-3:18 error rule.unknown-field [r0] rule "r0" and 1 other rule, in definition "a": namespace network has no field "prot" | did you mean "protocol"?',
      ],
      [
        "A4: once, with the number of rules that use it through others too",
        "a: network.prot == 1\n  b: $a\n  c: $b || $a",
        ["true", "$b", "$c", "$a && $b", "true"],
        '3:14-3:18 error rule.unknown-field [r1] rule "r1" and 2 other rules, in definition "a": namespace network has no field "prot" | did you mean "protocol"?',
      ],
      [
        "A4: a definition that is no expression, with the number of rules that use it",
        "a: false) ||",
        ["$a", "$a"],
        '3:11-3:12 error rule.cel-syntax [r0] definition "a": unexpected character: \')\', used by rule "r0" and 1 other rule',
      ],
      [
        "in a definition of a definition",
        "a: network.prot == 1\n  b: true && $a",
        ["true", "$b"],
        '3:14-3:18 error rule.unknown-field [r1] rule "r1", in definition "a": namespace network has no field "prot" | did you mean "protocol"?',
      ],
      [
        "in a block that is a definition",
        "a: |\n    true &&\n    network.prot == 1",
        ["$a"],
        '5:13-5:17 error rule.unknown-field [r0] rule "r0", in definition "a": namespace network has no field "prot" | did you mean "protocol"?',
      ],
      [
        "an operator of the rule on a definition: the rule's own",
        "p: network.port",
        ["$p == '443'"],
        '5:28-5:37 error rule.type [r0] rule "r0": no such overload: int == string | write the number without quotes: 443',
      ],
      [
        "a sign before a definition",
        "p: network.port",
        ["true && !$p"],
        '5:34-5:35 error rule.type [r0] rule "r0": no such overload: !int',
      ],
      [
        "an operator of a definition on a definition: that definition's own",
        "p: network.port\n  q: $p == '443'",
        ["$q"],
        '4:8-4:17 error rule.type [r0] rule "r0", in definition "q": no such overload: int == string | write the number without quotes: 443',
      ],
      [
        "a definition that is no expression by itself",
        "a: false) || (true",
        ["$a && true"],
        '3:11-3:12 error rule.cel-syntax [r0] definition "a": unexpected character: \')\', used by rule "r0"',
      ],
      [
        "a rule that is none by itself, beside a sound definition",
        "a: 'true'",
        ["$a &&"],
        '5:31-5:31 error rule.cel-syntax [r0] rule "r0": unexpected end of expression',
      ],
      [
        "an undefined name in a definition names a rule that uses it",
        "a: $nope\n  b: $a",
        ["$b"],
        '3:6-3:11 error rule.undefined-definition [r0] definition "a": undefined definition "$nope", used by rule "r0"',
      ],
      [
        "and in the rule",
        "git: 'true'",
        ["$git", "$gti || $git"],
        '6:26-6:30 error rule.undefined-definition [r1] rule "r1": undefined definition "$gti" | did you mean "git"?',
      ],
      [
        "a circle",
        "a: $b\n  b: $a",
        ["true", "$b"],
        '3:3-3:4 error rule.definition-cycle [r1] definitions refer to each other in a circle: a -> b -> a, used by rule "r1"',
      ],
      [
        "an error in a definition that no rule uses names no rule",
        "a: network.prot == 1\n  b: $a",
        [],
        '3:14-3:18 error rule.unknown-field definition "a": namespace network has no field "prot" | did you mean "protocol"?',
      ],
      [
        "a field cannot be a definition",
        "port: 'true'",
        ["network.$port == 1"],
        '5:34-5:39 error rule.cel-syntax [r0] rule "r0": a definition is an expression and cannot be a field: "$port"',
      ],
      [
        "nor can a function",
        "f: 'true'",
        ["$f(1)"],
        '5:26-5:28 error rule.cel-syntax [r0] rule "r0": a definition is an expression and cannot be a function: "$f"',
      ],
    ];
  for (const [note, definitions, conditions, ...findings] of cases) {
    test(note, () => {
      const each = conditions.map((text, at) =>
        `  - {id: r${at}, condition: ${JSON.stringify(text)}, action: block}\n`
      );
      const text = `version: "1"\ndefinitions:\n  ${definitions}\nrules:\n${each.join("")}`;
      expect(errorsIn(text)).toEqual(findings.map((finding) => `a.yaml:${finding}`));
    });
  }

  test("the names in a definition refer to the scope in which it is inserted", () => {
    const text = 'version: "1"\ndefinitions: {force: a == "-f"}\nrules:\n' +
      "  - {id: r, condition: 'run.args.exists(a, $force)', action: block}\n";
    expect(errorsIn(text)).toEqual([]);
  });
});

describe("unused definitions", () => {
  const cases: readonly (readonly [note: string, definitions: string, condition: string, ...unused: string[]])[] = [
    ["all are used", "a: 'true'", "$a"],
    ["used by one that is used", "a: 'true'\n  b: $a", "$b"],
    ["used by one that is not", "a: 'true'\n  b: $a", "true", "3:3-3:4 a", "4:3-4:4 b"],
    ["named in a string and in a comment", "a: 'true'", "'$a' == '' // $a", "3:3-3:4 a"],
    ["used by nothing but itself would be a circle", "a: 'true'\n  ab: 'true'", "$ab", "3:3-3:4 a"],
  ];
  for (const [note, definitions, text, ...unused] of cases) {
    test(note, () => {
      const file = `version: "1"\ndefinitions:\n  ${definitions}\nrules:\n  - {id: r, condition: ${
        JSON.stringify(text)
      }, action: block}\n`;
      expect(warningsIn(file, "rule.unused-definition")).toEqual(unused.map((each) => {
        const [place, name] = each.split(" ");
        return `a.yaml:${place} warning rule.unused-definition definition "${name}" is used by no rule`;
      }));
    });
  }
});

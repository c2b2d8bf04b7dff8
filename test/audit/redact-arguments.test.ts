// Argument vectors and shell lines: removes values of flags that are named like secrets, and values in headers and
// environment variables.
import { describe, expect, test } from "bun:test";
import { redactArguments, redactLine } from "../../src/audit/redact-arguments.ts";

const A = (bytes: number) => `<argument ${bytes} bytes>`;

const vectors: readonly { program?: string; argv: readonly string[]; gives: readonly string[] }[] = [
  { argv: ["push", "-f", "origin"], gives: ["push", "-f", "origin"] },
  { argv: ["--password", "pw", "x"], gives: ["--password", A(2), "x"] },
  { argv: ["--password=pw", "x"], gives: [`--password=${A(2)}`, "x"] },
  { argv: ["-password", "pw"], gives: ["-password", A(2)] },
  { argv: ["--api-key", "-k-e-y"], gives: ["--api-key", A(6)] },
  { argv: ["--token", "--secret", "s"], gives: ["--token", A(8), A(1)] },
  { argv: ["--access_token=a=b"], gives: [`--access_token=${A(3)}`] },
  { argv: ["--client-secret", ""], gives: ["--client-secret", A(0)] },
  { argv: ["--keyFile=/k"], gives: [`--keyFile=${A(2)}`] },
  { argv: ["-Djavax.net.ssl.keyStorePassword=pw"], gives: [`-Djavax.net.ssl.keyStorePassword=${A(2)}`] },
  { argv: ["TOKEN=x", "CC=gcc"], gives: [`TOKEN=${A(1)}`, "CC=<environment 3 bytes>"] },
  {
    argv: ["run", "-e", "DB=x", "--env=A=b"],
    gives: ["run", "-e", "DB=<environment 1 bytes>", "--env=A=<environment 1 bytes>"],
  },
  { argv: ["-H", "X-Key: v"], gives: ["-H", "X-Key: <header 1 bytes>"] },
  { argv: ["-H", "Accept: */*"], gives: ["-H", "Accept: <header 3 bytes>"] },
  { argv: ["--header=A: b"], gives: ["--header=A: <header 1 bytes>"] },
  { argv: ["--header", "odd"], gives: ["--header", "<header 3 bytes>"] },
  { argv: ["-u", "me:pw", "h"], gives: ["-u", "<user info 5 bytes>", "h"] },
  { argv: ["-u", "me", "h"], gives: ["-u", "me", "h"] },
  { argv: ["--user=me:pw"], gives: ["--user=<user info 5 bytes>"] },
  { argv: ["Authorization:", "Bearer", "abc"], gives: ["Authorization:", A(6), A(3)] },
  { argv: ["set", "aws_secret_access_key", "abc"], gives: ["set", "aws_secret_access_key", A(3)] },
  { argv: ["config", "user.password", "abc"], gives: ["config", "user.password", A(3)] },
  { argv: ["-p", "8080:80"], gives: ["-p", "8080:80"] },
  { argv: ["-p", "dir"], program: "/bin/mkdir", gives: ["-p", "dir"] },
  { argv: ["-p", "pw", "ssh"], program: "/usr/bin/sshpass", gives: ["-p", A(2), "ssh"] },
  { argv: ["-ppw", "db"], program: "mysql", gives: [`-p${A(2)}`, "db"] },
  { argv: ["-a", "pw"], program: "redis-cli", gives: ["-a", A(2)] },
  { argv: ["login", "-u", "me", "-p", "pw"], program: "docker", gives: ["login", "-u", "me", "-p", A(2)] },
  { argv: ["https://u:p@h/x?y"], gives: ["https://<user info 3 bytes>@h/x?<query 1 bytes>"] },
];

describe("redactArguments", () => {
  for (const { program, argv, gives } of vectors) {
    test(`${program ?? ""} ${argv.join(" ")}`, () => expect(redactArguments(argv, program)).toEqual(gives));
  }
});

const lines: readonly (readonly [line: string, gives: string])[] = [
  ["git push && ls", "git push && ls"],
  [`x --password pw y`, `x --password ${A(2)} y`],
  [`x --password 'p w' y`, `x --password '${A(3)}' y`],
  [`x --password "p"'w' y`, `x --password ${A(2)} y`],
  [`x --pass"word"=pw y`, `x --password=${A(2)} y`],
  [`x --token \\\n t y`, `x --token ${A(1)} t y`],
  [`FOO=bar x`, `FOO=<environment 3 bytes> x`],
  [`curl -H 'Authorization: Bearer abc' http://h`, `curl -H 'Authorization: <header 10 bytes>' http://h`],
  [`curl -H Authorization:\\ Bearer\\ abc http://h`, `curl -H Authorization: <header 10 bytes> http://h`],
  [`echo "password: a b" | x`, `echo "password: <argument 3 bytes>" | x`],
  [`mysql -ppw db | gzip`, `mysql -p${A(2)} db | gzip`],
  [`sshpass -p pw ssh h`, `sshpass -p ${A(2)} ssh h`],
  [
    `cat <<E\n-----BEGIN RSA PRIVATE KEY-----\nAB CD\n-----END RSA PRIVATE KEY-----\nE`,
    "cat <<E\n<private key 67 bytes>\nE",
  ],
  [`echo it's`, `echo it's`],
  [`x "--token" "t"`, `x "--token" "${A(1)}"`],
];

describe("redactLine", () => {
  for (const [line, gives] of lines) test(line, () => expect(redactLine(line)).toBe(gives));

  test("2 MiB of words", () => {
    const line = `${"--a 'b' ".repeat(256 * 1024)} --password hunter2`;
    expect(redactLine(line)).not.toContain("hunter2");
  });
});

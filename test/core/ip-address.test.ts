// Which texts are addresses and networks, and which addresses a network contains. Accepts what Go's net/netip accepts,
// without zones and IPv4-mapped addresses.
import { describe, expect, test } from "bun:test";
import { containsCidr, containsIp, isMasked, parseCidr, parseIp } from "../../src/core/ip-address.ts";
import { isGlobalUnicast, isLinkLocalUnicast, isLoopback, isPrivate } from "../../src/core/ip-ranges.ts";

describe("parseIp", () => {
  const taken: readonly (readonly [text: string, family: 4 | 6, bits: bigint])[] = [
    ["0.0.0.0", 4, 0n],
    ["1.2.3.4", 4, 0x01020304n],
    ["255.255.255.255", 4, 0xffffffffn],
    ["::", 6, 0n],
    ["::1", 6, 1n],
    ["1::", 6, 1n << 112n],
    ["1:2:3:4:5:6:7:8", 6, 0x00010002000300040005000600070008n],
    ["1:2:3:4:5:6:7::", 6, 0x00010002000300040005000600070000n],
    ["::2:3:4:5:6:7:8", 6, 0x00000002000300040005000600070008n],
    ["2001:DB8::A", 6, 0x20010db800000000000000000000000an],
    ["64:ff9b::1.2.3.4", 6, 0x0064ff9b000000000000000001020304n],
    ["1:2:3:4:5:6:1.2.3.4", 6, 0x00010002000300040005000601020304n],
    ["ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", 6, 2n ** 128n - 1n],
    ["::1.2.3.4", 6, 0x01020304n],
  ];
  for (const [text, family, bits] of taken) {
    test(`takes ${text}`, () => expect(parseIp(text)).toEqual({ family, bits }));
  }

  const refused = [
    ...[
      "",
      " ",
      "1",
      "1.2.3",
      "1.2.3.4.5",
      "1.2.3.",
      ".1.2.3",
      "1..2.3",
      "256.1.1.1",
      "1.2.3.1000",
      "01.2.3.4",
      "1.2.3.00",
    ],
    ...[
      "1.2.3.4 ",
      " 1.2.3.4",
      "1.2.3.4\n",
      "0x1.2.3.4",
      "+1.2.3.4",
      "1.2.3.-4",
      "1.2.3.4/32",
      "[::1]",
      "1.2.3.4:80",
      "\u0661.2.3.4",
    ],
    ...[
      ":",
      ":::",
      ":::1",
      "1:::2",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7:8::",
      "1:2:3:4::5:6:7:8",
    ],
    ...[
      ":1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7:",
      "12345::",
      "g::",
      "::1%eth0",
      "::1%",
      "fe80::1%25eth0",
      "::ffff:1.2.3.4",
      "::FFFF:102:304",
    ],
    ...[
      "1.2.3.4::",
      "::1.2.3.4:5",
      "1:2:3:4:5:6:7:1.2.3.4",
      "::01.2.3.4",
      "::1.2.3",
      "0:0:0:0:0:ffff:0:0",
      "x".repeat(1_000_000),
    ],
  ];
  for (const text of refused) {
    test(`refuses ${JSON.stringify(text.slice(0, 60))}`, () => expect(parseIp(text)).toBeNull());
  }
});

describe("parseCidr", () => {
  for (const text of ["0.0.0.0/0", "10.0.0.0/8", "10.1.2.3/8", "1.2.3.4/32", "::/0", "::1/128", "2001:db8::/32"]) {
    test(`takes ${text}`, () => expect(parseCidr(text)?.prefixLength).toBe(Number(text.split("/")[1])));
  }
  const refused = [
    ...[
      "",
      "/",
      "/8",
      "10.0.0.0",
      "10.0.0.0/",
      "10.0.0.0/33",
      "10.0.0.0/08",
      "10.0.0.0/-1",
      "10.0.0.0/+8",
      "10.0.0.0/8/8",
      "10.0.0.0/ 8",
    ],
    ...[
      "::/129",
      "::/1000",
      "fe80::1%eth0/64",
      "::ffff:0:0/96",
      "10.0.0/8",
      "10.0.0.0/0x8",
      "10.0.0.0/8 ",
      "10.0.0.0/255.0.0.0",
    ],
  ];
  for (const text of refused) test(`refuses ${JSON.stringify(text)}`, () => expect(parseCidr(text)).toBeNull());
});

describe("networks", () => {
  const cases: readonly (readonly [outer: string, inner: string, contains: boolean])[] = [
    ["10.0.0.0/8", "10.255.255.255/32", true],
    ["10.0.0.0/8", "11.0.0.0/32", false],
    ["10.0.0.0/8", "9.255.255.255/32", false],
    // Host bits of a network are ignored, on either side.
    ["10.1.2.3/8", "10.200.0.1/16", true],
    ["10.0.0.0/8", "10.0.0.0/8", true],
    ["10.0.0.0/9", "10.0.0.0/8", false],
    ["0.0.0.0/0", "255.255.255.255/32", true],
    ["0.0.0.0/0", "::/0", false],
    ["::/0", "0.0.0.0/0", false],
    ["2001:db8::/127", "2001:db8::1/128", true],
    ["2001:db8::/127", "2001:db8::2/128", false],
    ["::1/128", "::1/128", true],
  ];
  for (const [outer, inner, contains] of cases) {
    test(`${outer} ${contains ? "contains" : "does not contain"} ${inner}`, () => {
      const [a, b] = [parseCidr(outer), parseCidr(inner)];
      if (a === null || b === null) throw new Error("a case is no network");
      expect(containsCidr(a, b)).toBe(contains);
      if (b.prefixLength >= 32) expect(containsIp(a, b.address)).toBe(contains);
    });
  }

  test("isMasked: no bit after the prefix is set", () => {
    const masked = (text: string) => {
      const cidr = parseCidr(text);
      return cidr !== null && isMasked(cidr);
    };
    expect(["10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "2001:db8::/32", "::1/128"].every(masked)).toBe(true);
    expect(["10.0.0.1/8", "128.0.0.0/0", "1.2.3.5/31", "2001:db8::1/32", "1::/0"].some(masked)).toBe(false);
  });
});

describe("kinds of addresses, at both ends of each range", () => {
  // loopback, link-local, private, global
  const cases: readonly (readonly [text: string, kinds: string])[] = [
    ...[["0.0.0.0", "----"], ["0.0.0.1", "---g"], ["9.255.255.255", "---g"], ["10.0.0.0", "--pg"], [
      "10.255.255.255",
      "--pg",
    ]] as const,
    ...[["11.0.0.0", "---g"], ["126.255.255.255", "---g"], ["127.0.0.0", "l---"], ["127.255.255.255", "l---"]] as const,
    ...[["128.0.0.0", "---g"], ["169.253.255.255", "---g"], ["169.254.0.0", "-k--"], [
      "169.254.255.255",
      "-k--",
    ]] as const,
    ...[["169.255.0.0", "---g"], ["172.15.255.255", "---g"], ["172.16.0.0", "--pg"], [
      "172.31.255.255",
      "--pg",
    ]] as const,
    ...[["172.32.0.0", "---g"], ["192.167.255.255", "---g"], ["192.168.0.0", "--pg"], [
      "192.168.255.255",
      "--pg",
    ]] as const,
    ...[["192.169.0.0", "---g"], ["223.255.255.255", "---g"], ["224.0.0.0", "----"], [
      "239.255.255.255",
      "----",
    ]] as const,
    ...[["240.0.0.0", "---g"], ["255.255.255.254", "---g"], ["255.255.255.255", "----"]] as const,
    ...[["::", "----"], ["::1", "l---"], ["::2", "---g"], ["fbff::", "---g"], ["fc00::", "--pg"], [
      "fdff::1",
      "--pg",
    ]] as const,
    ...[["fe00::", "---g"], ["fe7f::", "---g"], ["fe80::", "-k--"], ["febf::1", "-k--"], ["fec0::", "---g"]] as const,
    ...[["feff::", "---g"], ["ff00::", "----"], ["ff02::1", "----"]] as const,
  ];
  for (const [text, kinds] of cases) {
    test(`${text} ${kinds}`, () => {
      const ip = parseIp(text);
      if (ip === null) throw new Error("a case is no address");
      const found = [
        isLoopback(ip) && "l",
        isLinkLocalUnicast(ip) && "k",
        isPrivate(ip) && "p",
        isGlobalUnicast(ip) && "g",
      ];
      expect(found.map((kind) => kind || "-").join("")).toBe(kinds);
    });
  }
});

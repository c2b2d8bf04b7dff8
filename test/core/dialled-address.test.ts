// The entries of `egress.addresses`.
import { describe, expect, test } from "bun:test";
import { parseDialledAddress } from "../../src/core/dialled-address.ts";

function parts(text: string): readonly [family: number, prefix: number | null, port: number | null] | null {
  const parsed = parseDialledAddress(text);
  if (parsed === null) return null;
  const { network, port } = parsed;
  return "prefixLength" in network
    ? [network.address.family, network.prefixLength, port]
    : [network.family, null, port];
}

describe("parseDialledAddress", () => {
  const cases: readonly (readonly [text: string, wanted: ReturnType<typeof parts>])[] = [
    ["10.1.0.0/16", [4, 16, null]],
    ["0.0.0.0/0", [4, 0, null]],
    ["10.0.0.5", [4, null, null]],
    ["10.0.0.5:1", [4, null, 1]],
    ["10.0.0.5:65535", [4, null, 65_535]],
    ["fd00::/8", [6, 8, null]],
    ["fd00::5", [6, null, null]],
    ["[fd00::5]:5432", [6, null, 5_432]],
    ["[::1]:80", [6, null, 80]],
    // Without brackets, the last group belongs to the address.
    ["fd00::5:5432", [6, null, null]],
    ["10.0.0.5:0", null],
    ["10.0.0.5:65536", null],
    ["10.0.0.5:080", null],
    ["10.0.0.5:", null],
    ["10.0.0.5:80:80", null],
    ["10.0.0.0/8:80", null],
    ["10.0.0.5/8", null],
    ["[10.0.0.5]:80", null],
    ["[10.0.0.5]", null],
    ["[fd00::5]", null],
    ["[fd00::5]:", null],
    ["[fd00::/8]:80", null],
    ["1:2:3:4:5:6:7:8:80", null],
    ["::ffff:10.0.0.5", null],
    ["[::ffff:10.0.0.5]:80", null],
    ["fe80::1%eth0", null],
    ["010.0.0.5", null],
    ["10.0.0.5 ", null],
    ["10.0.0.5:80\n", null],
    ["localhost:80", null],
    ["", null],
  ];
  for (const [text, wanted] of cases) test(JSON.stringify(text), () => expect(parts(text)).toEqual(wanted));
});

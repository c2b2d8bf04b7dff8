// Netlink messages about network devices: their bytes, and malformed answers.
import { describe, expect, test } from "bun:test";
import { attribute, decodeAnswer, decodeAttributes, encodeRequest, RTM_GETLINK } from "../../src/bridge/netlink.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));

test("attribute: a name with its zero byte, filled up to four bytes; attributes in an attribute", () => {
  expect(hex(attribute(3, "br0"))).toBe("0800030062723000");
  expect(hex(attribute(3, "br01"))).toBe("090003006272303100000000");
  expect(hex(attribute(18, [attribute(1, "bridge")]))).toBe("100012000b0001006272696467650000");
});

test("encodeRequest: header, the device's header, attributes", () => {
  const request = { type: RTM_GETLINK, flags: 1, deviceFlags: 1, deviceChange: 1, attributes: [attribute(3, "br0")] };
  expect(hex(encodeRequest(request))).toBe(
    "28000000" + "1200" + "0100" + "0000000000000000" + "0000000000000000" + "01000000" + "01000000" +
      "0800030062723000",
  );
});

describe("decodeAnswer", () => {
  const LINK = "28000000 1000 0000 0000000000000000 0000000000000000 43100000 00000000 0800030062723000";
  test("a device", () => {
    expect(decodeAnswer(bytesOf(LINK))).toEqual({
      kind: "link",
      flags: 0x1043,
      attributes: new Map([[3, bytesOf("62723000")]]),
    });
  });

  test("done, and an error", () => {
    expect(decodeAnswer(bytesOf("14000000 0200 0000 0000000000000000 00000000"))).toEqual({ kind: "status", errno: 0 });
    expect(decodeAnswer(bytesOf("14000000 0200 0000 0000000000000000 edffffff"))).toEqual({
      kind: "status",
      errno: 19,
    });
  });

  const broken: readonly (readonly [note: string, bytes: string])[] = [
    ["nothing", ""],
    ["less than a header", "14000000 0200"],
    ["a length beyond its end", LINK.replace("28000000", "29000000")],
    ["a device without its header", "14000000 1000 0000 0000000000000000 00000000"],
    ["another kind of message", LINK.replace("1000", "1100")],
  ];
  test.each(broken)("%s is no answer", (_note, bytes) => expect(decodeAnswer(bytesOf(bytes))).toBeNull());
});

test("decodeAttributes: malformed data ends the list", () => {
  const good = "0800030062723000";
  for (const bad of ["0300 0300 00000000", "ffff 0300 00000000", "0000 0000", "0500"]) {
    expect([...decodeAttributes(bytesOf(good + bad)).keys()]).toEqual([3]);
  }
  expect([...decodeAttributes(bytesOf("0800128000000000")).keys()]).toEqual([18]);
});

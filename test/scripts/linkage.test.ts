import { expect, test } from "bun:test";
import { chooseLinkage } from "../../scripts/linkage.ts";
import { hostMachine } from "../../scripts/static-relink/machine.ts";

const machine = hostMachine();

test("chooseLinkage is static if there is a static libc", () => {
  expect(chooseLinkage([], machine, "/usr/lib/libc.a")).toEqual({ linkage: "static" });
});

test("chooseLinkage is dynamic with --dynamic, without a notice", () => {
  expect(chooseLinkage(["--dynamic"], machine, "/usr/lib/libc.a")).toEqual({ linkage: "dynamic" });
  expect(chooseLinkage(["--dynamic"], machine, undefined)).toEqual({ linkage: "dynamic" });
});

test("chooseLinkage says what to install if there is no static libc", () => {
  const choice = chooseLinkage([], machine, undefined);
  expect(choice.linkage).toBe("dynamic");
  expect(choice.notice).toContain(`install ${machine.packages}`);
});

test("chooseLinkage refuses an argument that it does not know", () => {
  expect(() => chooseLinkage(["--dynmic"], machine, undefined)).toThrow('unknown argument "--dynmic"');
});

// Random expressions about addresses and networks.
import type { Tree } from "../../../src/cel/tree.ts";
import { ADDRESSES, literal, SPAN } from "./values.ts";

/** The functions that make the parts of an expression. */
export type MakeParts = {
  readonly pick: <T>(items: readonly T[]) => T;
  readonly tree: (kind: "string" | "ip" | "cidr") => Tree;
};

/** A boolean expression, which fails if a text is not an address. */
export function addressTree({ pick, tree }: MakeParts): Tree {
  const text = (): Tree => pick([true, true, false]) ? literal(pick(ADDRESSES)) : tree("string");
  const call = (name: string, receiver: Tree | null, args: readonly Tree[]): Tree => {
    return { kind: "call", name, receiver, args, span: SPAN };
  };
  switch (pick(["text", "kind", "contains"])) {
    case "text":
      return call(pick(["isIP", "isCIDR"]), null, [text()]);
    case "kind": {
      const kind = pick(["isLoopback", "isLinkLocalUnicast", "isGlobalUnicast", "isPrivate"]);
      return call(kind, call("ip", null, [text()]), []);
    }
    default: {
      const name = pick(["containsIP", "containsCIDR"]);
      const other = pick([true, false]) ? text() : tree(name === "containsIP" ? "ip" : "cidr");
      return call(name, call("cidr", null, [text()]), [other]);
    }
  }
}

// Typed values -> facts: every node gets an id, in the order in which it is first met, and its type; a scalar its value as
// text, an element its list and position, a member its map and key. No text of a value can pose as structure.
import type { Constant, Fact } from "../datalog/statement.ts";
import { scalarText, type ValueNode } from "./value-tree.ts";

/** The ids of nodes, and the facts about them. */
export class ValueFacts {
  readonly #ids = new Map<ValueNode, number>();
  readonly #facts: Fact[] = [];

  /** The id of a node; the facts about a new one, and about all below it, are kept. */
  idOf(node: ValueNode): number {
    const known = this.#ids.get(node);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(node, id);
    this.#add("node", [id, node.type]);
    if (node.type === "list") {
      node.items.forEach((item, position) => this.#add("element", [id, position, this.idOf(item)]));
    } else if (node.type === "map") {
      for (const [key, member] of node.members) this.#add("member", [id, key, this.idOf(member)]);
    } else {
      this.#add("scalar", [id, node.type, scalarText(node)]);
    }
    return id;
  }

  /** The facts since the last call. */
  take(): readonly Fact[] {
    return this.#facts.splice(0);
  }

  #add(relation: string, values: readonly Constant[]): void {
    this.#facts.push({ kind: "fact", relation, values });
  }
}

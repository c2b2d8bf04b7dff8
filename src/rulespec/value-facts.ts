// Typed values -> Datalog facts. Every node gets an id, in the order of its first use, and a type. A scalar has its value as
// text, an element its list and position, a member its map and key. Texts are symbols and cannot become structure.
import type { Constant, Fact } from "../datalog/statement.ts";
import { scalarText, type ValueNode } from "./value-tree.ts";

/** The ids of nodes and the facts about them. */
export class ValueFacts {
  readonly #ids = new Map<ValueNode, number>();
  readonly #facts: Fact[] = [];

  /** The id of a node. For a new node, adds the facts about it and its descendants. */
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

  /** The facts that were added since the last call. */
  take(): readonly Fact[] {
    return this.#facts.splice(0);
  }

  #add(relation: string, values: readonly Constant[]): void {
    this.#facts.push({ kind: "fact", relation, values });
  }
}

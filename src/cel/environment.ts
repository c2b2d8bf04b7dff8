// An environment declares the names that expressions may use, and gives each a numbered slot. Every field of a namespace has
// its own slot, so evaluating `http.host` is one array access.
import type { FieldType } from "../core/context.ts";
import { createLibrary, type Library } from "./library.ts";
import { ZoneCache } from "./zones.ts";

/** The type of a declared name. Only tools and tests declare `dyn`. */
export type DeclaredType = FieldType | "dyn";

/** Namespaces with their fields, and plain variables. */
export type Declarations = {
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, DeclaredType>>>>;
  readonly variables: Readonly<Record<string, DeclaredType>>;
};

/** The slot of a field or variable: its index in an activation, and its type. */
export type Slot = { readonly name: string; readonly index: number; readonly type: DeclaredType };

/** The slots of a namespace by field. */
type NamespaceSlots = { readonly name: string; readonly fields: ReadonlyMap<string, Slot> };

/** Names laid out as slots; slots are numbered from 0 to `size - 1`. */
export type Environment = {
  readonly namespaces: ReadonlyMap<string, NamespaceSlots>;
  readonly variables: ReadonlyMap<string, Slot>;
  readonly size: number;
  readonly library: Library;
  /** The cache of the time zones that conditions use. */
  readonly zones: ZoneCache;
};

/** Assigns slots to declarations. For rules: `createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES })`. */
export function createEnvironment(declarations: Declarations): Environment {
  const namespaces = new Map<string, NamespaceSlots>();
  const variables = new Map<string, Slot>();
  let size = 0;
  for (const [name, types] of Object.entries(declarations.namespaces)) {
    const fields = new Map<string, Slot>();
    for (const [field, type] of Object.entries(types)) fields.set(field, { name: field, index: size++, type });
    namespaces.set(name, { name, fields });
  }
  for (const [name, type] of Object.entries(declarations.variables)) {
    variables.set(name, { name, index: size++, type });
  }
  return { namespaces, variables, size, library: createLibrary(declarations), zones: new ZoneCache() };
}

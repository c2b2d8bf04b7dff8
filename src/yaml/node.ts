// The tree of a YAML document: each plain value with its place in the file. Aliases are resolved to shared nodes, so the tree
// may be a graph that is exponentially large when it is walked. Callers must not walk deeper than their schema goes.
import type { Place } from "../core/span.ts";
import type { ScalarSource } from "./scalar-place.ts";

/** A value that a YAML 1.2 core document can hold; maps have no prototype. */
export type YamlValue = null | boolean | number | string | readonly YamlValue[] | YamlObject;

/** A map as a plain object. */
export type YamlObject = { readonly [key: string]: YamlValue };

/** A scalar. */
export type YamlScalar = {
  readonly kind: "scalar";
  readonly place: Place;
  readonly value: null | boolean | number | string;
  /** The value as text, whatever its type. */
  readonly text: string;
  /** Its source text; computed on demand, because few scalars need it. */
  readonly written: () => ScalarSource;
};

/** A list. */
export type YamlList = {
  readonly kind: "list";
  readonly place: Place;
  readonly value: readonly YamlValue[];
  readonly items: readonly YamlNode[];
};

/** A member of a map. */
export type YamlMember = { readonly place: Place; readonly node: YamlNode };

/** A map; the first of two members with the same key is kept. */
export type YamlMap = {
  readonly kind: "map";
  readonly place: Place;
  readonly value: YamlObject;
  readonly members: ReadonlyMap<string, YamlMember>;
  readonly hasDuplicates: boolean;
};

/** A node of the tree. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

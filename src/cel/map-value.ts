// The maps of CEL. Keys are bool, int, uint or string; equal numbers of different types are the same key. A map comes from a
// literal, or from JSON that is converted when an expression reads it.
import { invariant } from "../core/invariant.ts";
import { isJsonList, type Json, type JsonObject } from "../core/json.ts";
import { MapValue, Uint, type Value } from "./value.ts";

type PlainKey = boolean | bigint | string;

/** A map built from entries. */
export class EntryMap extends MapValue {
  readonly #entries = new Map<PlainKey, Value>();
  readonly #keys: Value[] = [];

  get size(): number {
    return this.#entries.size;
  }

  /** Adds an entry while the map is built; returns false if the key already exists. */
  add(key: Value, value: Value): boolean {
    const plain = plainKey(key);
    invariant(plain !== undefined, "a map literal checks its keys");
    if (this.#entries.has(plain)) return false;
    this.#entries.set(plain, value);
    this.#keys.push(key);
    return true;
  }

  get(key: Value): Value | undefined {
    const plain = plainKey(key);
    return plain === undefined ? undefined : this.#entries.get(plain);
  }

  keys(): readonly Value[] {
    return this.#keys;
  }
}

/** A JSON object as a map with string keys. Each level is converted once, when it is first read. */
export class JsonMap extends MapValue {
  readonly #json: JsonObject;
  #entries: ReadonlyMap<Value, Value> | undefined;
  #keys: readonly string[] | undefined;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: Value): Value | undefined {
    this.#entries ??= new Map(Object.entries(this.#json).map(([name, json]) => [name, fromJson(json)]));
    return this.#entries.get(key);
  }

  keys(): readonly string[] {
    return this.#keys ??= Object.keys(this.#json);
  }
}

/** Converts JSON to a value. A number without a fraction is an int (callers refuse those beyond 2^53-1), any other a double. */
export function fromJson(json: Json): Value {
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (typeof json !== "object" || json === null) return json;
  return isJsonList(json) ? json.map(fromJson) : new JsonMap(json);
}

/** Whether a value can be the key of a map. */
export function isKey(value: Value): boolean {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean" || value instanceof Uint;
}

// Equal keys become the same plain key. A value that cannot be a key, or a double with a fraction, is in no map.
function plainKey(key: Value): PlainKey | undefined {
  if (typeof key === "string" || typeof key === "bigint" || typeof key === "boolean") return key;
  if (key instanceof Uint) return key.value;
  return typeof key === "number" && Number.isInteger(key) ? BigInt(key) : undefined;
}

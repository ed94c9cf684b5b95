import { DYN, mapOf, type ObjectType, type Type } from '../typing/type.js';
import { equal, equals } from './equality.js';
import type { Adapt } from './lists.js';
import { canonicalInt, Double, Uint } from './numbers.js';
import { EvaluationError, MapValue, ObjectValue, type Outcome, type Value } from './value.js';
import { spend } from './work.js';

const MAP_TYPE: Type = mapOf(DYN, DYN);

abstract class BaseMap extends MapValue {
  get type(): Type {
    return MAP_TYPE;
  }
  override get costSize(): number {
    return this.size;
  }
  equals(other: Value): boolean | undefined {
    if (!(other instanceof MapValue) || other instanceof ObjectView || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const found = other.get(key);
      if (found === undefined || equals(this.get(key) as Outcome, found) === false) return false;
    }
    return true;
  }
}

type Key = string | number | bigint | boolean | Double | ObjectValue | null;

/**
 * Returns one JavaScript key for all equal keys: 1, 1u and 1.0. Values that upstream compares by their address, such as lists, are keys of
 * their own. Returns undefined for bytes, which cannot be keys.
 */
function keyOf(value: Value): Key | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  if (value === null) return value;
  // No text of an expression contains half of a surrogate pair, so these keys differ from all texts.
  if (value instanceof ObjectValue) return value.mapKey === undefined ? value : `\udfff${value.mapKey}`;
  if (!(value instanceof Double)) return undefined;
  if (Number.isNaN(value.value)) return value;
  const isUnsafe = Number.isInteger(value.value) && !Number.isSafeInteger(value.value);
  return isUnsafe ? canonicalInt(BigInt(value.value)) : value.value + 0;
}

/**
 * Returns whether a value may be a key of a map that an expression constructs.
 * @param ofAnyType whether values of other types than bool, int, uint and string may be keys
 */
export const isKey = (value: Value, ofAnyType = false): boolean =>
  ofAnyType ? keyOf(value) !== undefined : value !== null && (typeof value !== 'object' || value instanceof Uint);

/** A map that stores values. */
export class ComputedMap extends BaseMap {
  private readonly entries: ReadonlyMap<Key, readonly [Value, Value]>;
  constructor(entries: ReadonlyMap<Key, readonly [Value, Value]>) {
    super();
    this.entries = entries;
  }
  get size(): number {
    return this.entries.size;
  }
  get(key: Value): Outcome | undefined {
    const own = keyOf(key);
    return own === undefined ? undefined : this.entries.get(own)?.[1];
  }
  *keys(): Iterable<Value> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** Builds a map entry by entry. */
export class MapBuilder {
  private readonly entries = new Map<Key, readonly [Value, Value]>();

  /** Adds a key with its value. Returns false for a key that is already present or invalid. */
  add(key: Value, value: Value): boolean {
    const own = keyOf(key);
    if (own === undefined || this.entries.has(own)) return false;
    this.entries.set(own, [key, value]);
    return true;
  }
  /** Removes a key and its value. */
  remove(key: Value): void {
    const own = keyOf(key);
    if (own !== undefined) this.entries.delete(own);
  }
  done(): ComputedMap {
    return new ComputedMap(this.entries);
  }
}

/** A map that a fold builds in place. */
export class GrowingMap extends ComputedMap {
  private readonly own: Map<Key, readonly [Value, Value]>;
  constructor(from?: MapValue) {
    const own = new Map<Key, readonly [Value, Value]>();
    super(own);
    this.own = own;
    for (const key of from?.keys() ?? []) this.add(key, from?.get(key) as Value);
  }
  add(key: Value, value: Value): boolean {
    const own = isKey(key) ? keyOf(key) : undefined;
    if (own === undefined || this.own.has(own)) return false;
    this.own.set(own, [key, value]);
    return true;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the error for a key that is not a string. Upstream has it only for maps and objects with a schema. */
const noSuchKeyType = (): EvaluationError => new EvaluationError('no such overload');

/** A view of an API object that the schema declares as a map. */
export class MapView extends BaseMap {
  readonly members: Members;
  readonly adapt: Adapt | undefined;
  readonly isDeclared: boolean;
  private names: readonly string[] | undefined;
  /**
   * @param adapt converts the members to CEL values. Default: they are CEL values already.
   * @param isDeclared whether a schema declares the map. Default: false.
   */
  constructor(members: Members, adapt?: Adapt, isDeclared = false) {
    super();
    this.members = members;
    this.adapt = adapt;
    this.isDeclared = isDeclared;
  }
  /** As in upstream, only maps without a schema can be compared with other values. */
  override equals(other: Value): boolean | undefined {
    return this.isDeclared && !(other instanceof MapValue) ? undefined : super.equals(other);
  }
  override get memberForm(): Members {
    return this.members;
  }
  get size(): number {
    return this.ownNames().length;
  }
  get(key: Value): Outcome | undefined {
    if (typeof key !== 'string') return this.isDeclared ? noSuchKeyType() : undefined;
    if (!Object.hasOwn(this.members, key)) return undefined;
    const member = this.members[key];
    return this.adapt === undefined ? (member as Value) : this.adapt(member);
  }
  keys(): readonly string[] {
    return this.ownNames();
  }
  private ownNames(): readonly string[] {
    if (this.names === undefined) {
      this.names = Object.keys(this.members);
      spend(this.names.length);
    }
    return this.names;
  }
}

/** A view of an API object with the fields of its schema. Members outside the schema are not visible. */
export class ObjectView extends MapValue {
  readonly members: Members;
  readonly type: ObjectType;
  constructor(members: Members, type: ObjectType) {
    super();
    this.members = members;
    this.type = type;
  }
  get size(): number {
    return Object.keys(this.members).length;
  }
  override get memberForm(): Members {
    return this.members;
  }
  override get costSize(): number {
    return this.size;
  }
  get(key: Value): Outcome | undefined {
    if (typeof key !== 'string') return noSuchKeyType();
    const field = this.type.fields.get(key);
    return field === undefined ? undefined : memberOf(this.members, field.property, field.adapt as Adapt | undefined);
  }
  *keys(): Iterable<string> {
    for (const name of this.type.fields.names()) if (this.get(name) !== undefined) yield name;
  }
  /** Compares as upstream does: a null member equals nothing, and members outside the schema count if both objects have them. */
  equals(other: Value): boolean | undefined {
    if (!(other instanceof MapValue)) return undefined;
    if (!(other instanceof ObjectView) || other.type.name !== this.type.name || other.size !== this.size) return false;
    const known = new Set<string>();
    for (const name of this.type.fields.names()) {
      const property = this.type.fields.get(name)?.property ?? name;
      known.add(property);
      if (!Object.hasOwn(this.members, property)) continue;
      const own = this.get(name);
      const their = other.get(name);
      if (own === undefined || their === undefined || !equal(own, their)) return false;
    }
    return Object.keys(this.members).every(
      (member) =>
        known.has(member) ||
        !Object.hasOwn(other.members, member) ||
        sameJson(this.members[member], other.members[member]),
    );
  }
}

/** Compares raw JSON, for members outside the schema. */
function sameJson(a: unknown, b: unknown): boolean {
  spend(1);
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson((a as Members)[key], (b as Members)[key]))
  );
}

/** Returns a member of an API object as a CEL value; undefined when it is absent. */
export function memberOf(members: Members, property: string, adapt: Adapt | undefined): Outcome | undefined {
  const member = members[property];
  if (member === undefined) return undefined;
  if (property in Object.prototype && !Object.hasOwn(members, property)) return undefined;
  return adapt === undefined ? (member as Value) : adapt(member);
}

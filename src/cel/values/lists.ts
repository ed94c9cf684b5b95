import { DYN, listOf, type ObjectType, type Plain, type Type } from '../typing/type.js';
import { equal, equals, isNumber } from './equality.js';
import { Double, Uint } from './numbers.js';
import { EvaluationError, isPlain, ListValue, MapValue, type Outcome, type Value } from './value.js';
import { spend } from './work.js';

const LIST_TYPE: Type = listOf(DYN);

/** Converts an element or member of the JSON of an API object to a CEL value. */
export type Adapt = (member: unknown) => Outcome | undefined;

abstract class BaseList extends ListValue {
  get type(): Type {
    return LIST_TYPE;
  }
  override get costSize(): number {
    return this.size;
  }
  equals(other: Value): boolean | undefined {
    if (other instanceof ListValue) return sameElements(this, other);
    // As in upstream, only lists without a schema can be compared with other values.
    return this.items === undefined ? false : undefined;
  }
}

function sameElements(a: ListValue, b: ListValue): boolean | undefined {
  const { size } = a;
  if (size !== b.size) return false;
  for (let i = 0; i < size; i++) {
    const same = equals(a.at(i), b.at(i));
    if (same === false || (same === undefined && a.items !== undefined)) return same;
  }
  return true;
}

/** A list that stores values. */
export class ArrayList extends BaseList {
  readonly values: readonly Value[];
  override readonly items: Adapt | undefined;
  constructor(values: readonly Value[], items?: Adapt) {
    super();
    this.values = values;
    this.items = items;
  }
  get size(): number {
    return this.values.length;
  }
  at(index: number): Outcome {
    return this.values[index] as Value;
  }
}

/**
 * A list of strings that a function such as `split` returns. It has a class of its own, because upstream does not accept such a list as the
 * result of a claim mapping.
 */
export class TextList extends ArrayList {}

/** A copy of two joined lists. */
class JoinedCopy extends ArrayList {}

/** A view over an array of an API object. */
export class ListView extends BaseList {
  readonly array: readonly unknown[];
  readonly adapt: Adapt | undefined;
  /** The object type of the elements, if all elements that are objects are viewed as this type. */
  readonly objects: ObjectType | undefined;
  override readonly items: Adapt | undefined;
  private readonly plain: Plain | undefined;
  /**
   * @param adapt converts the elements to values. Default: they are values already.
   * @param plain the kind of elements that need no conversion. Default: none.
   * @param items reads a member as an item of the schema that declares the list. Default: the list has no schema.
   */
  constructor(array: readonly unknown[], adapt?: Adapt, plain?: Plain, objects?: ObjectType, items?: Adapt) {
    super();
    this.array = array;
    this.adapt = adapt;
    this.plain = plain;
    this.objects = objects;
    this.items = items;
  }
  get size(): number {
    return this.array.length;
  }
  at(index: number): Outcome {
    const member = this.array[index];
    if (this.adapt === undefined || isPlain(member, this.plain)) return member as Value;
    return this.adapt(member) ?? null;
  }
}

/** A concatenation of two lists without a copy, so that a list that is doubled forty times takes only forty objects. */
class JoinedList extends BaseList {
  readonly size: number;
  readonly left: ListValue;
  readonly right: ListValue;
  override readonly items: Adapt | undefined;
  constructor(left: ListValue, right: ListValue) {
    super();
    this.left = left;
    this.right = right;
    this.size = left.size + right.size;
    this.items = left.items;
  }
  at(index: number): Outcome {
    let list: ListValue = this;
    let at = index;
    while (list instanceof JoinedList) {
      spend(1);
      const { left, right }: JoinedList = list;
      if (at < left.size) list = left;
      else {
        at -= left.size;
        list = right;
      }
    }
    return list.at(at);
  }
}

/** Lists up to this size are copied when they are joined, because reading a copy is faster than walking a tree. */
const COPIED = 64;

/** A list whose elements are read as items of another list's schema. Elements of other types are errors. */
class ReadList extends BaseList {
  readonly size: number;
  private readonly list: ListValue;
  override readonly items: Adapt;
  constructor(list: ListValue, items: Adapt) {
    super();
    this.size = list.size;
    this.list = list;
    this.items = items;
  }
  at(index: number): Outcome {
    const value = this.list.at(index);
    return value instanceof EvaluationError ? value : (this.items(memberFor(value)) ?? null);
  }
}

/**
 * Evaluates `a + b`. As in upstream, a list with a schema reads the elements of `b` as its own items, so that a duration that an expression
 * computes, for example, is not an item of a list of texts with the format `duration`.
 */
export function joinLists(a: ListValue, b: ListValue): Outcome {
  const { items } = a;
  const right = items === undefined || items === b.items ? b : new ReadList(b, items);
  if (a.plus !== undefined) return a.plus(right);
  if (b.size === 0) return a;
  if (a.size === 0) return right;
  if (!Number.isSafeInteger(a.size + b.size)) return new EvaluationError('list too large');
  if (a.size + b.size > COPIED) return new JoinedList(a, right);
  const values = collect(a);
  const more = collect(right);
  // An element that is an error fails only when it is read.
  if (values instanceof EvaluationError || more instanceof EvaluationError) return new JoinedList(a, right);
  return new JoinedCopy([...values, ...more], items);
}

/** Returns a value as a member of an API object. For a value that cannot be one, this is a symbol with the name of its type in upstream. */
function memberFor(value: Value): unknown {
  if (value === null) return Symbol('structpb.NullValue');
  if (typeof value !== 'object') return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return Symbol('uint64');
  if (value instanceof Uint8Array) return Symbol('[]uint8');
  if (value instanceof ListView && value.items !== undefined) return value.array;
  if (value instanceof JoinedList || value instanceof JoinedCopy || (value instanceof ListValue && value.items)) {
    return Array.from({ length: value.size }, (_, i) => memberOrError(value.at(i)));
  }
  return value.memberForm ?? Symbol(value.type.kind);
}
const memberOrError = (value: Outcome): unknown =>
  value instanceof EvaluationError ? Symbol('*types.Err') : memberFor(value);

/** Returns the elements as an array, or the first error among them. */
export function collect(list: ListValue): Value[] | EvaluationError {
  const { size } = list;
  spend(size);
  const values: Value[] = [];
  for (let i = 0; i < size; i++) {
    const value = list.at(i);
    if (value instanceof EvaluationError) return value;
    values.push(value);
  }
  return values;
}

/**
 * A view of a set list (`x-kubernetes-list-type: set`). It equals lists with the same elements in any order, and `+` adds only elements
 * that it does not contain.
 */
export class SetView extends ListView {
  override equals(other: Value): boolean | undefined {
    if (!(other instanceof ListValue)) return super.equals(other);
    return other.size === this.size && hasAll(setOf(this), other);
  }
  override plus(other: ListValue): Outcome {
    const values = collect(this);
    const more = collect(other);
    if (values instanceof EvaluationError) return values;
    if (more instanceof EvaluationError) return more;
    const known = setOf(this);
    for (const value of more) if (known.add(value)) values.push(value);
    return new SetView(values, undefined, undefined, undefined, this.items);
  }
}

function setOf(list: ListValue): ValueSet {
  const set = new ValueSet();
  for (let i = 0; i < list.size; i++) set.add(list.at(i));
  return set;
}
function hasAll(set: ValueSet, elements: ListValue): boolean {
  for (let i = 0; i < elements.size; i++) if (!set.has(elements.at(i))) return false;
  return true;
}

/** Returns whether a list contains a value. */
export function contains(list: ListValue, value: Outcome): boolean {
  const { size } = list;
  for (let i = 0; i < size; i++) if (equal(list.at(i), value)) return true;
  return false;
}

/** A set of values in which equal values count as one. */
class ValueSet {
  private readonly buckets = new Map<number, Outcome[]>();

  /** Adds a value. Returns false when an equal one is already present. */
  add(value: Outcome): boolean {
    const hash = hashOf(value);
    const bucket = this.buckets.get(hash);
    if (bucket === undefined) {
      this.buckets.set(hash, [value]);
      return true;
    }
    if (bucket.some((known) => equal(known, value))) return false;
    bucket.push(value);
    return true;
  }
  has(value: Outcome): boolean {
    return this.buckets.get(hashOf(value))?.some((known) => equal(known, value)) ?? false;
  }
}

/**
 * Returns a hash that is the same for equal values of all types. It ignores the order of elements and entries, because the equality of sets
 * and maps ignores it, too.
 */
function hashOf(value: Outcome): number {
  spend(1);
  if (typeof value === 'string') return hashOfText(value);
  if (isNumber(value)) return hashOfText(String(Number(typeof value === 'object' ? value.value : value) + 0));
  if (typeof value === 'boolean') return value ? 1 : 2;
  let hash = 3;
  if (value instanceof Uint8Array) {
    spend(value.length >>> 4);
    for (const byte of value) hash = (Math.imul(hash, 31) + byte) | 0;
  } else if (value instanceof ListValue) {
    for (let i = 0; i < value.size; i++) hash = (hash + hashOf(value.at(i))) | 0;
  } else if (value instanceof MapValue) {
    for (const key of value.keys()) {
      const member = value.get(key) ?? new EvaluationError('no such key');
      hash = (hash + Math.imul(hashOf(key), 31) + Math.imul(hashOf(member), 17)) | 0;
    }
  }
  return hash;
}

function hashOfText(text: string): number {
  spend(text.length >>> 4);
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

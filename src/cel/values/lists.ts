import { DYN, listOf, type ObjectType, type Plain, type Type } from '../typing/type.js';
import { equal, equals, isNumber } from './equality.js';
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
  equals(other: Value): boolean {
    return other instanceof ListValue && sameElements(this, other);
  }
}

function sameElements(a: ListValue, b: ListValue): boolean {
  const { size } = a;
  if (size !== b.size) return false;
  for (let i = 0; i < size; i++) if (equals(a.at(i), b.at(i)) === false) return false;
  return true;
}

/** A list that stores values. */
export class ArrayList extends BaseList {
  readonly values: readonly Value[];
  constructor(values: readonly Value[]) {
    super();
    this.values = values;
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

/** A view over an array of an API object. */
export class ListView extends BaseList {
  readonly array: readonly unknown[];
  readonly adapt: Adapt | undefined;
  /** The object type of the elements, if all elements that are objects are viewed as this type. */
  readonly objects: ObjectType | undefined;
  private readonly plain: Plain | undefined;
  /**
   * @param adapt Converts the elements to values. Default: they are values already.
   * @param plain The kind of elements that need no conversion. Default: none.
   */
  constructor(array: readonly unknown[], adapt?: Adapt, plain?: Plain, objects?: ObjectType) {
    super();
    this.array = array;
    this.adapt = adapt;
    this.plain = plain;
    this.objects = objects;
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
  constructor(left: ListValue, right: ListValue) {
    super();
    this.left = left;
    this.right = right;
    this.size = left.size + right.size;
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

/** Evaluates `a + b`. */
export function joinLists(a: ListValue, b: ListValue): Outcome {
  if (a.plus !== undefined) return a.plus(b);
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  if (!Number.isSafeInteger(a.size + b.size)) return new EvaluationError('list too large');
  if (a.size + b.size > COPIED) return new JoinedList(a, b);
  const values = collect(a);
  if (values instanceof EvaluationError) return values;
  const more = collect(b);
  return more instanceof EvaluationError ? more : new ArrayList([...values, ...more]);
}

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
  override equals(other: Value): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    return hasAll(setOf(this), other);
  }
  override plus(other: ListValue): Outcome {
    const values = collect(this);
    const more = collect(other);
    if (values instanceof EvaluationError) return values;
    if (more instanceof EvaluationError) return more;
    const known = setOf(this);
    for (const value of more) if (known.add(value)) values.push(value);
    return new SetView(values);
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

import { equal, isNumber } from './equality.js';
import { EvaluationError, ListValue, MapValue, type Outcome } from './value.js';
import { spend } from './work.js';

/** A set of values in which equal values count as one. */
export class ValueSet {
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

/** Returns a hash that is the same for equal values of all types. It ignores the order of elements and entries, because sets do so, too. */
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

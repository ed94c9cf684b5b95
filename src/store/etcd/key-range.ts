/** A range of etcd's keys, from `key` (inclusive) to `rangeEnd` (exclusive). */
export interface EtcdRange {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** The `rangeEnd` of a range without an end, by etcd's convention. */
const NO_END = new Uint8Array([0]);

const utf8 = new TextEncoder();

/** Returns the range of all keys that begin with a prefix. */
export function rangeOfPrefix(prefix: string): EtcdRange {
  const key = utf8.encode(prefix);
  for (let last = key.length - 1; last >= 0; last--) {
    const byte = key[last] ?? 0;
    if (byte === 255) continue;
    const rangeEnd = key.slice(0, last + 1);
    rangeEnd[last] = byte + 1;
    return { key, rangeEnd };
  }
  return { key, rangeEnd: NO_END };
}

/** Returns the smallest key that is greater than the given one. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/** Returns whether two keys have the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

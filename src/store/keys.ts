/** Compares keys by UTF-16 code unit, so that their order is the same in every locale. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The keys from `low` (inclusive) to `high` (exclusive); without `high`, to the end. */
export interface KeyRange {
  readonly low: string;
  readonly high: string | undefined;
}

/** Returns the range of all keys that begin with `prefix`; with `after`, only those greater than it. */
export function prefixRange(prefix: string, after?: string): KeyRange {
  const high = prefixEnd(prefix);
  // No string lies between `after` and `after` with a zero appended.
  const low = after === undefined || after < prefix ? prefix : `${after}\u0000`;
  return { low, high };
}

/** Returns the smallest string greater than every string that begins with `prefix`; undefined when no string is. */
export function prefixEnd(prefix: string): string | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    const unit = prefix.charCodeAt(last);
    if (unit < 0xffff) return prefix.slice(0, last) + String.fromCharCode(unit + 1);
  }
  return undefined;
}

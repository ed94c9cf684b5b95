/** The order of all keys: by UTF-16 code unit, the same in every locale. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Keys from `low` on, up to but without `high`; `high` undefined means to the end. */
export interface KeyRange {
  readonly low: string;
  readonly high: string | undefined;
}

/** All keys that begin with `prefix`; with `after`, only those greater than it. */
export function prefixRange(prefix: string, after?: string): KeyRange {
  const high = prefixEnd(prefix);
  // No string lies between `after` and `after` with a zero appended.
  const low = after === undefined || after < prefix ? prefix : `${after}\u0000`;
  return { low, high };
}

/** The smallest string greater than every string that begins with `prefix`; undefined when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    const unit = prefix.charCodeAt(last);
    if (unit < 0xffff) return prefix.slice(0, last) + String.fromCharCode(unit + 1);
  }
  return undefined;
}

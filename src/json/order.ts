import { isJsonObject, type JsonValue } from './value.js';

/**
 * Compares values of any type, in the order numbers, strings, booleans, lists, objects, null. Returns a negative number when `a` comes
 * first.
 */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b, compareValues);
  if (isJsonObject(a) && isJsonObject(b)) return compareLists(membersOf(a), membersOf(b), compareMembers);
  return Number(a) - Number(b);
}

function rankOf(value: JsonValue): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (value === null) return 5;
  return Array.isArray(value) ? 3 : 4;
}

type Member = readonly [name: string, value: JsonValue];

function compareMembers([nameA, a]: Member, [nameB, b]: Member): number {
  return compareText(nameA, nameB) || compareValues(a, b);
}

function compareLists<T>(a: readonly T[], b: readonly T[], compareItems: (x: T, y: T) => number): number {
  for (const [i, x] of a.entries()) {
    const y = b[i];
    if (y === undefined) return 1;
    const order = compareItems(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Returns an object's members sorted by name. */
export function membersOf(object: { readonly [name: string]: JsonValue | undefined }): Member[] {
  const members: Member[] = [];
  for (const [name, value] of Object.entries(object)) if (value !== undefined) members.push([name, value]);
  return members.sort(([a], [b]) => compareText(a, b));
}

/** Compares strings by their UTF-8 bytes. The result differs from a comparison of UTF-16 code units only for characters beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? Number(isSurrogate(x)) - Number(isSurrogate(y)) || x - y : x - y;
  }
  return a.length - b.length;
}
const isSurrogate = (unit: number) => unit < 0xe000;

const NEEDS_ESCAPE = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const HTML = /[<>&\u2028\u2029]/g;

/** Returns canonical JSON: members are sorted by name, and `<`, `>`, `&` are escaped as in `managedFields`. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? escapeHtml(JSON.stringify(value)) : `"${value}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return 'null';
  return `{${membersOf(value)
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`)
    .join(',')}}`;
}

function escapeHtml(json: string): string {
  return json.replace(HTML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

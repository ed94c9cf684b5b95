import { NumberText } from '../json/number-text.js';
import type { JsonValue } from '../json/value.js';

const MAX_DEPTH = 1000;

/**
 * Returns a patched document as it appears in upstream's error messages when it cannot be decoded (spec 5.2): one line of JSON. The root
 * and the objects that the patch changed have sorted members; all other objects keep the order of their members. Unchanged objects are
 * recognized by identity, because patch functions share them with `current` and `patch`. The members of `current` must be in the order in
 * which upstream serializes them (`inWireOrder`).
 */
export function patchedText(next: JsonValue, current: JsonValue, patch: JsonValue): string {
  const asGiven = new Set<JsonValue>();
  collectObjects(current, asGiven);
  collectObjects(patch, asGiven);
  asGiven.delete(next);
  return printValue(next, asGiven, 0);
}

function collectObjects(root: JsonValue, into: Set<JsonValue>): void {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || into.has(value)) continue;
    into.add(value);
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) open.push(child);
  }
}

function printValue(value: JsonValue, asGiven: ReadonlySet<JsonValue>, depth: number): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > MAX_DEPTH) return '...';
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => printValue(item, asGiven, depth + 1)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (!asGiven.has(value)) members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${jsonString(name)}:${printValue(member ?? null, asGiven, depth + 1)}`).join(',')}}`;
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

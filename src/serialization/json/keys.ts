import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { NumberTexts } from '../../schema/decode.js';
import { quote } from '../../values/quote.js';
import { decodeUtf8 } from '../../values/utf8.js';

/** The maximum number of strict decoding errors that are reported for one body (spec 3.10). */
export const MAX_STRICT_ERRORS = 100;
/** The maximum number of characters of all reported paths. Without it, many paths could each be as long as the body. */
const MAX_PATHS_LENGTH = 256 * 1024;

/** A step of a path: a member's name or an element's index. */
type Step = string | number;

interface Visitor {
  /**
   * Called after a member's name. `path` contains the steps to the object of the member, and `end` is the position after the closing quote
   * of the name. Returning true skips the member's value.
   */
  key?(path: readonly Step[], name: string, repeated: boolean, end: number): boolean | undefined;
  /** Called after a string, number or literal. It occupies the characters of the text from `from` to `to`, excluding `to`. */
  scalar?(path: readonly Step[], from: number, to: number): void;
}

/**
 * Returns the paths of duplicate keys in a valid document, such as `spec.items[0].x`, in document order and without repetition.
 * @param value the parsed document
 */
export function findDuplicates(text: string, value: JsonValue): string[] {
  // Almost no document has duplicate keys, and counting is cheap: a document with a duplicate has more keys in its text than members in its
  // value.
  if (countKeys(text) === countMembers(value)) return [];
  const paths = new Set<string>();
  let length = 0;
  walkJson(text, {
    key(path, name, repeated) {
      if (!repeated || paths.size >= MAX_STRICT_ERRORS || length > MAX_PATHS_LENGTH) return undefined;
      const full = formatPath(path, name);
      length += full.length + path.length;
      paths.add(full);
      return undefined;
    },
  });
  return [...paths];
}

/**
 * Returns the messages of strict decoding in document order: `unknown field "a"`, `duplicate field "b"`. Errors inside unknown fields are
 * not reported (spec 3.10).
 * @param bytes a valid JSON document
 * @param unknown paths that the schema does not have, such as `spec.items[0].x`
 */
export function strictErrors(bytes: Uint8Array, unknown: readonly string[]): string[] {
  const unknownPaths = new Set(unknown);
  const errors = new Set<string>();
  walkJson(decodeJsonText(bytes), {
    key(path, name, repeated) {
      if (!repeated && unknownPaths.size === 0) return undefined;
      const full = formatPath(path, name);
      const isUnknown = unknownPaths.has(full);
      if (!isUnknown && !repeated) return undefined;
      if (errors.size < MAX_STRICT_ERRORS) errors.add(`${isUnknown ? 'unknown' : 'duplicate'} field ${quote(full)}`);
      return isUnknown;
    },
  });
  return [...errors];
}

/**
 * Returns the JSON types of all values of the members `kind` and `apiVersion` of a valid document, in document order. Their names match in
 * any case. Only the last value of a repeated member is in the parsed document.
 */
export function typeMetaTypes(text: string): { readonly field: 'kind' | 'apiVersion'; readonly type: string }[] {
  const types: { field: 'kind' | 'apiVersion'; type: string }[] = [];
  walkJson(text, {
    key(path, name, _repeated, end) {
      const lower = path.length === 0 && name.length <= 10 ? name.toLowerCase() : '';
      if (lower !== 'kind' && lower !== 'apiversion') return undefined;
      const first = /[^\s:]/g;
      first.lastIndex = end;
      const type = VALUE_TYPES[first.exec(text)?.[0] ?? ''] ?? 'number';
      types.push({ field: lower === 'kind' ? 'kind' : 'apiVersion', type });
      return undefined;
    },
  });
  return types;
}
const VALUE_TYPES: Readonly<Record<string, string>> = {
  '"': 'string',
  '{': 'object',
  '[': 'array',
  t: 'bool',
  f: 'bool',
  n: 'null',
};

/** Matches numbers whose literal may differ from what JavaScript prints: numbers with a point, an exponent or many digits. */
export const ODD_NUMBER = /\d[.eE]|\d{16}/;

type OpenNumberTexts = Map<Step, OpenNumberTexts | string>;

/**
 * The depth up to which the literals of numbers are recorded. It is deeper than the schema of any kind, so literals below it are never
 * needed.
 */
const MAX_TEXT_DEPTH = 64;

/**
 * Returns the literals of numbers that JavaScript prints differently (`1e2`, `600.0`, more than 15 digits), by path. Typed decoding needs
 * them, because it checks and reports numbers as they were sent.
 * @param text a valid JSON document
 */
export function numberTexts(text: string): NumberTexts {
  const root: OpenNumberTexts = new Map();
  if (!ODD_NUMBER.test(text)) return root;
  walkJson(text, {
    scalar(path, from, to) {
      if (path.length > MAX_TEXT_DEPTH) return;
      const first = text.charCodeAt(from);
      if (first !== 0x2d && (first < 0x30 || first > 0x39)) return;
      const literal = text.slice(from, to);
      if (literal !== String(Number(literal))) setAt(root, path, literal);
    },
  });
  return root;
}

function setAt(root: OpenNumberTexts, path: readonly Step[], literal: string): void {
  let at = root;
  for (const step of path.slice(0, -1)) {
    const known = at.get(step);
    const next: OpenNumberTexts = known instanceof Map ? known : new Map();
    if (next !== known) at.set(step, next);
    at = next;
  }
  at.set(path.at(-1) ?? '', literal);
}

function formatSteps(path: readonly Step[]): string {
  let out = '';
  for (const step of path) out += typeof step === 'number' ? `[${step}]` : out === '' ? step : `.${step}`;
  return out;
}

function formatPath(path: readonly Step[], name: string): string {
  const parent = formatSteps(path);
  return parent === '' ? name : `${parent}.${name}`;
}

function countKeys(text: string): number {
  let count = 0;
  let end = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', end)) {
    end = endOfString(text, start);
    if (isKey(text, end)) count++;
  }
  return count;
}

function countMembers(value: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) {
      for (const name in next) {
        count++;
        const member = next[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return count;
}

/** Traverses a valid document without recursion. */
export function walkJson(text: string, visitor: Visitor): void {
  const path: Step[] = [];
  /** The names that have occurred in each object that is not closed yet; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  let skipDepth = -1;
  let i = 0;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c === 0x7b || c === 0x5b) {
      open.push(c === 0x7b ? new Set() : undefined);
      path.push(c === 0x7b ? '' : 0);
      i++;
    } else if (c === 0x7d || c === 0x5d) {
      open.pop();
      path.pop();
      if (open.length < skipDepth) skipDepth = -1;
      i++;
    } else if (c === 0x2c) {
      const last = path[path.length - 1];
      if (typeof last === 'number') path[path.length - 1] = last + 1;
      else if (open.length === skipDepth) skipDepth = -1;
      i++;
    } else if (c === 0x22) {
      const end = endOfString(text, i);
      const names = open[open.length - 1];
      if (names !== undefined && isKey(text, end)) {
        const name = unquote(text, i, end);
        path.pop();
        if (skipDepth < 0) {
          if (visitor.key?.(path, name, names.has(name), end) === true) skipDepth = open.length;
          names.add(name);
        }
        path.push(name);
      } else visitor.scalar?.(path, i, end);
      i = end;
    } else if (c > 0x20 && c !== 0x3a) {
      let end = i + 1;
      while (end < text.length && isLiteralPart(text.charCodeAt(end))) end++;
      visitor.scalar?.(path, i, end);
      i = end;
    } else i++;
  }
}

/** Returns the position after the closing quote of the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let end = from;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function isKey(text: string, after: number): boolean {
  let i = after;
  while (text.charCodeAt(i) <= 0x20) i++;
  return text.charCodeAt(i) === 0x3a;
}

function unquote(text: string, from: number, end: number): string {
  const raw = text.slice(from + 1, end - 1);
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
}

/** Returns whether a character may belong to a number or to `true`, `false` or `null`. */
const isLiteralPart = (c: number) => c > 0x20 && c !== 0x2c && c !== 0x5d && c !== 0x7d;

/** Decodes a JSON document to a string; invalid UTF-8 and lone surrogate escapes are replaced by U+FFFD. */
export function decodeJsonText(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  return text.includes('\\') && /\\u[dD][89a-fA-F]/.test(text) ? replaceLoneSurrogates(text) : text;
}

const SURROGATE_ESCAPES =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;

function replaceLoneSurrogates(text: string): string {
  return text.replace(SURROGATE_ESCAPES, (found) => (found.length === 6 ? '\\ufffd' : found));
}

import { hasIndexNames } from '../../json/members.js';
import { membersOf } from '../../json/order.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Characters that answers always escape, so that they are harmless inside HTML and JavaScript (spec 2.2). */
const UNSAFE = /[<>&\u2028\u2029]/g;
/** Matches names that are array indexes, which JavaScript enumerates before all others. */
const INDEX_NAME = /"\d{1,10}":/;
/** Matches an unsafe character or an index name. One pass finds either, and most texts contain neither. */
const ODD = new RegExp(`${UNSAFE.source}|${INDEX_NAME.source}`);
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a value as compact JSON text in the form that Go writes. */
export function stringifyJson(value: unknown): string {
  return write(value);
}

/** Encodes a value as compact JSON without the newline that ends an answer ({@link encodeJsonLine}). */
export function encodeJson(value: unknown): Uint8Array {
  return encodeText(stringifyJson(value));
}

/** Encodes a value as the whole body of an answer: compact JSON and a newline. */
export function encodeJsonLine(value: unknown): Uint8Array {
  const text = stringifyJson(value);
  return pooled(text, true) ?? encoder.encode(`${text}\n`);
}

/** Encodes a value as the whole body of an indented answer: two spaces per level, without a newline at the end. */
export function encodePretty(value: unknown): Uint8Array {
  return encodeText(write(value, 2));
}

/**
 * Encodes an indented document with a list in pieces that are made on demand, as {@link encodePretty} writes it.
 * @param head the members before the list
 * @param tail the members after it
 */
export function* encodePrettyList(
  head: object,
  name: string,
  elements: Iterable<object>,
  tail: object = {},
): Generator<Uint8Array, void, void> {
  let text = `${write(head, 2).slice(0, -2)},\n  ${stringifyJson(name)}: [`;
  const first = '\n    ';
  let separator = first;
  for (const element of elements) {
    text += separator + write(element, 2).replaceAll('\n', '\n    ');
    separator = ',\n    ';
    if (text.length < PIECE_LENGTH) continue;
    yield encodeText(text);
    text = '';
  }
  yield encodeText(`${text}${separator === first ? '' : '\n  '}]${membersAfter(write(tail, 2), '\n}')}`);
}

/**
 * Returns the end of a document after its list, made from an object in the same style: its members and its brace.
 * @param brace the end if there are no members
 */
export const membersAfter = (object: string, brace: string): string =>
  object === '{}' ? brace : `,${object.slice(1)}`;

/** Encodes a document with its list last, in pieces, as {@link encodeJsonLine} writes it. */
export function* encodeLineList(
  head: object,
  name: string,
  elements: Iterable<object>,
): Generator<Uint8Array, void, void> {
  let text = `${stringifyJson(head).slice(0, -1)},${stringifyJson(name)}:[`;
  let separator = '';
  for (const element of elements) {
    text += separator + stringifyJson(element);
    separator = ',';
    if (text.length < PIECE_LENGTH) continue;
    yield encodeText(text);
    text = '';
  }
  yield encodeText(`${text}]}\n`);
}

/** The number of characters in a piece; a piece has at least one element. */
const PIECE_LENGTH = 256 * 1024;

// Short texts share memory, because allocating it for each costs more than all the rest. A larger pool would be kept alive by a few
// remaining texts.
const POOL_BYTES = 8192;
const MAX_POOLED = POOL_BYTES / 2;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/** Encodes text as bytes, which may share their memory with others and must not be changed. */
export function encodeText(text: string): Uint8Array {
  return pooled(text, false) ?? encoder.encode(text);
}

/** Encodes a text into the pool; returns undefined for a long text, and for one whose bytes do not fit. */
function pooled(text: string, endsLine: boolean): Uint8Array | undefined {
  const needed = text.length + Number(endsLine);
  if (needed > MAX_POOLED) return undefined;
  if (pool.length - used < needed) {
    pool = new Uint8Array(POOL_BYTES);
    used = 0;
  }
  const room = pool.subarray(used, endsLine ? pool.length - 1 : pool.length);
  const { read, written } = encoder.encodeInto(text, room);
  if (read < text.length) return undefined;
  const start = used;
  used += written;
  if (endsLine) pool[used++] = NEWLINE;
  return pool.subarray(start, used);
}

/** The newline that ends compact answers, as a chunk of its own. It must not be changed. */
export const newline: Uint8Array = Uint8Array.of(NEWLINE);

/** Returns a value as JSON text in the form that Go writes. */
function write(value: unknown, indent = 0): string {
  const text = stringify(value, indent);
  if (!ODD.test(text)) return text;
  return (INDEX_NAME.test(text) ? stringifyInOrder(value, indent) : text).replace(UNSAFE, escapeChar);
}

function stringify(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    // Bodies may nest deeper than the recursion of JSON.stringify can go. They are written without indentation, which would be far longer
    // than their content.
    if (error instanceof RangeError) return stringifyInOrder(value, 0);
    throw error;
  }
}

/** The parts that are not written yet: finished texts, and values with their nesting level, which sets the indentation. */
type Waiting = string | { readonly value: unknown; readonly level: number };

/**
 * Returns a value as JSON, without recursion. It differs from `JSON.stringify` for objects with names that are array indexes, such as `10`
 * and `9`: JavaScript enumerates those first and in numeric order, but Go sorts all members of such objects by name.
 * @param indent blanks for each level; 0 writes compact JSON
 */
function stringifyInOrder(root: unknown, indent: number): string {
  const parts: string[] = [];
  const waiting: Waiting[] = [{ value: root, level: 0 }];
  const newLine = (level: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * level)}`);
  const colon = indent === 0 ? ':' : ': ';
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { value, level } = next;
    if (Array.isArray(value)) {
      parts.push('[');
      waiting.push(value.length === 0 ? ']' : `${newLine(level)}]`);
      for (let i = value.length - 1; i >= 0; i--)
        waiting.push({ value: value[i], level: level + 1 }, `${i === 0 ? '' : ','}${newLine(level + 1)}`);
    } else if (isJsonObject(value)) {
      const members = membersInOrder(value);
      parts.push('{');
      waiting.push(members.length === 0 ? '}' : `${newLine(level)}}`);
      for (const [i, [name, member]] of [...members.entries()].reverse())
        waiting.push(
          { value: member, level: level + 1 },
          `${i === 0 ? '' : ','}${newLine(level + 1)}${JSON.stringify(name)}${colon}`,
        );
    } else parts.push(JSON.stringify(value) ?? 'null');
  }
  return parts.join('');
}

const membersInOrder = (object: JsonObject) =>
  hasIndexNames(object) ? membersOf(object) : Object.entries(object).filter(([, member]) => member !== undefined);

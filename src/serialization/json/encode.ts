import { hasIndexNames } from '../../json/members.js';
import { membersOf } from '../../json/order.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Characters that responses always escape, so that they are harmless inside HTML and JavaScript (spec 2.2). */
const UNSAFE_CHARACTERS = ['<', '>', '&', '\u2028', '\u2029'] as const;
const UNSAFE = new RegExp(`[${UNSAFE_CHARACTERS.join('')}]`, 'g');
/**
 * Matches names that are array indexes, which JavaScript enumerates before all others. The end of a name is matched first, because it is
 * rarer than the beginning.
 */
const INDEX_NAME = /\d":(?<="\d{1,10}":)/;
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a value as JSON in the form that Go's encoder writes. @param indent blanks for each level; 0 writes compact JSON */
export function stringifyJson(value: unknown, indent = 0): string {
  let text: string;
  try {
    text = JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    // Bodies may be nested deeper than JSON.stringify can recurse. They are encoded without indentation, because it would be far longer
    // than their content.
    if (!(error instanceof RangeError)) throw error;
    text = stringifyInOrder(value, 0);
  }
  const ordered = INDEX_NAME.test(text) ? stringifyInOrder(value, indent) : text;
  return isSafe(ordered) ? ordered : ordered.replace(UNSAFE, escapeChar);
}

/** Encodes a value as compact JSON without the newline that ends a response ({@link encodeJsonLine}). */
export function encodeJson(value: unknown): Uint8Array {
  return encodeText(stringifyJson(value));
}

/** Encodes a value as a whole response body: compact JSON and a newline. */
export function encodeJsonLine(value: unknown): Uint8Array {
  const text = stringifyJson(value);
  return encodePooled(text, true) ?? encoder.encode(`${text}\n`);
}

/** Encodes a value as a whole indented response body: two spaces per level, without a newline at the end. */
export function encodePretty(value: unknown): Uint8Array {
  return encodeText(stringifyJson(value, 2));
}

/**
 * Encodes an indented document that contains a list. The chunks are created on demand, and their concatenation equals the result of
 * {@link encodePretty}.
 * @param head the members before the list
 * @param tail the members after the list
 */
export function* encodePrettyList(
  head: object,
  name: string,
  elements: Iterable<object>,
  tail: object = {},
): Generator<Uint8Array, void, void> {
  let text = `${stringifyJson(head, 2).slice(0, -2)},\n  ${stringifyJson(name)}: [`;
  const first = '\n    ';
  let separator = first;
  for (const element of elements) {
    text += separator + stringifyJson(element, 2).replaceAll('\n', '\n    ');
    separator = ',\n    ';
    if (text.length < PIECE_LENGTH) continue;
    yield encodeText(text);
    text = '';
  }
  yield encodeText(`${text}${separator === first ? '' : '\n  '}]${membersAfter(stringifyJson(tail, 2), '\n}')}`);
}

/**
 * Returns the text that closes a list document after the `]` of its items: the members that follow `items`, and the closing brace.
 * @param object a JSON object of the members that follow `items`, indented like the document
 * @param brace the closing brace for a document in which no members follow `items`; in an indented document it begins with a newline
 */
export const membersAfter = (object: string, brace: string): string =>
  object === '{}' ? brace : `,${object.slice(1)}`;

/** Encodes a document whose last member is a list, in chunks. Their concatenation equals the result of {@link encodeJsonLine}. */
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

/** The number of characters at which a chunk ends. A chunk has at least one element of the list. */
const PIECE_LENGTH = 256 * 1024;

// Short byte arrays share a buffer, because allocating a buffer for each costs more than the rest of the encoding. The buffers are small,
// because a few remaining arrays keep their whole buffer alive.
const POOL_BYTES = 8192;
const MAX_POOLED = POOL_BYTES / 2;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/** Encodes a string as UTF-8. The bytes may share their buffer with other arrays and must not be changed. */
export function encodeText(text: string): Uint8Array {
  return encodePooled(text, false) ?? encoder.encode(text);
}

/** Encodes a string into the shared buffer. Returns undefined for a long string, or if its bytes do not fit. */
function encodePooled(text: string, endsLine: boolean): Uint8Array | undefined {
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

/** The newline that ends compact responses, as a chunk of its own. It must not be changed. */
export const newline: Uint8Array = Uint8Array.of(NEWLINE);

/** Returns whether no character must be escaped. Looking for single characters is five times as fast as a regular expression. */
function isSafe(text: string): boolean {
  for (const character of UNSAFE_CHARACTERS) if (text.includes(character)) return false;
  return true;
}

/** A part that is not written yet: a finished string, or a value with its nesting level, which determines the indentation. */
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

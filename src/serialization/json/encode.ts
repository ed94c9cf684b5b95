import { stringifyInOrder } from './in-order.js';

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Characters that answers never show as they are, so that they are harmless inside HTML and JavaScript (spec 2.2). */
const UNSAFE = /[<>&\u2028\u2029]/g;
/** Names that are array indexes, which JavaScript lists before all others. */
const INDEX_NAME = /"\d{1,10}":/;
/** Both in one pass, since most texts have neither. */
const ODD = new RegExp(`${UNSAFE.source}|${INDEX_NAME.source}`);
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as compact JSON text in the form of the wire. */
export function stringifyJson(value: unknown): string {
  return write(value);
}

/** A value as compact JSON; the newline that ends an answer is the caller's ({@link encodeJsonLine}). */
export function encodeJson(value: unknown): Uint8Array {
  return encodeText(stringifyJson(value));
}

/** A value as the whole body of an answer: compact JSON and a newline. */
export function encodeJsonLine(value: unknown): Uint8Array {
  const text = stringifyJson(value);
  return pooled(text, true) ?? encoder.encode(`${text}\n`);
}

/** A value as the whole body of an indented answer: two spaces per level, no newline at the end. */
export function encodePretty(value: unknown): Uint8Array {
  return encodeText(write(value, 2));
}

/**
 * An indented document with a list, in pieces: as {@link encodePretty} writes it, made as it is asked for.
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
 * The end of a document after its list: the members of an object that is written in the same way, and its brace.
 * @param brace how it is closed where there are none
 */
export const membersAfter = (object: string, brace: string): string =>
  object === '{}' ? brace : `,${object.slice(1)}`;

/** The same as {@link encodeJsonLine} writes it, its list last. */
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

/** Characters that are handed out at a time, or one element. */
const PIECE_LENGTH = 256 * 1024;

// Memory of its own for each short text costs more than all the rest. Larger pieces would be held by what is left of them.
const POOL_BYTES = 8192;
const MAX_POOLED = POOL_BYTES / 2;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/** Text as bytes, which may share their memory with others: not to be changed. */
export function encodeText(text: string): Uint8Array {
  return pooled(text, false) ?? encoder.encode(text);
}

/** Undefined for a long text, and for one that has more bytes than there is room. */
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

/** The newline that ends compact answers, as a chunk of its own. Not to be changed. */
export const newline: Uint8Array = Uint8Array.of(NEWLINE);

/** A value as text in the form of the wire. */
function write(value: unknown, indent = 0): string {
  const text = stringify(value, indent);
  if (!ODD.test(text)) return text;
  return (INDEX_NAME.test(text) ? stringifyInOrder(value, indent) : text).replace(UNSAFE, escapeChar);
}

function stringify(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    // Bodies may nest deeper than the engine's own function can go. Indented they would be far longer than what they say.
    if (error instanceof RangeError) return stringifyInOrder(value, 0);
    throw error;
  }
}

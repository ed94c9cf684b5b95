const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Characters that answers never show as they are, so that they are harmless inside HTML and JavaScript (spec 2.2). */
const UNSAFE = /[<>&\u2028\u2029]/;
const UNSAFE_ALL = /[<>&\u2028\u2029]/g;
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as compact JSON text in the form of the wire. */
export function stringifyJson(value: unknown): string {
  return escapeUnsafe(stringify(value));
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
  return encodeText(escapeUnsafe(stringify(value, 2)));
}

/**
 * An indented document in pieces, the last member of which is a list: as {@link encodePretty} writes it, made as it is asked
 * for.
 * @param head the document without its list
 */
export function* encodePrettyList(
  head: object,
  name: string,
  elements: Iterable<object>,
): Generator<Uint8Array, void, void> {
  let text = `${escapeUnsafe(stringify(head, 2)).slice(0, -2)},\n  ${stringifyJson(name)}: [`;
  const first = '\n    ';
  let separator = first;
  for (const element of elements) {
    text += separator + escapeUnsafe(stringify(element, 2)).replaceAll('\n', '\n    ');
    separator = ',\n    ';
    if (text.length < PIECE_LENGTH) continue;
    yield encodeText(text);
    text = '';
  }
  yield encodeText(`${text}${separator === first ? '' : '\n  '}]\n}`);
}

/** The same as {@link encodeJsonLine} writes it. */
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

function stringify(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return stringifyDeep(value);
    throw error;
  }
}

/** Compact JSON without recursion: bodies may nest deeper than the runtime's own function can go. */
function stringifyDeep(root: unknown): string {
  const parts: string[] = [];
  /** What is still to be written: texts unchanged, values in a box. */
  const waiting: (string | { readonly value: unknown })[] = [{ value: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (typeof next.value !== 'object' || next.value === null) parts.push(JSON.stringify(next.value) ?? 'null');
    else {
      const list = Array.isArray(next.value);
      const members = Object.entries(next.value).filter(([, member]) => list || member !== undefined);
      waiting.push(list ? ']' : '}');
      for (const [i, [name, member]] of [...members.entries()].reverse()) {
        waiting.push({ value: member }, `${i === 0 ? '' : ','}${list ? '' : `${JSON.stringify(name)}:`}`);
      }
      parts.push(list ? '[' : '{');
    }
  }
  return parts.join('');
}

function escapeUnsafe(json: string): string {
  return UNSAFE.test(json) ? json.replace(UNSAFE_ALL, escapeChar) : json;
}

import type { JsonObject } from '../json/value.js';
import { aroundItems, type ListHead } from './format.js';
import { encodeJson, encodeJsonLine, encodeText, membersAfter, newline, stringifyJson } from './json/encode.js';
import { KeptTexts } from './kept-texts.js';

/** The JSON of one object version. Bytes are shared and must not be changed. */
export interface EncodedObject {
  /** The whole object. */
  readonly bytes: Uint8Array;
  /** The bytes after `{"kind":…,"apiVersion":…,`; whole when the object does not begin so. */
  readonly body: Uint8Array;
  /** The whole object as the body of an answer: with a newline. */
  readonly chunks: readonly Uint8Array[];
}

/** Any frozen object of the API; edits make a new one, so that an object identifies its version. */
export type CacheableObject = Readonly<object>;

const encoded = new WeakMap<CacheableObject, EncodedObject>();
const events = new WeakMap<CacheableObject, Map<string, Uint8Array>>();
/** Bytes of texts that are kept in all, see {@link KeptTexts}. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024;
const kept = new KeptTexts<CacheableObject>(MOST_KEPT_BYTES, (object) => {
  encoded.delete(object);
  events.delete(object);
});
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COMMA = 0x2c;
const NEWLINE = 0x0a;

/** The JSON of an object, made once per version. The object must never change afterwards. */
export function encodeObject(object: CacheableObject): EncodedObject {
  const known = encoded.get(object);
  if (known !== undefined) return known;
  return remember(object, encodeJsonLine(object), true);
}

/** Gives back what is kept of a version that another one replaced: only the history still has it, and is hardly ever asked. */
export function forgetEncoding(object: CacheableObject): void {
  encoded.delete(object);
}

function remember(object: CacheableObject, text: Uint8Array, endsLine: boolean): EncodedObject {
  const made = new ObjectEncoding(object, text, endsLine);
  encoded.set(object, made);
  kept.add(object, text.length);
  return made;
}

/** What is not asked for each time is made when it is: most versions are only sent alone. */
class ObjectEncoding implements EncodedObject {
  readonly #object: CacheableObject;
  readonly #text: Uint8Array;
  readonly #endsLine: boolean;
  #body: Uint8Array | undefined;

  /** @param endsLine whether the text has a newline at its end */
  constructor(object: CacheableObject, text: Uint8Array, endsLine: boolean) {
    this.#object = object;
    this.#text = text;
    this.#endsLine = endsLine;
  }

  get bytes(): Uint8Array {
    return this.#endsLine ? this.#text.subarray(0, -1) : this.#text;
  }
  get chunks(): readonly Uint8Array[] {
    return this.#endsLine ? [this.#text] : [this.#text, newline];
  }
  get body(): Uint8Array {
    this.#body ??= bodyOf(this.#object, this.bytes);
    return this.#body;
  }
}

/** The object's members but kind and apiVersion, which items of typed lists do not carry, and the closing brace. */
function bodyOf(object: CacheableObject, bytes: Uint8Array): Uint8Array {
  // Whatever is cached is a JSON object.
  const json = object as JsonObject;
  let position = 0;
  for (const name in json) {
    if (position === 2) break;
    if (name !== (position === 0 ? 'kind' : 'apiVersion')) break;
    position++;
  }
  if (position !== 2) return bodyWithoutType(json);
  const start = encodeText(
    `{"kind":${stringifyJson(json['kind'])},"apiVersion":${stringifyJson(json['apiVersion'])}`,
  ).length;
  return bytes.subarray(bytes[start] === COMMA ? start + 1 : start);
}

function bodyWithoutType(json: JsonObject): Uint8Array {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = json;
  return encodeJson(rest).subarray(1);
}

/**
 * One line of a watch: `{"type":"ADDED","object":{…}}` and a newline. One buffer per object and event type, shared by
 * all watchers; it also serves as the object's own encoding.
 */
export function encodeWatchEvent(type: string, object: CacheableObject): Uint8Array {
  // One event goes to all its watchers in a row.
  if (last !== undefined && last.object === object && last.type === type) return last.line;
  let known = events.get(object);
  if (known === undefined) events.set(object, (known = new Map()));
  let line = known.get(type);
  if (line === undefined) known.set(type, (line = makeWatchEvent(type, object)));
  last = { type, object, line };
  return line;
}

let last: { readonly type: string; readonly object: CacheableObject; readonly line: Uint8Array } | undefined;

function makeWatchEvent(type: string, object: CacheableObject): Uint8Array {
  const head = `{"type":${stringifyJson(type)},"object":`;
  const known = encoded.get(object);
  if (known !== undefined) {
    const start = encodeText(head);
    const line = new Uint8Array(start.length + known.bytes.length + 2);
    line.set(start);
    line.set(known.bytes, start.length);
    line[line.length - 2] = BRACE_CLOSE;
    line[line.length - 1] = NEWLINE;
    kept.add(object, line.length);
    return line;
  }
  const line = encodeText(`${head}${stringifyJson(object)}}\n`);
  remember(object, line.subarray(head.length, line.length - 2), false);
  return line;
}

/** Bytes of a list that are handed out at a time: enough for few writes, little enough for other work in between. */
const SLAB_BYTES = 256 * 1024;
const EMPTY = new Uint8Array(0);

export interface EncodeListOptions {
  /** Whether items carry kind and apiVersion: those of users' kinds do (spec 2.6). Default false. */
  readonly itemsCarryKind?: boolean;
  /** Whether the list's own members are by name. Default: the items come last. */
  readonly byName?: boolean;
}

/**
 * So many bytes of a list, and of encodings of its items, are kept for the next reader. What is beyond is made for each anew, so
 * that reading does not make memory grow with the list.
 */
const KEPT_BYTES = 16 * 1024 * 1024;

/** How far a list has been made: the first item that is not in it yet; infinite once its end is there, too. */
interface Position {
  at: number;
}

/**
 * A list's JSON in slabs of about 256 KiB, one after the other, so that a caller can do other work in between. Items are
 * encoded as they are reached, at most once per version while that is kept; the rest is copying. Without a newline at the end.
 * @param list the list without its items: kind, apiVersion, metadata
 * @param position where to begin; moved to where each slab ends
 */
export function* encodeListSlabs(
  list: ListHead,
  items: readonly CacheableObject[],
  options: EncodeListOptions = {},
  position: Position = { at: 0 },
): Generator<Uint8Array, void, void> {
  const around = textsAround(list, options);
  const head = position.at === 0 ? encodeText(around.head) : EMPTY;
  const end = encodeText(around.end);
  const whole = options.itemsCarryKind === true;
  let kept = position.at === 0 ? 0 : KEPT_BYTES;
  let slab = head;
  let at = head.length;
  for (let next = position.at; next < items.length; next++) {
    const item = items[next];
    if (item === undefined) continue;
    const { bytes, body } = kept < KEPT_BYTES ? encodeObject(item) : encodeOnce(item);
    const written = whole ? bytes : body;
    kept += written.length;
    // With its brace, its comma and the list's end.
    const needed = written.length + 2 + end.length;
    if (at + needed > slab.length) {
      const before = slab === head ? head : EMPTY;
      if (slab !== head) {
        position.at = next;
        yield slab.subarray(0, at);
      }
      slab = newSlab(before, needed, items.length - next);
      at = before.length;
    }
    if (!whole) slab[at++] = BRACE_OPEN;
    slab.set(written, at);
    at += written.length;
    slab[at++] = COMMA;
  }
  if (slab === head) slab = newSlab(head, end.length, 0);
  // The last item's comma gives way to the bracket.
  if (items.length > 0) at--;
  slab.set(end, at);
  position.at = Number.POSITIVE_INFINITY;
  yield slab.subarray(0, at + end.length);
}

/** The JSON of an object, without keeping it. */
function encodeOnce(object: CacheableObject): EncodedObject {
  return encoded.get(object) ?? new ObjectEncoding(object, encodeJsonLine(object), true);
}

/** A slab that begins with some bytes, with room for what is left if it is about as long as what comes next. */
function newSlab(before: Uint8Array, needed: number, left: number): Uint8Array<ArrayBuffer> {
  const slab = new Uint8Array(before.length + Math.max(needed, Math.min(SLAB_BYTES, Math.ceil(needed * 1.1) * left)));
  slab.set(before);
  return slab;
}

const lists = new WeakMap<
  readonly CacheableObject[],
  { readonly around: string; readonly chunks: Iterable<Uint8Array> }
>();

/**
 * A whole list's JSON, see {@link encodeListSlabs}, in chunks that are made as they are asked for; shared and not to be changed.
 * Frozen items identify the state of a collection: the first chunks are made once, for as long as the items are held.
 */
export function encodeList(
  list: ListHead,
  items: readonly CacheableObject[],
  options: EncodeListOptions = {},
): Iterable<Uint8Array> {
  const slabs = (position?: Position) => encodeListSlabs(list, items, options, position);
  if (!Object.isFrozen(items)) return { [Symbol.iterator]: () => slabs() };
  const { head, end } = textsAround(list, options);
  const known = lists.get(items);
  if (known?.around === head + end) return known.chunks;
  const chunks = new SharedChunks(slabs);
  lists.set(items, { around: head + end, chunks });
  return chunks;
}

/** Chunks that are made for who asks first and kept for the others, as long as they are not too many. */
class SharedChunks implements Iterable<Uint8Array> {
  readonly #from: (position: Position) => Iterator<Uint8Array, void> & Iterable<Uint8Array>;
  readonly #position: Position = { at: 0 };
  readonly #source: Iterator<Uint8Array, void>;
  readonly #made: Uint8Array[] = [];
  #bytes = 0;

  constructor(from: (position: Position) => Iterator<Uint8Array, void> & Iterable<Uint8Array>) {
    this.#from = from;
    this.#source = from(this.#position);
  }

  *[Symbol.iterator](): Generator<Uint8Array, void, void> {
    for (let i = 0; ; i++) {
      let chunk = this.#made[i];
      if (chunk === undefined) {
        if (this.#bytes > KEPT_BYTES) {
          if (this.#position.at < Number.POSITIVE_INFINITY) yield* this.#from({ ...this.#position });
          return;
        }
        const { value } = this.#source.next();
        if (value === undefined) return;
        this.#made.push((chunk = value));
        this.#bytes += chunk.length;
      }
      yield chunk;
    }
  }
}

/** What is written before the items, and after them. */
function textsAround(
  list: ListHead,
  { byName = false }: EncodeListOptions,
): { readonly head: string; readonly end: string } {
  const { before, after } = aroundItems(list, byName);
  return {
    head: `${stringifyJson(before).slice(0, -1)},"items":[`,
    end: `]${membersAfter(stringifyJson(after), '}')}`,
  };
}

import type { JsonObject } from '../json/value.js';
import { aroundItems, type ListHead } from './format.js';
import { encodeJson, encodeJsonLine, encodeText, membersAfter, newline, stringifyJson } from './json/encode.js';
import { SLAB_BYTES, Slab } from './slabs.js';

/** Encodings up to this size in bytes are not counted: they are about as large as their objects and are garbage-collected with them. */
const SMALL = 4096;
/** The number of entries up to which the cache does not search for garbage-collected objects. */
const FEW = 1024;

/**
 * Limits the total size of the encodings that are cached with objects. The size limit of stored objects does not limit the encodings,
 * because defaults make the encoding of a small object large. The oldest encodings are dropped first.
 */
export class CachedTexts<T extends object> {
  readonly #mostBytes: number;
  readonly #forget: (object: T) => void;
  #kept: { readonly object: WeakRef<T>; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;
  /** The number of entries above which entries of garbage-collected objects are removed. */
  #enough = FEW;

  /**
   * @param mostBytes the maximum size of all encodings together
   * @param forget called with an object whose encoding must be dropped
   */
  constructor(mostBytes: number, forget: (object: T) => void) {
    this.#mostBytes = mostBytes;
    this.#forget = forget;
  }

  /** Counts an encoding that was cached with an object. If all encodings together become too large, the oldest ones are dropped. */
  add(object: T, bytes: number): void {
    if (bytes <= SMALL) return;
    this.#kept.push({ object: new WeakRef(object), bytes });
    this.#bytes += bytes;
    if (this.#kept.length > this.#enough) this.#dropGone();
    while (this.#bytes > this.#mostBytes) {
      const oldest = this.#kept[this.#first++];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      const object = oldest.object.deref();
      if (object !== undefined) this.#forget(object);
    }
  }

  #dropGone(): void {
    this.#kept = this.#kept.slice(this.#first).filter(({ object }) => object.deref() !== undefined);
    this.#first = 0;
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
    // The threshold is twice the number of remaining entries, so that the average cost of the search per added entry is small.
    this.#enough = Math.max(FEW, 2 * this.#kept.length);
  }
}

/** Any frozen API object. Edits create another object, so each version of an API object is a cache key of its own. */
export type CacheableObject = Readonly<object>;

const encoded = new WeakMap<CacheableObject, EncodedObject>();
const events = new WeakMap<CacheableObject, Map<string, Uint8Array>>();
/** The maximum size of all cached encodings in bytes, see {@link CachedTexts}. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024;
const cachedTexts = new CachedTexts<CacheableObject>(MOST_KEPT_BYTES, (object) => {
  encoded.delete(object);
  events.delete(object);
});
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COMMA = 0x2c;
const NEWLINE = 0x0a;

/**
 * Returns the JSON of an object. A frozen object is encoded once; an object that is not frozen, such as an access review, is sent only once
 * and not cached.
 */
export function encodeObject(object: CacheableObject): EncodedObject {
  if (!Object.isFrozen(object)) return encodeOnce(object);
  const known = encoded.get(object);
  if (known !== undefined) return known;
  return remember(object, encodeJsonLine(object), true);
}

/**
 * Drops the cached encoding of a version that an update has replaced, because only the watch history still has that version and seldom
 * sends it.
 */
export function forgetEncoding(object: CacheableObject): void {
  encoded.delete(object);
}

function remember(object: CacheableObject, text: Uint8Array, endsLine: boolean): EncodedObject {
  const encoding = new EncodedObject(text, endsLine);
  encoded.set(object, encoding);
  cachedTexts.add(object, text.length);
  return encoding;
}

/**
 * The JSON of one object version. Its bytes are shared and must not be changed. The form without kind and apiVersion, which lists contain,
 * is computed on demand, because most versions are never sent in a list. The encoding must not reference the object: V8's young-generation
 * collections keep the values of a WeakMap alive, and such a value would keep its key alive, too.
 */
class EncodedObject {
  readonly #text: Uint8Array;
  readonly #endsLine: boolean;
  #body: Uint8Array | undefined;

  /**
   * @param text the JSON of the object
   * @param endsLine whether `text` ends with a newline
   */
  constructor(text: Uint8Array, endsLine: boolean) {
    this.#text = text;
    this.#endsLine = endsLine;
  }

  /** The JSON of the whole object, without a newline. */
  get bytes(): Uint8Array {
    return this.#endsLine ? this.#text.subarray(0, -1) : this.#text;
  }
  /** The JSON of the whole object with a newline, as a response body. */
  get chunks(): readonly Uint8Array[] {
    return this.#endsLine ? [this.#text] : [this.#text, newline];
  }
  /** Returns the bytes after `{"kind":…,"apiVersion":…,`, or all bytes if the object does not begin with these members. */
  bodyOf(object: CacheableObject): Uint8Array {
    this.#body ??= bodyOf(object, this.bytes);
    return this.#body;
  }
}

/**
 * Returns the JSON of the object's members other than kind and apiVersion, with the closing brace. Items of typed lists omit kind and
 * apiVersion.
 */
function bodyOf(object: CacheableObject, bytes: Uint8Array): Uint8Array {
  // All cached objects are JSON objects, so the cast is safe.
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
 * Encodes one line of a watch: `{"type":"ADDED","object":{…}}` and a newline. All watches share one buffer for each object and event type.
 * If the object was not encoded before, the buffer also provides the object's own encoding.
 */
export function encodeWatchEvent(type: string, object: CacheableObject): Uint8Array {
  // An event is sent to all watches in a row, so the last encoding is cached.
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
    cachedTexts.add(object, line.length);
    return line;
  }
  const line = encodeText(`${head}${stringifyJson(object)}}\n`);
  remember(object, line.subarray(head.length, line.length - 2), false);
  return line;
}

const EMPTY = new Uint8Array(0);

export interface EncodeListOptions {
  /** Whether items have kind and apiVersion, as items of custom resource lists do (spec 2.6). Default: false. */
  readonly itemsCarryKind?: boolean;
  /** Whether the list's own members are sorted by name. Default: false; the items come last. */
  readonly byName?: boolean;
}

/**
 * The maximum number of bytes of a list, and of the encodings of its items, that are cached for later readers. What exceeds the limit is
 * encoded again for each reader, so that reading a long list does not fill the memory.
 */
const KEPT_BYTES = 16 * 1024 * 1024;

/** The position within a list: the index of the next item to encode, or infinity once the end of the list is encoded. */
interface Position {
  at: number;
}

/**
 * Encodes a list as one line of JSON. It yields the line in buffers ({@link Slab}) of about 256 KiB, so that the caller can do other work
 * in between. Items whose encoding is cached are copied; all others are encoded when they are reached.
 * @param list the list without its items: kind, apiVersion, metadata
 * @param position where to begin; it moves to the end of each slab
 * @param shared whether the slabs go to several readers, so that their buffers cannot be reused
 */
export function* encodeListSlabs(
  list: ListHead,
  items: readonly CacheableObject[],
  options: EncodeListOptions = {},
  position: Position = { at: 0 },
  shared = false,
): Generator<Uint8Array, void, void> {
  const around = textsAround(list, options);
  const head = position.at === 0 ? encodeText(around.head) : EMPTY;
  const end = encodeText(around.end);
  const whole = options.itemsCarryKind === true;
  let kept = position.at === 0 ? 0 : KEPT_BYTES;
  let slab: Slab | undefined;
  let room = head;
  let at = head.length;
  for (let next = position.at; next < items.length; next++) {
    const item = items[next];
    if (item === undefined) continue;
    const encoding = kept < KEPT_BYTES ? encodeObject(item) : encodeOnce(item);
    const written = whole ? encoding.bytes : encoding.bodyOf(item);
    kept += written.length;
    // The size includes the item's brace, the comma after the item, and the end of the list.
    const needed = written.length + 2 + end.length;
    if (at + needed > room.length) {
      const before = slab ? EMPTY : head;
      if (slab) {
        position.at = next;
        yield slab.content(at);
      }
      slab = slabFor(before, needed, items.length - next, shared);
      room = slab.room;
      at = before.length;
    }
    if (!whole) room[at++] = BRACE_OPEN;
    room.set(written, at);
    at += written.length;
    room[at++] = COMMA;
  }
  slab ??= slabFor(head, end.length, 0, shared);
  // The end of the list overwrites the comma of the last item.
  if (items.length > 0) at--;
  slab.room.set(end, at);
  position.at = Number.POSITIVE_INFINITY;
  yield slab.content(at + end.length);
}

/** Returns the JSON of an object without caching it. */
function encodeOnce(object: CacheableObject): EncodedObject {
  return encoded.get(object) ?? new EncodedObject(encodeJsonLine(object), true);
}

/**
 * Returns a slab that begins with `before`. If the remaining items, estimated by the length of the next one, need less than
 * {@link SLAB_BYTES}, the slab has only the size that they need. So a short list is a single chunk, whose length is known before it is
 * sent; a longer list consists of several chunks, which are released once they are sent.
 */
function slabFor(before: Uint8Array, needed: number, left: number, shared: boolean): Slab {
  const least = before.length + needed;
  const size = Math.max(least, Math.min(SLAB_BYTES, before.length + Math.ceil(needed * 1.1) * left));
  const slab = new Slab(size, !shared && (size === SLAB_BYTES || before === EMPTY));
  slab.room.set(before);
  return slab;
}

const lists = new WeakMap<
  readonly CacheableObject[],
  { readonly around: string; readonly chunks: Iterable<Uint8Array> }
>();

/**
 * Returns the JSON of a whole list (see {@link encodeListSlabs}) in chunks that are created on demand and must not be changed. If `items`
 * is frozen, its content cannot change, so the array serves as a cache key: later calls with the same array and list head share the first
 * chunks, which are kept as long as the array exists.
 */
export function encodeList(
  list: ListHead,
  items: readonly CacheableObject[],
  options: EncodeListOptions = {},
): Iterable<Uint8Array> {
  const slabs = (position?: Position, shared = false) => encodeListSlabs(list, items, options, position, shared);
  if (!Object.isFrozen(items)) return { [Symbol.iterator]: () => slabs() };
  const { head, end } = textsAround(list, options);
  const known = lists.get(items);
  if (known?.around === head + end) return known.chunks;
  const chunks = new SharedChunks(slabs);
  lists.set(items, { around: head + end, chunks });
  return chunks;
}

/** The chunks of a list, which are created for the first reader and cached for later ones up to {@link KEPT_BYTES}. */
class SharedChunks implements Iterable<Uint8Array> {
  readonly #from: (position: Position, shared?: boolean) => Iterator<Uint8Array, void> & Iterable<Uint8Array>;
  readonly #position: Position = { at: 0 };
  readonly #source: Iterator<Uint8Array, void>;
  readonly #made: Uint8Array[] = [];
  #bytes = 0;

  constructor(from: (position: Position, shared?: boolean) => Iterator<Uint8Array, void> & Iterable<Uint8Array>) {
    this.#from = from;
    this.#source = from(this.#position, true);
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

/** Returns the JSON before and after the items; a newline ends the list. */
function textsAround(
  list: ListHead,
  { byName = false }: EncodeListOptions,
): { readonly head: string; readonly end: string } {
  const { before, after } = aroundItems(list, byName);
  return {
    head: `${stringifyJson(before).slice(0, -1)},"items":[`,
    end: `]${membersAfter(stringifyJson(after), '}')}\n`,
  };
}

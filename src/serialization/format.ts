import type { JsonObject, JsonValue } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { ListMeta } from '../meta/object-meta.js';
import type { NumberTexts } from '../schema/decode.js';
import type { ObjectSchema } from '../schema/schema.js';
import { quote } from '../values/quote.js';
import { MAX_STRICT_ERRORS } from './json/keys.js';

/**
 * A form in which bodies are read and answers are written. A new one is a folder beside `json/` and an entry in
 * `formats.ts`; nothing else asks which format a request chose.
 */
export interface Format {
  /** As in headers and messages: `application/json`. */
  mediaType(dialect: Dialect): string;
  /** Whether answers can be indented for people to read. */
  readonly indents: boolean;
  /** Kinds that an answer can be turned into by `as=` of an Accept clause. */
  readonly transforms: ReadonlySet<string>;
  /** Whether objects of a kind can be written as they are. Default: those of every kind. */
  writes?(described: Described): boolean;
  /** How the events of a watch are sent; undefined when they cannot be. */
  readonly stream?: EventFormat;

  /** Takes a body off the wire. @throws DecodeError with the inner text, ApiError 406 */
  read(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument>;
  /** What is questionable about a body that was read, in the order in which it is reported. */
  problems(bytes: Uint8Array, duplicates: readonly string[], unknownFields: readonly string[]): Problems;
  /** A document that was read as messages repeat it: JSON text. */
  quoteDocument(bytes: Uint8Array, value: JsonValue): string;
  /** How numbers were written, for the messages that repeat them. Default: as JSON writes their value. */
  numberTexts?(bytes: Uint8Array): NumberTexts;

  /** One version of a stored object, encoded once. The object must never change afterwards. @throws ApiError 406 */
  encodeObject(object: object, described: Described, pretty: boolean): Chunks;
  /** A list, the items of which are encoded once per version. @throws ApiError 406 */
  encodeList(list: ListDocument, pretty: boolean): Chunks | Pieces;
  /**
   * A document whose last member is a list, the elements of which are made as they are reached. Absent: it is made whole.
   * @param head the document without its list
   */
  encodeElements?(head: object, name: string, elements: Iterable<object>, pretty: boolean): Pieces;
  /** Any other document; without a schema it is one that only text formats can write. @throws ApiError 406 */
  encodeDocument(document: object, described: Described | undefined, pretty: boolean): Chunks;
}

/** Has the schema of what is encoded, for formats that need one. May be a getter: text formats do not ask. */
export interface Described {
  readonly schema: ObjectSchema;
}

export interface ReadOptions {
  /** Whether to look for repeated keys. */
  readonly duplicates: boolean;
  /** Called every few milliseconds of a long text; lets the process do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A document off the wire. */
export interface ReadDocument {
  /** The document; where `members` is there, its apiVersion and kind only. */
  readonly value: JsonValue;
  /** Repeated keys, in the words of a warning. */
  readonly duplicates: readonly string[];
  /** The document as a typed object reads it, where keys repeat: merged; `value` has the last. */
  readonly merged?: () => JsonValue;
  /** Reads what only a schema can make sense of. @throws DecodeError; ApiError 406 for a kind without this form */
  readonly members?: (schema: ObjectSchema) => JsonObject;
}

/** What is questionable about a body. */
export interface Problems {
  /** In the words of warnings. */
  readonly problems: readonly string[];
  /** All of it, in the words of a refusal. */
  readonly refusal: string;
}

/** A whole answer. Shared: not to be changed. */
export type Chunks = readonly Uint8Array[];

/** An answer that is made as it is read. */
export interface Pieces {
  readonly pieces: Iterable<Uint8Array>;
}

/** A list without its items. */
export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
}

export interface ListDocument {
  readonly head: ListHead;
  readonly items: readonly object[];
  /** Whether items are written with kind and apiVersion. */
  readonly itemsCarryKind: boolean;
  /** Whether the list's own members are by name, as those of users' kinds are. Default: the items come last. */
  readonly byName?: boolean;
  /** What the items are. */
  readonly described: Described;
}

/** One event of a watch. */
export interface EncodableEvent {
  readonly type: string;
  readonly object: object;
  /** Undefined for what only text formats can write. */
  readonly described: Described | undefined;
  /** Whether other watches send the same event, so that its bytes are worth keeping. */
  readonly shared: boolean;
}

/** A format's stream of events. */
export interface EventFormat {
  /** Content-Type of the stream. */
  contentType(mediaType: string): string;
  /** Bytes before each event that say its length; 0 where events are text, each a line. */
  readonly lengthBytes: number;
  /** One event with what sets it apart from the next. */
  encode(event: EncodableEvent): Uint8Array;
}

/** The members of a list that come before its items, and those that come after. */
export function aroundItems(
  { kind, apiVersion, metadata }: ListHead,
  byName: boolean,
): { readonly before: object; readonly after: object } {
  return byName
    ? { before: { apiVersion }, after: { kind, metadata } }
    : { before: { kind, apiVersion, metadata }, after: {} };
}

/** Items as they are written in a text: a list of a built-in kind says kind and apiVersion once for all. */
export function writtenItems({ items, itemsCarryKind }: ListDocument): readonly object[] {
  if (itemsCarryKind) return items;
  return items.map((item) => {
    const { kind: _kind, apiVersion: _version, ...rest } = item as { kind?: string; apiVersion?: string };
    return rest;
  });
}

/** Duplicate keys first, then unknown fields, up to the number that messages hold. */
export function problemsInTurn(duplicates: readonly string[], unknownFields: readonly string[]): Problems {
  const problems = [...duplicates, ...unknownFields.map(unknownField)].slice(0, MAX_STRICT_ERRORS);
  return { problems, refusal: problems.join(', ') };
}

export const unknownField = (path: string): string => `unknown field ${quote(path)}`;

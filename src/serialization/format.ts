import type { JsonObject, JsonValue } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { ListMeta } from '../meta/object-meta.js';
import type { NumberTexts } from '../schema/decode.js';
import type { ObjectSchema } from '../schema/schema.js';
import { quote } from '../values/quote.js';
import { MAX_STRICT_ERRORS } from './json/keys.js';

/**
 * A format in which bodies are read and answers are written. To add one, add a folder next to `json/` and an entry in `formats.ts`; no
 * other code depends on which format a request chose.
 */
export interface Format {
  /** Returns the name in headers and messages, such as `application/json`. */
  mediaType(dialect: Dialect): string;
  /** Whether answers can be indented for people. */
  readonly indents: boolean;
  /** The kinds that an answer can be converted to with `as=` in an Accept clause. */
  readonly transforms: ReadonlySet<string>;
  /** Returns whether objects of a kind can be written without conversion. Default: true for every kind. */
  writes?(described: Described): boolean;
  /** How the events of a watch are sent; undefined if the format has no watches. */
  readonly stream?: EventFormat;

  /**
   * Parses a body.
   * @throws DecodeError with the part of the API's message after its prefix; ApiError 406
   */
  read(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument>;
  /** Formats the problems of a parsed body, in the order in which they are reported. */
  problems(bytes: Uint8Array, duplicates: readonly string[], unknownFields: readonly string[]): Problems;
  /** Returns a parsed document as JSON text, as messages quote it. */
  quoteDocument(bytes: Uint8Array, value: JsonValue): string;
  /** Returns the original spelling of numbers, for messages that quote them. Default: as JSON writes their value. */
  numberTexts?(bytes: Uint8Array): NumberTexts;

  /**
   * Encodes one version of a stored object and caches the result, so the object must never change afterwards.
   * @throws ApiError 406
   */
  encodeObject(object: object, described: Described, pretty: boolean): Chunks;
  /**
   * Encodes a list. The encoding of each item is cached per object version.
   * @throws ApiError 406
   */
  encodeList(list: ListDocument, pretty: boolean): Chunks | Pieces;
  /**
   * Encodes a document whose last member is a list, with its elements made on demand. If absent, the document is encoded as a whole.
   * @param head the document without its list
   */
  encodeElements?(head: object, name: string, elements: Iterable<object>, pretty: boolean): Pieces;
  /**
   * Encodes any other document; only text formats can write one without a schema.
   * @throws ApiError 406
   */
  encodeDocument(document: object, described: Described | undefined, pretty: boolean): Chunks;
}

/** Provides the schema of what is encoded, for formats that need one. It may be a getter, because text formats do not read it. */
export interface Described {
  readonly schema: ObjectSchema;
}

export interface ReadOptions {
  /** Whether to find duplicate keys. */
  readonly duplicates: boolean;
  /** Called every few milliseconds of a long text, to let the process do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A parsed document. */
export interface ReadDocument {
  /** The document; if `members` is present, only its apiVersion and kind. */
  readonly value: JsonValue;
  /** Duplicate keys, formatted as warnings. */
  readonly duplicates: readonly string[];
  /**
   * Returns the document as upstream decodes duplicate keys of objects into a typed struct: their values are merged, while in `value` the
   * last one replaces the others.
   */
  readonly merged?: () => JsonValue;
  /**
   * Decodes the part that requires a schema.
   * @throws DecodeError; ApiError 406 for a kind without this form
   */
  readonly members?: (schema: ObjectSchema) => JsonObject;
}

/** Problems of a body that do not keep it from being read. */
export interface Problems {
  /** The problems, formatted as warnings. */
  readonly problems: readonly string[];
  /** All problems, formatted as one error message. */
  readonly refusal: string;
}

/** A whole encoded answer. It is shared and must not be changed. */
export type Chunks = readonly Uint8Array[];

/** An answer that is encoded as it is read. */
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
  /** Whether each item has its own kind and apiVersion. */
  readonly itemsCarryKind: boolean;
  /** Whether the list's own members are sorted by name, as those of custom resources are. Default: the items come last. */
  readonly byName?: boolean;
  /** The schema of the items. */
  readonly described: Described;
}

/** One event of a watch, to be encoded. */
export interface EncodableEvent {
  readonly type: string;
  readonly object: object;
  /** Undefined for an object that only text formats can write. */
  readonly described: Described | undefined;
  /** Whether several watches send the same event, so that its bytes are worth caching. */
  readonly shared: boolean;
}

/** The encoding of a format's event stream. */
export interface EventFormat {
  /** Returns the Content-Type of the stream. */
  contentType(mediaType: string): string;
  /** The number of bytes before each event that hold its length; 0 if each event is a line of text. */
  readonly lengthBytes: number;
  /** Encodes one event, including what separates it from the next. */
  encode(event: EncodableEvent): Uint8Array;
}

/** Splits the members of a list into those before its items and those after. */
export function aroundItems(
  { kind, apiVersion, metadata }: ListHead,
  byName: boolean,
): { readonly before: object; readonly after: object } {
  return byName
    ? { before: { apiVersion }, after: { kind, metadata } }
    : { before: { kind, apiVersion, metadata }, after: {} };
}

/** Returns items as a text format writes them: in a list of a built-in kind they omit kind and apiVersion. */
export function writtenItems({ items, itemsCarryKind }: ListDocument): readonly object[] {
  if (itemsCarryKind) return items;
  return items.map((item) => {
    const { kind: _kind, apiVersion: _version, ...rest } = item as { kind?: string; apiVersion?: string };
    return rest;
  });
}

/** Lists duplicate keys first, then unknown fields, up to the number that messages contain. */
export function problemsInTurn(duplicates: readonly string[], unknownFields: readonly string[]): Problems {
  const problems = [...duplicates, ...unknownFields.map(unknownField)].slice(0, MAX_STRICT_ERRORS);
  return { problems, refusal: problems.join(', ') };
}

export const unknownField = (path: string): string => `unknown field ${quote(path)}`;

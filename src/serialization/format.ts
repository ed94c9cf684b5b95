import type { DecodeError } from '../json/decode-error.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { ListMeta } from '../meta/object-meta.js';
import type { DecodeOptions, NumberTexts } from '../schema/decode.js';
import type { ObjectSchema } from '../schema/schema.js';
import { quote } from '../values/quote.js';
import { MAX_STRICT_ERRORS } from './json/keys.js';

/**
 * A format in which request bodies are decoded and responses are encoded. To add one, add a folder next to `json/` and an entry in
 * `formats.ts`; no other code depends on the format of a request.
 */
export interface Format {
  /** Returns the media type in headers and messages, such as `application/json`. */
  mediaType(dialect: Dialect): string;
  /** Whether responses can be indented for people. */
  readonly indents: boolean;
  /** The kinds to which a response can be converted with `as=` in an Accept clause. */
  readonly transforms: ReadonlySet<string>;
  /** Returns whether objects of a kind can be encoded without conversion. Default: true for every kind. */
  writes?(described: Described): boolean;
  /** How the events of a watch are sent; undefined if the format does not support watches. */
  readonly stream?: EventFormat;

  /**
   * Parses a body.
   * @throws DecodeError with the message of the API error, but without the prefix that the server adds
   */
  read(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument>;
  /**
   * Formats the duplicate keys and unknown fields of a parsed body, in the order in which they are reported.
   * @param isCustom whether the body is a custom resource, whose unknown fields are looked for after all duplicate keys
   */
  problems(
    bytes: Uint8Array,
    duplicates: readonly string[],
    unknownFields: readonly string[],
    isCustom?: boolean,
  ): Problems;
  /** Returns a parsed document as JSON text, as messages quote it. */
  quoteDocument(bytes: Uint8Array, value: JsonValue): string;

  /**
   * Encodes one version of a stored object and caches the result, so the object must never change afterwards.
   * @throws ApiError 406 for a kind that the format cannot represent
   */
  encodeObject(object: object, described: Described, pretty: boolean): Chunks;
  /**
   * Encodes a list. The encoding of each item is cached per object version.
   * @throws ApiError 406 for a kind that the format cannot represent
   */
  encodeList(list: ListDocument, pretty: boolean): Chunks | Pieces;
  /**
   * Encodes a document whose last member is a list. The elements are requested one by one. If a format does not have this method, such
   * documents are encoded as a whole.
   * @param head the document without its list
   */
  encodeElements?(head: object, name: string, elements: Iterable<object>, pretty: boolean): Pieces;
  /**
   * Encodes any other document. Only text formats can encode a document without a schema.
   * @throws ApiError 406 for a document that the format cannot represent
   */
  encodeDocument(document: object, described: Described | undefined, pretty: boolean): Chunks;
}

/** Provides the schema of an object to encode, for formats that need one. `schema` may be a getter, because text formats do not read it. */
export interface Described {
  readonly schema: ObjectSchema;
}

export interface ReadOptions {
  /** Whether parsing looks for duplicate keys. */
  readonly duplicates: boolean;
  /** Called every few milliseconds while a long body is parsed, so that the process can do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A parsed document. */
export interface ReadDocument {
  /** The document; if `members` is present, only its `apiVersion` and `kind`. */
  readonly value: JsonValue;
  /** Duplicate keys, formatted as warnings. */
  readonly duplicates: readonly string[];
  /** Returns the literals of numbers, for messages that quote them. Default: messages print numbers as JavaScript does. */
  readonly numberTexts?: () => NumberTexts;
  /**
   * Returns the document as upstream decodes it into the struct of a schema, which merges the values of duplicate keys. In `value` the last
   * value of a key replaces the earlier ones. Numbers that JavaScript prints differently are `NumberText`s.
   */
  readonly merged?: (schema: ObjectSchema) => JsonValue;
  /**
   * The error about a number beyond the range of a double, which is Infinity in `value`. Upstream refuses the document only if it decodes the
   * number as a double: it reads quantities as text, and skips unknown fields.
   */
  readonly outOfRange?: DecodeError;
  /**
   * Decodes the members of the document by their schema; present if the format cannot parse them without a schema.
   * @throws DecodeError; ApiError 406 for a kind that the format cannot represent
   */
  readonly members?: (schema: ObjectSchema) => JsonObject;
}

/** The members of a document, and where the literals of its numbers are. */
export interface Members extends Pick<DecodeOptions, 'numberTexts' | 'marksNumbers'> {
  readonly value: JsonObject;
}

/** Returns the members of a document that will be decoded by a schema. @throws as {@link ReadDocument.members} */
export function membersFor({ value, merged, members, numberTexts }: ReadDocument, schema: ObjectSchema): Members {
  if (members) return { value: members(schema) };
  const document = merged ? merged(schema) : value;
  const object = isJsonObject(document) ? document : {};
  if (merged) return { value: object, marksNumbers: true };
  const texts = numberTexts?.();
  return texts ? { value: object, numberTexts: texts } : { value: object };
}

/** Errors of a body that can be decoded nevertheless: duplicate keys and unknown fields. */
export interface Problems {
  /** The errors, formatted as warnings. */
  readonly problems: readonly string[];
  /** All errors, formatted as one error message. */
  readonly refusal: string;
}

/** A whole encoded response. It is shared and must not be changed. */
export type Chunks = readonly Uint8Array[];

/** A response that is encoded while it is sent. */
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
  /** Whether each item has its own `kind` and `apiVersion`. */
  readonly itemsCarryKind: boolean;
  /**
   * Whether the list's own members are sorted by name, as the members of custom resource lists are. Default: false; the items come last.
   */
  readonly byName?: boolean;
  /** Whether a text format writes `items: null` for a list without items. Default: false; it writes an empty list. */
  readonly nullIfEmpty?: boolean;
  /** The schema of the items. */
  readonly described: Described;
}

/** One event of a watch, to be encoded. */
export interface EncodableEvent {
  readonly type: string;
  readonly object: object;
  /** The schema of the object; undefined for an object that only text formats can encode. */
  readonly described: Described | undefined;
  /** Whether several watches send the same event, so that its bytes are worth caching. */
  readonly shared: boolean;
}

/** The encoding of a format's event stream. */
export interface EventFormat {
  /** Returns the Content-Type of the stream. */
  contentType(mediaType: string): string;
  /** The number of bytes before each event that contain its length; 0 if each event is a line of text. */
  readonly lengthBytes: number;
  /** Encodes one event, with its length before it or a newline after it. */
  encode(event: EncodableEvent): Uint8Array;
}

/** Returns the members of a list that come before its items and the members that come after them. */
export function aroundItems(
  { kind, apiVersion, metadata }: ListHead,
  byName: boolean,
): { readonly before: object; readonly after: object } {
  return byName
    ? { before: { apiVersion }, after: { kind, metadata } }
    : { before: { kind, apiVersion, metadata }, after: {} };
}

/** Returns the document of a list without items in which `items` is null; undefined for every other list. */
export const nullList = ({ head, items, nullIfEmpty }: ListDocument): object | undefined =>
  nullIfEmpty === true && items.length === 0 ? { ...head, items: null } : undefined;

/** Returns items as a text format encodes them: in a list of a built-in kind they omit kind and apiVersion. */
export function itemsToWrite({ items, itemsCarryKind }: ListDocument): readonly object[] {
  if (itemsCarryKind) return items;
  return items.map((item) => {
    const { kind: _kind, apiVersion: _version, ...rest } = item as { kind?: string; apiVersion?: string };
    return rest;
  });
}

/** Formats duplicate keys first, then unknown fields, up to {@link MAX_STRICT_ERRORS}. */
export function problemsInTurn(duplicates: readonly string[], unknownFields: readonly string[]): Problems {
  const problems = [...duplicates, ...unknownFields.map(unknownField)].slice(0, MAX_STRICT_ERRORS);
  return { problems, refusal: problems.join(', ') };
}

export const unknownField = (path: string): string => `unknown field ${quote(path)}`;

import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { ListMeta } from '../../meta/object-meta.js';
import type { TypeMeta } from '../../meta/type-meta.js';
import { structSchema } from '../../schema/authoring.js';
import { listMeta } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { CacheableObject } from '../encoding-cache.js';
import { expectWireType, message, single } from './message.js';
import { text } from './scalars.js';
import { messageOf } from './schema-message.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import { WireWriter } from './wire-writer.js';

/**
 * Decodes an object's message to a JSON object. The caller must decode the result by the schema, because empty fields are present if the
 * client sent them. Unknown fields are skipped (spec 9.9).
 * @param raw the bytes of the message inside the document's envelope, see {@link readEnvelope}
 * @throws DecodeError with Go's message; ApiError 406 for a kind without a protobuf form
 */
export function decodeProtobuf(raw: Uint8Array, schema: ObjectSchema): JsonObject {
  const message = messageOf(schema);
  if (message === undefined) throw withoutProtobufForm('Unstructured');
  const object = {};
  message.readFields(new WireReader(raw), object);
  return object;
}

/** Anything with a type: an object, a Status, or a discovery document. */
export type TypedObject = { readonly kind: string; readonly apiVersion?: string };

/**
 * Encodes an object as a whole document with an envelope (spec 9.8).
 * @throws ApiError 406 for a kind without a protobuf form (spec 9.8)
 */
export function encodeProtobuf(object: TypedObject, schema: ObjectSchema): Uint8Array {
  const raw = rawOf(object, schema);
  return encodeEnvelope(typeOf(object), (writer) => writer.bytes(raw), raw.length);
}

const METADATA = 1;
const ITEMS = 2;

/** Returns whether objects of a kind have a protobuf form (spec 9.8). */
export const hasProtobufForm = (schema: ObjectSchema): boolean => messageOf(schema) !== undefined;

/**
 * Encodes a list as a document. Items are encoded once per object version.
 * @throws ApiError 406 for the same kinds as {@link encodeProtobuf}
 */
export function encodeProtobufList(
  list: TypedObject & { readonly metadata: ListMeta },
  items: readonly CacheableObject[],
  schema: ObjectSchema,
): Uint8Array {
  const metadata = messageOf(structSchema(listMeta));
  if (metadata === undefined || messageOf(schema) === undefined) throw withoutProtobufForm('UnstructuredList');
  // In a PartialObjectMetadataList of version v1beta1, unlike in all other lists, the field numbers of `metadata` and `items` are swapped.
  const reversed = list.kind === 'PartialObjectMetadataList' && list.apiVersion?.endsWith('/v1beta1') === true;
  const writeMetadata = (writer: WireWriter, field: number) => {
    metadata.write(writer, list.metadata as JsonObject); // List metadata has only JSON values, so the cast is safe.
    writer.tag(field, DELIMITED);
  };
  const encoded = items.map((item) => rawOf(item, schema));
  const size = encoded.reduce((sum, { length }) => sum + length + PER_ITEM, METADATA_SIZE);
  return encodeEnvelope(
    typeOf(list),
    (writer) => {
      if (reversed) writeMetadata(writer, ITEMS);
      for (let i = encoded.length - 1; i >= 0; i--) {
        const raw = encoded[i] ?? new Uint8Array(0);
        writer.bytes(raw);
        writer.varint(raw.length);
        writer.tag(reversed ? METADATA : ITEMS, DELIMITED);
      }
      if (!reversed) writeMetadata(writer, METADATA);
    },
    size,
  );
}

/** The maximum number of bytes of an item's tag and length, for items below 256 MiB. */
const PER_ITEM = 5;
const METADATA_SIZE = 512;

/**
 * Encodes one event of a watch: its length, then a WatchEvent message without the `k8s` prefix. The message contains the object as a whole
 * document with its own prefix.
 * @param object the document that {@link encodeProtobuf} returned
 */
export function encodeProtobufFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = writeEvent(type, object);
  const { length } = writer;
  writer.bytes([length >>> 24, length >>> 16, length >>> 8, length]);
  return writer.finish();
}

const EVENT_TYPE = 1;
const EVENT_OBJECT = 2;
const EXTENSION_RAW = 1;

function writeEvent(type: string, object: Uint8Array): WireWriter {
  const writer = new WireWriter(object.length + type.length + 32);
  writer.bytes(object);
  writer.varint(object.length);
  writer.tag(EXTENSION_RAW, DELIMITED);
  writer.varint(writer.length);
  writer.tag(EVENT_OBJECT, DELIMITED);
  writer.text(type);
  writer.tag(EVENT_TYPE, DELIMITED);
  return writer;
}

const raws = new WeakMap<CacheableObject, Uint8Array>();

/** Returns the message of an object, which is encoded once per object version. */
function rawOf(object: CacheableObject, schema: ObjectSchema): Uint8Array {
  const known = raws.get(object);
  if (known !== undefined) return known;
  const message = messageOf(schema);
  if (message === undefined) throw withoutProtobufForm('Unstructured');
  const writer = new WireWriter();
  message.writeFields(writer, object as JsonObject); // Responses are always JSON objects, so the cast is safe.
  const raw = writer.finish();
  if (Object.isFrozen(object)) raws.set(object, raw);
  return raw;
}

const typeOf = ({ kind, apiVersion = '' }: TypedObject): TypeMeta => ({ kind, apiVersion });

/** Returns the 406 for a type without a protobuf form. */
export function withoutProtobufForm(type: string): ApiError {
  return apiError.notAcceptable(
    `object *unstructured.${type} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  );
}

/** The prefix of every document: `k8s` and a zero byte (spec 9.8). */
const PREFIX = [0x6b, 0x38, 0x73, 0x00];

const TYPE_META = 1;
const RAW = 2;
const CONTENT_ENCODING = 3;
const CONTENT_TYPE = 4;

const typeMeta = message('TypeMeta', () => [single(1, 'apiVersion', text, false), single(2, 'kind', text, false)]);

/** The estimated size in bytes of an envelope, with a margin. It does not include the object and the names of its type. */
const ENVELOPE_SIZE = 48;

/**
 * Encodes an object as a document (spec 9.8).
 * @param writeRaw writes the object's message
 * @param size the number of bytes of the message, if known
 */
function encodeEnvelope(
  { apiVersion, kind }: TypeMeta,
  writeRaw: (writer: WireWriter) => void,
  size = 1024,
): Uint8Array {
  const writer = new WireWriter(size + ENVELOPE_SIZE + apiVersion.length + kind.length);
  for (const field of [CONTENT_TYPE, CONTENT_ENCODING]) {
    writer.text('');
    writer.tag(field, DELIMITED);
  }
  const before = writer.length;
  writeRaw(writer);
  writer.varint(writer.length - before);
  writer.tag(RAW, DELIMITED);
  typeMeta.write(writer, { apiVersion, kind });
  writer.tag(TYPE_META, DELIMITED);
  writer.bytes(PREFIX);
  return writer.finish();
}

/** What is read from the protobuf message `runtime.Unknown`, in which every document is wrapped. */
interface Envelope {
  /** The `apiVersion` and `kind`; each is '' if the document does not contain it. */
  readonly type: TypeMeta;
  /** The encoded object. */
  readonly raw: Uint8Array;
}

/**
 * Splits a document; the object's message is not decoded.
 * @throws DecodeError with the messages of spec 9.8, without the beginning and the quoted body that `unrecognized` (type-meta.ts) adds
 */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (PREFIX.some((byte, i) => bytes[i] !== byte))
    throw new DecodeError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    );
  if (bytes.length === PREFIX.length) throw new DecodeError('empty body');
  const reader = new WireReader(bytes.subarray(PREFIX.length));
  const names = {};
  let raw: Uint8Array = new Uint8Array(0);
  while (reader.more) {
    const field = reader.tag('Unknown');
    if (field === TYPE_META) {
      expectWireType(reader, DELIMITED, 'typeMeta');
      typeMeta.read(reader, names);
    } else if (field === RAW) {
      expectWireType(reader, DELIMITED, 'raw');
      raw = reader.bytes();
    } else if (field === CONTENT_ENCODING || field === CONTENT_TYPE) {
      expectWireType(reader, DELIMITED, field === CONTENT_TYPE ? 'contentType' : 'contentEncoding');
      reader.bytes();
    } else reader.skip();
  }
  return { type: readType(names), raw };
}

/** Reads the `apiVersion` and `kind`; an apiVersion that is not a group and version counts as absent. */
function readType(names: unknown): TypeMeta {
  const { apiVersion, kind } = isJsonObject(names) ? names : {};
  const validVersion = typeof apiVersion === 'string' && parseGroupVersion(apiVersion) !== undefined ? apiVersion : '';
  return { apiVersion: validVersion, kind: typeof kind === 'string' ? kind : '' };
}

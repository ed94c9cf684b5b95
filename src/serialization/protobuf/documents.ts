import type { JsonObject } from '../../json/value.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import type { ListMeta } from '../../meta/object-meta.js';
import { structSchema } from '../../schema/authoring.js';
import { listMeta } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { CacheableObject } from '../encoding-cache.js';
import type { TypeMeta } from '../type-meta.js';
import { encodeEnvelope } from './envelope.js';
import { messageOf } from './schema-message.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import { WireWriter } from './wire-writer.js';

export { readEnvelope } from './envelope.js';

/**
 * Reads an object's message as the JSON object it represents, still to be decoded by its schema: empty fields are
 * there or not as the sender wrote them. Fields the schema does not know are passed over (spec 9.9).
 * @param raw of the document, by {@link readEnvelope}
 * @throws DecodeError with the wire's text; ApiError 406 for a kind without a protobuf form
 */
export function decodeProtobuf(raw: Uint8Array, schema: ObjectSchema): JsonObject {
  const message = messageOf(schema);
  if (message === undefined) throw withoutProtobufForm('Unstructured');
  const object = {};
  message.readFields(new WireReader(raw), object);
  return object;
}

/** Anything with a type: an object, a Status, a document of discovery. */
export type TypedObject = { readonly kind: string; readonly apiVersion?: string };

/**
 * A whole document of an object (spec 9.8).
 * @throws ApiError 406 for a kind without a protobuf form (spec 9.8)
 */
export function encodeProtobuf(object: TypedObject, schema: ObjectSchema): Uint8Array {
  const raw = rawOf(object, schema);
  return encodeEnvelope(typeOf(object), (writer) => writer.bytes(raw), raw.length);
}

const METADATA = 1;
const ITEMS = 2;

/** Whether objects of a kind have a protobuf form (spec 9.8). */
export const hasProtobufForm = (schema: ObjectSchema): boolean => messageOf(schema) !== undefined;

/** A list as a document. Items are encoded once per version. @throws ApiError 406 as {@link encodeProtobuf} */
export function encodeProtobufList(
  list: TypedObject & { readonly metadata: ListMeta },
  items: readonly CacheableObject[],
  schema: ObjectSchema,
): Uint8Array {
  const metadata = messageOf(structSchema(listMeta));
  if (metadata === undefined || messageOf(schema) === undefined) throw withoutProtobufForm('UnstructuredList');
  // One list of all has its fields the other way round.
  const reversed = list.kind === 'PartialObjectMetadataList' && list.apiVersion?.endsWith('/v1beta1') === true;
  const writeMetadata = (writer: WireWriter, field: number) => {
    metadata.write(writer, list.metadata as JsonObject); // declared with the same members
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

/** Bytes of an item's tag and length at most, for items below 256 MiB. */
const PER_ITEM = 5;
const METADATA_SIZE = 512;

/**
 * One event of a watch: its length, and a message without a document's prefix that holds its object as a whole document.
 * @param object by {@link encodeProtobuf}
 */
export function encodeProtobufFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = writeEvent(type, object);
  const { length } = writer;
  writer.bytes([length >>> 24, length >>> 16, length >>> 8, length]);
  return writer.finish();
}

const EVENT_TYPE = 1;
const EVENT_OBJECT = 2;
const RAW = 1;

function writeEvent(type: string, object: Uint8Array): WireWriter {
  const writer = new WireWriter(object.length + type.length + 32);
  writer.bytes(object);
  writer.varint(object.length);
  writer.tag(RAW, DELIMITED);
  writer.varint(writer.length);
  writer.tag(EVENT_OBJECT, DELIMITED);
  writer.text(type);
  writer.tag(EVENT_TYPE, DELIMITED);
  return writer;
}

const raws = new WeakMap<CacheableObject, Uint8Array>();

/** The message of an object, made once per version. */
function rawOf(object: CacheableObject, schema: ObjectSchema): Uint8Array {
  const known = raws.get(object);
  if (known !== undefined) return known;
  const message = messageOf(schema);
  if (message === undefined) throw withoutProtobufForm('Unstructured');
  const writer = new WireWriter();
  message.writeFields(writer, object as JsonObject); // whatever is answered is a JSON object
  const raw = writer.finish();
  if (Object.isFrozen(object)) raws.set(object, raw);
  return raw;
}

const typeOf = ({ kind, apiVersion = '' }: TypedObject): TypeMeta => ({ kind, apiVersion });

/** The 406 of what has no protobuf form. */
export function withoutProtobufForm(type: string): ApiError {
  return apiError.notAcceptable(
    `object *unstructured.${type} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  );
}

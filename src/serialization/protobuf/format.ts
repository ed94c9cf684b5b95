import { type Described, type EventFormat, type Format, problemsInTurn } from '../format.js';
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufFrame,
  encodeProtobufList,
  hasProtobufForm,
  readEnvelope,
  type TypedObject,
  withoutProtobufForm,
} from './documents.js';

const frames: EventFormat = {
  contentType: (mediaType) => `${mediaType};stream=watch`,
  lengthBytes: 4,
  encode: ({ type, object, described }) => encodeProtobufFrame(type, encode(object, described)),
};

/** The protobuf format. It supports only typed kinds, whose schemas have field numbers. */
export const protobufFormat: Format = {
  mediaType: (dialect) => dialect.protobufMediaType,
  indents: false,
  transforms: new Set(['PartialObjectMetadata', 'PartialObjectMetadataList', 'APIGroupDiscoveryList']),
  writes: ({ schema }) => hasProtobufForm(schema),
  stream: frames,

  async read(bytes) {
    const { type, raw } = readEnvelope(bytes);
    return { value: { ...type }, duplicates: [], members: (schema) => decodeProtobuf(raw, schema) };
  },
  problems: (_bytes, duplicates, unknownFields) => problemsInTurn(duplicates, unknownFields),
  quoteDocument: (_bytes, value) => JSON.stringify(value),

  encodeObject: (object, described) => [encode(object, described)],
  encodeList: ({ head, items, described }) => [encodeProtobufList(head, items, described.schema)],
  encodeDocument: (document, described) => [encode(document, described)],
};

// Objects with a schema have a kind, so the cast is safe.
const encode = (object: object, described: Described | undefined): Uint8Array =>
  encodeProtobuf(object as TypedObject, schemaOf(described));

function schemaOf(described: Described | undefined) {
  if (described === undefined) throw withoutProtobufForm('Unstructured');
  return described.schema;
}

import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject } from '../../json/value.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { TypeMeta } from '../type-meta.js';
import { expectWireType, message, single } from './message.js';
import { text } from './scalars.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import { WireWriter } from './wire-writer.js';

/** The prefix of every document: `k8s` and a zero (spec 9.8). */
const PREFIX = [0x6b, 0x38, 0x73, 0x00];

const TYPE_META = 1;
const RAW = 2;
const CONTENT_ENCODING = 3;
const CONTENT_TYPE = 4;

const typeMeta = message('TypeMeta', () => [single(1, 'apiVersion', text, false), single(2, 'kind', text, false)]);

/** The bytes of an envelope besides its object and the names of its type, with a margin. */
const ENVELOPE_SIZE = 48;

/**
 * Encodes an object as a document (spec 9.8).
 * @param writeRaw writes the object's message
 * @param size the number of bytes that it takes, if known
 */
export function encodeEnvelope(
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

/** The two parts of a document. */
export interface Envelope {
  /** The type; members are '' if the document does not contain them. */
  readonly type: TypeMeta;
  /** The object's message. */
  readonly raw: Uint8Array;
}

/**
 * Splits a document; the object's message is not decoded.
 * @throws DecodeError with the texts of spec 9.8, which `unrecognized` completes
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
    } else reader.skip();
  }
  return { type: readType(names), raw };
}

/** Reads the type; an apiVersion that is not a group and version counts as absent. */
function readType(names: unknown): TypeMeta {
  const { apiVersion, kind } = isJsonObject(names) ? names : {};
  const validVersion = typeof apiVersion === 'string' && parseGroupVersion(apiVersion) !== undefined ? apiVersion : '';
  return { apiVersion: validVersion, kind: typeof kind === 'string' ? kind : '' };
}

import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import type { MessageEncoding } from '../../src/openapi/document.js';
import { entryOf } from '../../src/openapi/entry.js';
import type { DocumentMember } from '../../src/openapi/layout.js';
import { ProtobufWriter } from '../../src/openapi/protobuf-message.js';
import { messageV2 } from '../../src/openapi/protobuf-v2.js';
import { messageV3 } from '../../src/openapi/protobuf-v3.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const asValue = (name: string, value: JsonValue): DocumentMember => ({ name, value });
/** A document whose objects are all entries, and whose components are members. */
const inParts = (name: string, value: JsonValue): DocumentMember => {
  if (typeof value !== 'object') return { name, value };
  const members = Object.entries(value as JsonObject) as [string, JsonValue][];
  return name === 'components'
    ? { name, members: members.map((each) => inParts(...each)) }
    : { name, entries: members.map((each) => entryOf(...each)) };
};

/** Returns the message of the document, which does not depend on its division into parts. */
async function encoded({ encode }: MessageEncoding, document: Readonly<Record<string, JsonValue>>) {
  const [whole, parts] = await Promise.all(
    [asValue, inParts].map((cut) => encode(Object.entries(document).map((each) => cut(...each)))),
  );
  const wire = Buffer.concat(whole ?? []).toString('hex');
  expect(Buffer.concat(parts ?? []).toString('hex')).toBe(wire);
  return wire;
}

test.each<[string, (writer: ProtobufWriter) => void, string]>([
  ['text', (writer) => writer.text(2, 'testing'), '120774657374696e67'],
  ['a small number', (writer) => writer.integer(1, 150), '089601'],
  ['a number of many bytes', (writer) => writer.integer(1, 2 ** 53 - 1), '08ffffffffffffff0f'],
  ['a high field', (writer) => writer.boolean(31, true), 'f80101'],
  ['a double', (writer) => writer.double(6, 1.5), '31000000000000f83f'],
  ['an empty message', (writer) => writer.message(3, () => {}), '1a00'],
  [
    'messages in messages',
    (writer) => writer.message(3, () => writer.message(1, () => writer.integer(1, 150))),
    '1a050a03089601',
  ],
])('writes %s', (_, write, wire) => {
  const writer = new ProtobufWriter();
  write(writer);
  expect(hex(writer.finish())).toBe(wire);
});

test.each([127, 128, 16_383, 16_384, 200_000])('reserves space for the length of a message of %i bytes', (size) => {
  const writer = new ProtobufWriter();
  const text = 'x'.repeat(size);
  writer.integer(1, 1);
  writer.message(2, () => writer.message(3, () => writer.text(4, text)));
  writer.integer(1, 1);
  let at = 2;
  const bytes = writer.finish();
  const enter = (field: number): number => {
    expect(bytes[at++]).toBe(field * 8 + 2);
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      length += (byte % 128) * 2 ** shift;
      if (byte < 128) return length;
    }
  };
  enter(2);
  enter(3);
  expect(enter(4)).toBe(size);
  expect(new TextDecoder().decode(bytes.subarray(at, at + size))).toBe(text);
  expect(hex(bytes.subarray(at + size))).toBe('0801');
});

test('a document of version 2 leaves out what has no protobuf field, and writes extensions as YAML', async () => {
  const wire = await encoded(messageV2, {
    swagger: '2.0',
    host: 'never sent',
    definitions: { A: { type: 'object', nullable: true, 'x-kind': [1, 'a'] } },
  });
  const extension = '0a06782d6b696e64' + '1209' + '12075b312c2261225d';
  const schema = `b201080a066f626a656374fa0113${extension}`;
  expect(wire).toBe(`0a03322e304a280a260a01411221${schema}`);
});

test('a document of version 3 writes schemas inline or as references, and defaults as plain values', async () => {
  const wire = await encoded(messageV3, {
    openapi: '3.0.0',
    servers: 'never sent',
    components: {
      schemas: {
        A: { type: 'object', default: {}, properties: { b: { allOf: [{ $ref: '#/B' }], default: 'x' } }, 'x-a': 1 },
      },
    },
    paths: { '/a': { get: { responses: { 200: { description: 'OK' } } } } },
  });
  const reference = 'd20107' + '1205' + '0a03232f42'; // allOf: a reference: its text
  const property = ['0a0162', '1212', '0a10', reference, '8a02031a0178'].join(''); // b: its schema, with a text as default
  const type = 'ca0106' + '6f626a656374';
  const extension = 'a2020a' + '0a03782d61' + '1203' + '120131';
  const schema = `${type}8a0200fa01190a17${property}${extension}`; // of an object as default only that there is one
  const response = '0a03323030' + '1206' + '0a04' + '0a024f4b';
  const components = `2a400a3e0a3c0a014112370a35${schema}`;
  const paths = `221b0a190a022f6112132211420f120d${response}`;
  expect(wire).toBe(`0a05332e302e30${components}${paths}`);
});

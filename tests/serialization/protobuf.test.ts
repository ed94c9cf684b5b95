import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discoverySchema } from '../../src/discovery/discovery-schema.js';
import { DecodeError } from '../../src/json/decode-error.js';
import type { JsonObject } from '../../src/json/value.js';
import { groupOf, k8s } from '../../src/meta/dialect.js';
import { builtinResources } from '../../src/resources/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { metaSchema } from '../../src/schema/meta-kinds.js';
import type { ObjectSchema, Schema } from '../../src/schema/schema.js';
import { parseJson } from '../../src/serialization/json/decode.js';
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufFrame,
  encodeProtobufList,
  readEnvelope,
  type TypedObject,
} from '../../src/serialization/protobuf/documents.js';
import { decodeYaml } from '../../src/serialization/yaml/decode.js';
import { propertyRuns } from '../support/property-runs.js';
import { fieldNumbersOf, readMessages } from '../support/proto-messages.js';
import { hasSharedData, sharedUrl } from '../support/shared-data.js';

/** Random characters, surrogates excepted. The unit `binary` of fast-check takes a second to prepare. */
const anyText = fc
  .array(
    fc.nat(0x10ffff).filter((point) => point < 0xd800 || point > 0xdfff),
    { maxLength: 100 },
  )
  .map((points) => String.fromCodePoint(...points));

const sampleName = (stem: string, version: string, kind: string) =>
  `${groupOf(k8s, stem) || 'core'}.${version}.${kind}`;

/** Every kind that bodies and answers hold, by the name of its sample. */
const schemas = new Map<string, ObjectSchema>([['core.v1.Status', metaSchema('Status')]]);
for (const { groupStem = '', version, kind, schema, subresources = {} } of builtinResources) {
  schemas.set(sampleName(groupStem, version, kind), schema);
  for (const subresource of Object.values(subresources)) {
    if (!('create' in subresource)) continue;
    const { create } = subresource;
    schemas.set(sampleName(create.groupStem, create.version, create.kind), create.schema);
  }
}
for (const version of ['v2', 'v2beta1'] as const) {
  const items = discoverySchema(version).properties.get('items')?.schema;
  if (items?.type === 'list' && items.items.type === 'object')
    schemas.set(`apidiscovery.k8s.io.${version}.APIGroupDiscovery`, items.items);
}
const schemaOfKind = (name: string): ObjectSchema => {
  const schema = schemas.get(name);
  if (schema === undefined) throw new TypeError(`no ${name}`);
  return schema;
};

type Part = number | string | Uint8Array;
const bytes = (...parts: readonly Part[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'number' ? [part] : typeof part === 'string' ? [...new TextEncoder().encode(part)] : [...part],
    ),
  );
const typed = (value: JsonObject) => value as JsonObject & TypedObject;

const samples = (name: string) => sharedUrl(`data/roundtrip/release-1.31/${name}`);

describe.skipIf(!hasSharedData)('samples (skipped where they are absent)', () => {
  const names = hasSharedData
    ? readdirSync(samples(''))
        .filter((file) => file.endsWith('.pb'))
        .map((file) => file.slice(0, -'.pb'.length))
        .filter((name) => schemas.has(name))
    : [];

  it('cover the served kinds', () => expect(names.length).toBeGreaterThanOrEqual(25));

  it.each(names)('%s: JSON, YAML and protobuf decode to one object, which encodes to the same bytes', async (name) => {
    const schema = schemaOfKind(name);
    const document = new Uint8Array(readFileSync(samples(`${name}.pb`)));
    const { type, raw } = readEnvelope(document);
    const read = decodeTyped(schema, { ...decodeProtobuf(raw, schema), ...type });
    const json = decodeTyped(schema, parseJson(new Uint8Array(readFileSync(samples(`${name}.json`)))).value);
    const yaml = await decodeYaml(new Uint8Array(readFileSync(samples(`${name}.yaml`))));
    expect(read.value).toEqual(json.value);
    expect(decodeTyped(schema, yaml.value).value).toEqual(json.value);
    expect([...read.unknownFields, ...json.unknownFields]).toEqual([]);
    expect(encodeProtobuf(typed(json.value), schema)).toEqual(document);
  });
});

/** All structs of a schema, itself first. */
function structsOf(schema: Schema, found = new Set<ObjectSchema>()): readonly ObjectSchema[] {
  if (schema.type === 'list') structsOf(schema.items, found);
  if (schema.type === 'map') structsOf(schema.values, found);
  if (schema.type !== 'object' || found.has(schema)) return [...found];
  found.add(schema);
  for (const property of schema.properties.values()) structsOf(property.schema, found);
  return [...found];
}

describe.skipIf(!hasSharedData)('field numbers (skipped where the message definitions are absent)', () => {
  const messages = readMessages();
  it.each([...schemas])('%s are those of upstream', (_name, root) => {
    const differ: string[] = [];
    for (const each of structsOf(root)) {
      const { definition = '' } = each;
      if (!messages.has(definition)) continue;
      const numbers = fieldNumbersOf(definition, messages, each.properties);
      for (const [name, { number }] of each.properties) {
        if (each === root && (name === 'kind' || name === 'apiVersion')) continue;
        if (String(number) !== String(numbers.get(name.toLowerCase())))
          differ.push(`${definition}.${name}: ${String(number)}, upstream ${String(numbers.get(name.toLowerCase()))}`);
      }
    }
    expect(differ).toEqual([]);
  });
});

describe('every field has a number', () => {
  it.each([...schemas])('%s', (_name, root) => {
    const missing = structsOf(root).flatMap(({ definition, properties }) =>
      [...properties]
        .filter(([name, { number }]) => number === undefined && name !== 'kind' && name !== 'apiVersion')
        .map(([name]) => `${definition}.${name}`),
    );
    expect(missing).toEqual([]);
  });
});

const configMap = schemaOfKind('core.v1.ConfigMap');
const lease = schemaOfKind('coordination.k8s.io.v1.Lease');
const decode = (schema: ObjectSchema, ...raw: readonly Part[]) =>
  decodeTyped(schema, decodeProtobuf(bytes(...raw), schema)).value;

describe('protobuf encoding', () => {
  it('writes non-nullable fields even if they are empty, and nullable ones only if they are set', () => {
    const document = encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1' }, configMap);
    const { type, raw } = readEnvelope(document);
    expect(type).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' });
    // metadata: six empty texts, generation 0, no time.
    expect(raw).toEqual(bytes(0x0a, 16, 0x0a, 0, 0x12, 0, 0x1a, 0, 0x22, 0, 0x2a, 0, 0x32, 0, 0x38, 0, 0x42, 0));
  });

  it('sorts maps by their bytes', () => {
    const object = typed({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      data: { '\u{1f600}': '1', '\uff61': '2', b: '3', a: '4' },
    });
    const { raw } = readEnvelope(encodeProtobuf(object, configMap));
    expect(Object.keys(decodeProtobuf(raw, configMap)['data'] ?? {})).toEqual(['a', 'b', '\uff61', '\u{1f600}']);
  });

  it('writes lists with the messages of their items', () => {
    const item = Object.freeze(typed({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } }));
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };
    const { type, raw } = readEnvelope(encodeProtobufList(list, [item, item], configMap));
    const one = readEnvelope(encodeProtobuf(item, configMap)).raw;
    expect(type).toEqual({ apiVersion: 'v1', kind: 'ConfigMapList' });
    expect(raw).toEqual(bytes(0x0a, 7, 0x0a, 0, 0x12, 1, '7', 0x1a, 0, 0x12, one.length, one, 0x12, one.length, one));
  });

  it('writes the list metadata of v1beta1 in reverse order', () => {
    const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1beta1', metadata: {} };
    const { raw } = readEnvelope(encodeProtobufList(list, [], configMap));
    expect(raw[0]).toBe(0x12);
  });

  it('puts the length before an event', () => {
    const frame = encodeProtobufFrame('ADDED', bytes('object'));
    expect(frame).toEqual(bytes(0, 0, 0, 17, 0x0a, 5, 'ADDED', 0x12, 8, 0x0a, 6, 'object'));
  });

  it('refuses kinds without a protobuf form', () => {
    const message = (type: string) =>
      `object *unstructured.${type} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`;
    const schema: ObjectSchema = { type: 'object', properties: new Map() };
    const list = { kind: 'WidgetList', apiVersion: 'example.com/v1', metadata: {} };
    expect(() => encodeProtobuf({ kind: 'Widget' }, schema)).toThrow(message('Unstructured'));
    expect(() => encodeProtobufList(list, [], schema)).toThrow(message('UnstructuredList'));
  });
});

describe('protobuf decoding', () => {
  it('merges repeated messages, keeps the last of repeated strings, and skips unknown fields', () => {
    const object = decode(
      configMap,
      ...[0x0a, 3, 0x0a, 1, 'a'],
      ...[0x98, 0x06, 0x96, 0x01], // 99: a number
      ...[0x9b, 0x06, 0x0a, 1, 'x', 0x9c, 0x06], // 99: a group
      ...[0x99, 0x06, 0, 0, 0, 0, 0, 0, 0, 0, 0x9d, 0x06, 0, 0, 0, 0], // 99: eight and four bytes
      ...[0x0a, 3, 0x1a, 1, 'n', 0x0a, 3, 0x0a, 1, 'b'],
      ...[0x12, 3, 0x0a, 1, 'k', 0x12, 6, 0x0a, 1, 'l', 0x12, 1, 'v'],
    );
    expect(object).toEqual({
      metadata: { name: 'b', namespace: 'n', creationTimestamp: null },
      data: { k: '', l: 'v' },
    });
  });

  it('reads negative numbers, times and unusual names', () => {
    const spec = [0x10, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x1a, 5, 0x08, 1, 0x10, 0xe8, 0x07];
    expect(decode(lease, 0x12, spec.length, ...spec)).toMatchObject({
      spec: { leaseDurationSeconds: -2, acquireTime: '1970-01-01T00:00:01.000001Z' },
    });
    const { data } = decode(configMap, 0x12, 14, 0x0a, 9, '__proto__', 0x12, 1, 'v');
    expect(Object.entries(data ?? {})).toEqual([['__proto__', 'v']]);
    // The wire types in an entry of a map are not checked.
    expect(decode(configMap, 0x12, 6, 0x09, 1, 'a', 0x10, 1, 'v')).toMatchObject({ data: { a: 'v' } });
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it.each([
    ['refuses an incomplete tag', [0x80], 'unexpected EOF'],
    ['refuses a length beyond the end', [0x0a, 5, 0], 'unexpected EOF'],
    ['refuses a length of 2^62', [0x0a, ...Array<number>(8).fill(0xff), 0x3f], 'unexpected EOF'],
    [
      'refuses a negative length',
      [0x0a, ...Array<number>(9).fill(0xff), 1],
      'proto: negative length found during unmarshaling',
    ],
    ['refuses an endless number', Array<number>(12).fill(0xff), 'proto: integer overflow'],
    ['refuses a wrong wire type', [0x08, 1], 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['refuses the field 0', [0x02, 0], 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
    ['refuses the end of a group that has not begun', [0x0c], 'proto: ConfigMap: wiretype end group for non-group'],
    ['refuses a group without an end', [0x9b, 0x06], 'unexpected EOF'],
    ['refuses an unknown wire type', [0x9e, 0x06], 'proto: illegal wireType 6'],
    [
      'refuses a time after the year 9999',
      [0x0a, 10, 0x42, 8, 0x08, ...Array<number>(6).fill(0xff), 0x7f],
      'Time.MarshalJSON: year outside of range [0,9999]',
    ],
    [
      'refuses managed fields that are not JSON',
      [0x0a, 8, 0x8a, 1, 5, 0x3a, 3, 0x0a, 1, '{'],
      'unexpected end of JSON input',
    ],
  ])('%s', (_title, raw, message) => {
    expect(() => decodeProtobuf(bytes(...raw), configMap)).toThrow(DecodeError);
    expect(() => decodeProtobuf(bytes(...raw), configMap)).toThrow(message);
  });

  it('fails closed for arbitrary bytes', () => {
    const pod = schemaOfKind('core.v1.Pod');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
        try {
          decodeTyped(pod, decodeProtobuf(raw, pod));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('reads every number and string that was written', () => {
    const event = schemaOfKind('core.v1.Event');
    fc.assert(
      fc.property(fc.integer(), fc.maxSafeInteger(), anyText, (count, generation, message) => {
        const object = { kind: 'Event', apiVersion: 'v1', metadata: { generation }, count, message };
        const { raw } = readEnvelope(encodeProtobuf(object, event));
        expect(decodeProtobuf(raw, event)).toMatchObject({ metadata: { generation }, count, message });
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('documents', () => {
  it('without a type have no apiVersion and kind', () =>
    expect(readEnvelope(bytes('k8s', 0, 0x12, 0)).type).toEqual({ apiVersion: '', kind: '' }));
  it('with an invalid type have no apiVersion and kind', () =>
    expect(readEnvelope(bytes('k8s', 0, 0x0a, 7, 0x0a, 5, 'a/b/c')).type).toEqual({ apiVersion: '', kind: '' }));
  it.each([
    ['nothing', [], 'empty data'],
    [
      'another prefix',
      ['k9s', 0],
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['the prefix alone', ['k8s', 0], 'empty body'],
    ['cut off', ['k8s', 0, 0x0a, 9], 'unexpected EOF'],
  ])('%s', (_title, document, message) => expect(() => readEnvelope(bytes(...document))).toThrow(message));
});

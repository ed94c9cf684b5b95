import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
import { k8s } from '../../src/meta/dialect.js';
import { formatGroupVersion } from '../../src/meta/group-version.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import type { Draft } from '../../src/registry/strategy.js';
import { builtinResources } from '../../src/resources/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import type { Schema } from '../../src/schema/schema.js';
import { parseJson } from '../../src/serialization/json/decode.js';
import { encodeJson } from '../../src/serialization/json/encode.js';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  type TypedObject,
} from '../../src/serialization/protobuf/documents.js';
import { decodeYaml } from '../../src/serialization/yaml/decode.js';
import { encodeYaml } from '../../src/serialization/yaml/encode.js';
import { arbitraryValue } from '../support/arbitrary-value.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = { numRuns: propertyRuns(10) };
const kinds = builtinResources.map((definition) => {
  const { gvk } = serveResource(definition, k8s);
  const apiVersion = formatGroupVersion(gvk);
  return { name: `${apiVersion} ${gvk.kind}`, apiVersion, definition };
});

describe.each(kinds)('any $name', ({ apiVersion, definition }) => {
  const { schema, kind } = definition;
  const received = (fields: unknown) => decodeTyped(schema, { ...(fields as object), kind, apiVersion });
  const objects = arbitraryValue(schema).map((fields) => received(fields).value as JsonObject & TypedObject);
  const withDefaults = (object: JsonObject) => {
    const draft = structuredClone(object) as unknown as Draft<ApiObject>;
    definition.setDefaults?.(draft, k8s);
    return draft as unknown as JsonObject & TypedObject;
  };

  it('is the same object, and the same bytes, in JSON and YAML', () =>
    fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const json = encodeJson(object);
        const read = decodeTyped(schema, parseJson(json).value);
        expect(read).toEqual({ value: object, unknownFields: [] });
        expect(encodeJson(read.value)).toEqual(json);
        const yaml = encodeYaml(object);
        const again = decodeTyped(schema, (await decodeYaml(yaml)).value);
        expect(again).toEqual({ value: object, unknownFields: [] });
        expect(encodeYaml(again.value)).toEqual(yaml);
      }),
      RUNS,
    ));

  it('is the same object, and the same bytes, in protobuf', () =>
    fc.assert(
      // A message does not tell an empty list from none.
      fc.property(objects, (any) => {
        const object = withDefaults(received(withoutEmpty(schema, any)).value);
        const message = encodeProtobuf(object, schema);
        const { type, raw } = readEnvelope(message);
        const read = received({ ...decodeProtobuf(raw, schema), ...type });
        expect(read.unknownFields).toEqual([]);
        const again = withDefaults(read.value);
        expect(withoutEmpty(schema, again)).toEqual(withoutEmpty(schema, object));
        expect(encodeProtobuf(again, schema)).toEqual(message);
      }),
      RUNS,
    ));

  it('is complete once it has its defaults', () =>
    fc.assert(
      fc.property(objects, (object) => {
        const once = withDefaults(object);
        expect(withDefaults(once)).toEqual(once);
        // Defaults are values that a client could have sent.
        expect(decodeTyped(schema, once).value).toEqual(once);
      }),
      RUNS,
    ));
});

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The same without lists and maps that are empty. */
function withoutEmpty(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.type === 'list') return (value as unknown[]).map((item) => withoutEmpty(schema.items, item));
  const entries = Object.entries(value).map(([name, member]) => {
    const inner =
      schema.type === 'object'
        ? schema.properties.get(name)?.schema
        : schema.type === 'map'
          ? schema.values
          : undefined;
    if (inner === undefined) return [name, member];
    const isCollection = schema.type === 'object' && (inner.type === 'list' || inner.type === 'map');
    return [name, isCollection && (member === null || isEmpty(member)) ? undefined : withoutEmpty(inner, member)];
  });
  return Object.fromEntries(entries);
}

import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { type FieldError, formatFieldError } from '../../src/meta/field-error.js';
import type { JSONSchemaProps } from '../../src/resources/apiextensions/json-schema-props.js';
import { belowProps } from '../../src/resources/apiextensions/validation/schema-parts.js';
import { validateStructuralSchema } from '../../src/resources/apiextensions/validation/structural-rules.js';
import { decodeStructural } from '../../src/schema/decode-structural.js';
import { followPath } from '../../src/schema/field-path.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { validateStructural } from '../../src/schema/structural.js';
import { validateEmbedded, validateListTypes } from '../../src/schema/structural-invariants.js';
import { fromGoSchema, type Go, isRecord, resolved } from '../support/go-structs.js';
import { cases, hasSharedData } from '../support/shared-data.js';

interface Named {
  readonly name: string;
}
const rowsOf = <T extends Named>(test: string, table = 'tests') =>
  cases<T[]>('crd', test, table).map((row) => [row.name, row] as const);

interface Expected {
  readonly $call: string;
  readonly args: readonly string[];
}
const TYPES: Readonly<Record<string, string>> = { required: 'Required', invalid: 'Invalid', duplicate: 'Duplicate' };
const expected = ({ $call, args }: Expected) => `${TYPES[$call]} ${args.join('.')}`;
const told = (errors: readonly FieldError[]) => errors.map(({ type, path }) => `${type} ${path}`).sort();
const all = (errors: readonly Expected[] = []) => errors.map(expected).sort();

const schemaOf = (schema: unknown) => fromGoSchema(resolved(schema), { addTypes: true });
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const whole = { ...open, 'x-kubernetes-embedded-resource': true };
const embedded = (properties: object = {}) => ({ ...whole, properties });

describe.skipIf(!hasSharedData)("the upstream's tables of schemas", () => {
  interface ListRow extends Named {
    readonly obj?: unknown;
    readonly schema?: Go;
    readonly errors?: readonly Expected[];
  }
  // Without a schema, or an object, there is nothing to validate.
  const lists = rowsOf<ListRow>('TestValidateListSetsAndMaps').filter(([, { obj, schema }]) => obj && schema);
  it.each(lists)('lists: %s', (_name, { obj, schema, errors }) => {
    expect(told(validateListTypes(openApiToSchema(schemaOf(schema)), obj, 'root'))).toEqual(all(errors));
  });

  interface PathRow extends Named {
    readonly fieldPath: string;
    readonly schema: Go;
    readonly errMsg?: string;
  }
  it.each(rowsOf<PathRow>('TestValidateFieldPath'))('paths: %s', (_name, { fieldPath, schema, errMsg }) => {
    const found = followPath(fieldPath, fromGoSchema(schema) as JSONSchemaProps, belowProps);
    if (errMsg === undefined) expect(found).toMatchObject({ schema: expect.anything() });
    else expect(found).toContain(errMsg);
  });

  interface EmbeddedRow extends Named {
    readonly object: JsonObject;
    readonly errors?: readonly Expected[];
  }
  it.each(rowsOf<EmbeddedRow>('TestValidateEmbeddedResource'))('objects: %s', (_name, { object, errors }) => {
    expect(told(validateEmbedded(openApiToSchema(embedded()), object, ''))).toEqual(all(errors));
  });

  interface NestedRow extends Named {
    readonly object: string;
    readonly includeRoot?: boolean;
    readonly errors?: readonly Expected[];
  }
  it.each(rowsOf<NestedRow>('TestValidate'))('objects in objects: %s', (_name, { object, includeRoot, errors }) => {
    const properties = {
      embedded: embedded(),
      nested: embedded({ embedded: embedded() }),
      items: { type: 'array', items: embedded() },
      additionalProperties: { type: 'object', additionalProperties: embedded() },
    };
    const root = openApiToSchema(includeRoot ? embedded(properties) : { type: 'object', properties });
    expect(told(validateEmbedded(root, JSON.parse(object), ''))).toEqual(all(errors));
  });

  interface CoerceRow extends Named {
    readonly json: string;
    readonly schema: Go | null;
    readonly includeRoot?: boolean;
    readonly dropInvalidFields?: boolean;
    readonly expected: string;
  }
  // Stored objects were validated when they were written, so nothing in them has to be dropped.
  const coerced = rowsOf<CoerceRow>('TestCoerce').filter(
    ([, { json, dropInvalidFields }]) => json !== 'null' && !dropInvalidFields,
  );
  it.each(coerced)('metadata: %s', (_name, { json, schema, includeRoot, expected: wanted }) => {
    // Only the fields of metadata matter for this table.
    const opened = (at: JsonValue): JsonValue => {
      if (Array.isArray(at)) return at.map(opened);
      if (!isRecord(at)) return at as JsonValue;
      const inner = Object.fromEntries(Object.entries(at).map(([name, each]) => [name, opened(each as JsonValue)]));
      return 'type' in inner && inner['type'] === 'object' ? { ...inner, ...open } : (inner as JsonObject);
    };
    const it = { ...(opened(schemaOf(schema)) as JsonObject), ...(includeRoot ? whole : {}) };
    const own = openApiToSchema({ type: 'object', properties: { it: { ...open, ...it } } }) as ObjectSchema;
    expect(decodeStructural(own, { it: JSON.parse(json) }).value).toHaveProperty('it', JSON.parse(wanted));
  });

  interface MetaRow {
    readonly obj: JsonObject;
    readonly dropMalformedFields: boolean;
    readonly expectedErr?: string;
    readonly expectedObject?: Go;
    readonly expectedUnknownPaths?: readonly string[];
  }
  const metas = cases<MetaRow[]>('crd', 'TestGetObjectMetaWithOptions', 'testcases')
    .filter(({ dropMalformedFields }) => !dropMalformedFields)
    .map((row, i) => [i, row] as const);
  it.each(metas)(
    'metadata of the whole object: %i',
    (_i, { obj, expectedErr, expectedObject, expectedUnknownPaths }) => {
      const schema = openApiToSchema({ type: 'object' }) as ObjectSchema;
      if (expectedErr !== undefined) {
        expect(() => decodeStructural(schema, obj)).toThrow(expectedErr);
        return;
      }
      const { value, unknownFields } = decodeStructural(schema, obj);
      expect(value['metadata']).toMatchObject({ name: expectedObject?.['Name'] });
      if (expectedUnknownPaths) expect(unknownFields).toEqual(expectedUnknownPaths);
    },
  );

  interface CompleteRow extends Named {
    readonly schema: Go;
    readonly error?: string;
    readonly options?: Go;
  }
  // These options belong to other users of the schemas.
  const complete = rowsOf<CompleteRow>('TestValidateStructuralCompleteness', 'testCases').filter(
    ([, { options = {} }]) => !Object.values(options).includes(true),
  );
  it.each(complete)('restrictions of fields: %s', (_name, { schema, error }) => {
    const rules = { prefix: 'x-kubernetes-', patternProblem: () => undefined };
    const texts = validateStructuralSchema(schemaOf(schema) as JSONSchemaProps, '', rules)
      .filter(({ detail }) => detail.startsWith('because'))
      .map((one) => formatFieldError(one).replaceAll(/(^|from |in )\./g, '$1'));
    expect(texts).toEqual(error === undefined ? [] : [error]);
  });

  interface ItemsRow extends Named {
    readonly args: { readonly schema: Go; readonly object: JsonObject };
  }
  it.each(rowsOf<ItemsRow>('TestItemsProperty'))('a field called items: %s', (_name, { args }) => {
    expect(validateStructural(openApiToSchema(schemaOf(args.schema)), args.object, '')).toEqual([]);
  });
});

// The table contains only their names.
describe('metadata', () => {
  const problems = (properties: object) =>
    validateStructuralSchema({ type: 'object', properties } as JSONSchemaProps, 'root', {
      prefix: 'x-kubernetes-',
      patternProblem: () => undefined,
    }).map(({ type, path }) => `${type} ${path}`);

  it.each(['array', 'number', 'integer', 'boolean', 'string'])('cannot be %s', (type) => {
    const metadata = { type, items: { type: 'string' } };
    expect(problems({ metadata })).toContain('Invalid root.properties[metadata].type');
    expect(problems({ inner: { ...embedded({ metadata }) } })).toEqual([
      'Invalid root.properties[inner].properties[metadata].type',
    ]);
  });

  it('is restricted only by name at the root, but by any keyword in an embedded object', () => {
    const metadata = { type: 'object', properties: { labels: { type: 'object' } } };
    expect(problems({ metadata: { type: 'object', properties: { name: { type: 'string' } } } })).toEqual([]);
    expect(problems({ metadata })).toEqual(['Forbidden root.properties[metadata]']);
    expect(problems({ inner: embedded({ metadata }) })).toEqual([]);
  });
});

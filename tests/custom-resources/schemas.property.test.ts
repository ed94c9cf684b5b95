import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyInSteps } from '../../src/fields/apply-ownership.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { run } from '../../src/meta/flow.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { applyDefaults } from '../../src/schema/defaults.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prune } from '../../src/schema/prune.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { requestsTo } from '../support/ask.js';
import { propertyRuns } from '../support/property-runs.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

/** A structural schema, and values that satisfy it. */
interface Sample {
  readonly schema: JsonObject;
  readonly values: fc.Arbitrary<JsonValue>;
}

const NAMES = ['a', 'b', 'c', 'd'] as const;

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.constant<Sample>({ schema: { type: 'string' }, values: fc.constantFrom('x', 'y', '') }),
  fc.constant<Sample>({ schema: { type: 'integer' }, values: fc.integer({ min: 0, max: 9 }) }),
  fc.constant<Sample>({ schema: { type: 'boolean' }, values: fc.boolean() }),
  fc.constant<Sample>({ schema: { type: 'string', nullable: true }, values: fc.constantFrom('x', null) }),
  fc.constant<Sample>({ schema: { type: 'string', default: 'd' }, values: fc.constantFrom('x', 'd') }),
);

/** Any schema of a few levels, with objects, maps and all types of lists. */
const sample = fc.letrec<{ any: Sample; object: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('object'),
    tie('any').map(({ schema, values }) => ({
      schema: { type: 'array', items: withoutDefault(schema) },
      values: fc.array(
        values.filter((value) => value !== null),
        { maxLength: 3 },
      ),
    })),
    tie('any').map(({ schema, values }) => ({
      schema: { type: 'object', additionalProperties: withoutDefault(schema) },
      values: fc.dictionary(
        fc.constantFrom(...NAMES),
        values.filter((value) => value !== null),
        { maxKeys: 3 },
      ),
    })),
    fc.constant<Sample>({
      schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      values: fc.uniqueArray(fc.constantFrom<JsonValue>(...NAMES), { maxLength: 4 }),
    }),
    tie('any').map(({ schema, values }) => ({
      schema: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: schema } },
      },
      values: fc.uniqueArray(fc.record({ k: fc.constantFrom<string>(...NAMES), v: values }), {
        maxLength: 3,
        selector: ({ k }) => k,
      }) as fc.Arbitrary<JsonValue>,
    })),
  ),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { minKeys: 1, maxKeys: 3 }).map((members) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
    },
    values: fc.record(Object.fromEntries(Object.entries(members).map(([name, { values }]) => [name, values])), {
      requiredKeys: [],
    }) as fc.Arbitrary<JsonValue>,
  })),
})).object;

function withoutDefault({ default: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** Any JSON value with names of schemas, so that parts of it are valid. */
const anything = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, 'x', 1, true),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, 'k', 'v', 'other'), tie('json'), { maxKeys: 4 }),
  ),
})).json;

describe('any structural schema', () => {
  it('prunes and defaults an object twice with the same result as once', () => {
    fc.assert(
      fc.property(sample, anything, ({ schema }, value) => {
        const read = openApiToSchema(schema);
        const pruned = prune(read, value);
        expect(prune(read, pruned)).toBe(pruned);
        const filled = applyDefaults(read, pruned);
        expect(applyDefaults(read, filled)).toBe(filled);
        expect(prune(read, filled)).toEqual(filled);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('merges applied objects as built-in kinds do', () => {
    // The same schema is used twice: as that of a custom resource, and with the presence rules of built-in kinds.
    const apply = (schema: ObjectSchema, live: ApiObject | undefined, spec: JsonValue, manager: string) =>
      run(
        applyInSteps({
          schema,
          apiVersion: 'example.com/v1',
          kind: 'Thing',
          subresource: '',
          manager,
          force: true,
          now: 0,
          live,
          applied: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec },
        }),
      ) as ApiObject;
    const whole = (spec: JsonObject) => ({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        spec,
      },
    });
    const asBuiltIn = (schema: ObjectSchema): ObjectSchema => ({
      ...schema,
      properties: new Map(
        [...schema.properties].map(([name, property]) => [name, { ...property, presence: 'omitEmpty' }]),
      ),
    });
    const applications = sample.chain(({ schema, values }) =>
      fc
        .array(fc.tuple(fc.constantFrom('one', 'two'), values), { minLength: 1, maxLength: 4 })
        .map((all) => ({ schema, all })),
    );
    fc.assert(
      fc.property(applications, ({ schema, all }) => {
        const custom = openApiToSchema(whole(schema)) as ObjectSchema;
        const builtIn = asBuiltIn(custom);
        let [a, b]: (ApiObject | undefined)[] = [];
        for (const [manager, spec] of all) {
          a = apply(custom, a, spec, manager);
          b = apply(builtIn, b, spec, manager);
          expect(a).toEqual(b);
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('an object that validation accepts', () => {
  const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
  const { get, post, put } = requestsTo(server);
  beforeAll(() => {
    // A converter that stores fields of the other version in an annotation is not needed here.
    server.services.set(
      'default/rename',
      reviewHandler(({ request }) => {
        const { desiredAPIVersion, objects } = request as unknown as {
          desiredAPIVersion: string;
          objects: JsonObject[];
        };
        const convertedObjects = objects.map(({ spec, wrapped, ...object }) => {
          const toV2 = desiredAPIVersion.endsWith('/v2');
          const inner = toV2 ? { wrapped: { spec: spec ?? null } } : { spec: (wrapped as JsonObject)['spec'] ?? null };
          return { ...object, ...inner, apiVersion: desiredAPIVersion };
        });
        return { convertedObjects, result: { status: 'Success' } };
      }),
    );
  });

  it('survives a round trip through every served version', async () => {
    let next = 0;
    const cases = sample.chain(({ schema, values }) => values.map((spec) => ({ schema, spec })));
    await fc.assert(
      fc.asyncProperty(cases, async ({ schema, spec }) => {
        const plural = `kinds${next++}`;
        const kind = `Kind${next}`;
        const version = (name: string, storage: boolean, properties: object) => ({
          name,
          served: true,
          storage,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        });
        const versions = [
          version('v1', next % 2 === 0, { spec: schema }),
          version('v2', next % 2 === 1, {
            wrapped: { type: 'object', properties: { spec: { ...schema, nullable: true } } },
          }),
        ];
        const definition = manifest({ names: { plural, kind }, versions });
        const webhook = {
          clientConfig: { service: { namespace: 'default', name: 'rename' } },
          conversionReviewVersions: ['v1'],
        };
        await server.install({
          ...definition,
          spec: { ...definition.spec, conversion: { strategy: 'Webhook', webhook } },
        } as never);
        const path = (v: string, name = '') => `/apis/example.com/${v}/namespaces/default/${plural}${name}`;
        const body = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a' }, spec };
        const made = await post(path('v1'), body);
        expect([made.status, made.value.message]).toEqual([201, undefined]);
        const before = (await get(path('v1', '/a'))).value;
        expect(before.spec).toEqual(made.value.spec);
        const other = (await get(path('v2', '/a'))).value;
        expect(other.wrapped.spec).toEqual(before.spec);
        // The object is written back as it was read, in the other version, and nothing has changed.
        const back = await put(path('v2', '/a'), other);
        expect(back.value).toMatchObject({ metadata: { resourceVersion: before.metadata.resourceVersion } });
        expect((await get(path('v1', '/a'))).value.spec).toEqual(before.spec);
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

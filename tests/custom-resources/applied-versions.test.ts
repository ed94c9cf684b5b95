import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { ask } from '../support/ask.js';
import { propertyRuns } from '../support/property-runs.js';
import { closeAfterTest, startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const schema = (name: string, storage: boolean, spec: object) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
});
const text = { type: 'string' };
const versions = [schema('v1', true, { host: text, both: text }), schema('v2', false, { address: text, both: text })];

/** Renames a member; an object without a name has no member to rename. */
function renamed(object: JsonObject, apiVersion: string): JsonObject {
  const { name } = object['metadata'] as JsonObject;
  if (typeof name !== 'string') throw new Error('the object has no name');
  const { host, address, ...spec } = (object['spec'] ?? {}) as JsonObject;
  const value = host ?? address;
  const member = apiVersion.endsWith('v1') ? 'host' : 'address';
  return { ...object, apiVersion, spec: { ...spec, ...(value === undefined ? {} : { [member]: value }) } };
}

async function served() {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', authentication: [everybody] }));
  const converted: JsonObject[] = [];
  server.services.set(
    'default/convert',
    reviewHandler(({ request }) => {
      const { objects, desiredAPIVersion } = request as unknown as { objects: JsonObject[]; desiredAPIVersion: string };
      converted.push(...objects);
      const convertedObjects = objects.map((object) => renamed(object, desiredAPIVersion));
      return { convertedObjects, result: { status: 'Success' } };
    }),
  );
  const crd = manifest({ versions });
  const webhook = {
    clientConfig: { service: { namespace: 'default', name: 'convert' } },
    conversionReviewVersions: ['v1'],
  };
  const conversion = { strategy: 'Webhook', webhook };
  await server.client().create(customResourceDefinition, { ...crd, spec: { ...crd.spec, conversion } } as never);
  await server.settle();
  const apply = async (manager: string, version: string, spec?: object, metadata: object = {}) => {
    const { status, value } = await ask(server, {
      method: 'PATCH',
      path: `/apis/example.com/${version}/namespaces/default/things/a`,
      query: `fieldManager=${manager}&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: {
        apiVersion: `example.com/${version}`,
        kind: 'Thing',
        metadata: { name: 'a', ...metadata },
        ...(spec && { spec }),
      },
    });
    if (status > 201) throw new Error(`${status} ${JSON.stringify(value)}`);
    return value as { readonly spec?: object; readonly metadata: { readonly labels?: object } };
  };
  return { apply, converted };
}

describe('applying a custom resource in one version after another', () => {
  it.each([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])('%s, then %s: the webhook receives whole objects, and no field is lost', async (first, second) => {
    const { apply, converted } = await served();
    const member = (version: string) => (version === 'v1' ? 'host' : 'address');
    await apply('one', first, { [member(first)]: 'x' }, { labels: { one: 'yes' } });
    await apply('two', second, { both: 'y' }, { labels: { two: 'yes' } });
    await apply('labels', second, undefined, { labels: { three: 'yes' } });
    const moved = await apply('one', second, { [member(second)]: 'x' });
    expect(moved).toMatchObject({
      spec: { [member(second)]: 'x', both: 'y' },
      metadata: { labels: { two: 'yes', three: 'yes' } },
    });
    expect(moved.metadata.labels).not.toHaveProperty('one');
    // The fields that it leaves out are removed.
    const left = await apply('two', first);
    expect(left.spec).toEqual({ [member(first)]: 'x' });
    expect(await apply('one', first)).not.toHaveProperty(['spec', member(first)]);
    expect(converted.every(({ metadata }) => (metadata as JsonObject | undefined)?.['name'] === 'a')).toBe(true);
  });
});

const FIELDS = {
  a: { type: 'integer' },
  b: { type: 'integer' },
  map: { type: 'object', additionalProperties: { type: 'integer' } },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  keyed: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } },
  },
};
const { b: _, ...FIELDS_OF_V1 } = FIELDS;

/** A server whose objects have the field `b` only in v2, without a conversion webhook. One manager applies them. */
async function withNewField(dialect: 'orch' | 'k8s') {
  const server = closeAfterTest(await startServer({ dialect, authentication: [everybody], allowPrivileged: true }));
  const both = [schema('v1', false, FIELDS_OF_V1), schema('v2', true, FIELDS)];
  const withStatus = both.map((version) => ({ ...version, subresources: { status: {} } }));
  for (const {
    schema: { openAPIV3Schema },
  } of withStatus)
    Object.assign(openAPIV3Schema.properties, { status: openAPIV3Schema.properties.spec });
  await server.install(manifest({ versions: withStatus }));
  return (version: string, spec: object, { name = 'a', part = 'spec', manager = 'm' } = {}) =>
    ask(server, {
      method: 'PATCH',
      path: `/apis/example.com/${version}/namespaces/default/things/${name}${part === 'status' ? '/status' : ''}`,
      query: `fieldManager=${manager}`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: `example.com/${version}`, kind: 'Thing', metadata: { name }, [part]: spec },
    });
}

describe('a field that only a newer version has, without a conversion webhook', () => {
  it.each(['spec', 'status'])('keeps the field when %s is applied in the orch dialect', async (part) => {
    const apply = await withNewField('orch');
    await apply('v1', { a: 1 });
    await apply('v1', { a: 1 }, { part });
    const steps = [{ a: 1, b: 2 }, { b: 3 }, { b: 3, keyed: [{ k: 'x', v: 1 }] }, { keyed: [{ k: 'x' }] }];
    for (const applied of steps) {
      const { status, value } = await apply('v2', applied, { part });
      expect([status, value[part]]).toEqual([200, applied]);
    }
  });

  it('is refused in the k8s dialect, as in upstream', async () => {
    const apply = await withNewField('k8s');
    await apply('v1', { a: 1 });
    expect(await apply('v2', { a: 1, b: 2 })).toMatchObject({
      status: 500,
      value: {
        message:
          'failed to prune fields: failed to convert merged object to last applied version: .spec.b: field not declared in schema',
      },
    });
    expect(await apply('v2', { b: 2 }, { manager: 'other' })).toMatchObject({
      status: 500,
      value: { message: 'failed to convert new object: .spec.b: field not declared in schema' },
    });
    expect(await apply('v2', { a: 1 })).toMatchObject({ status: 200 });
    expect(await apply('v2', { a: 1, b: 2 })).toMatchObject({ status: 200, value: { spec: { a: 1, b: 2 } } });
  });
});

describe('a map or list that is applied empty after it had members', () => {
  const cases: [name: string, before: object, after: object][] = [
    ['a map', { a: 1, map: { x: 1 } }, { a: 1, map: {} }],
    ['a set', { a: 1, set: ['x'] }, { a: 1, set: [] }],
    ['a keyed list', { a: 1, keyed: [{ k: 'x' }] }, { a: 1, keyed: [] }],
  ];
  it.each(cases)('%s stays empty in the orch dialect', async (_, before, after) => {
    const apply = await withNewField('orch');
    await apply('v1', before);
    const { status, value } = await apply('v1', after);
    expect([status, value.spec]).toEqual([200, after]);
    expect((await apply('v1', after)).value.metadata).toEqual(value.metadata);
  });
  it('becomes null, which the schema of a map refuses, in the k8s dialect', async () => {
    const apply = await withNewField('k8s');
    await apply('v1', { map: { x: 1 } });
    for (const again of [1, 2]) expect([again, (await apply('v1', { map: {} })).status]).toEqual([again, 422]);
  });
});

it('an object has every applied field in the orch dialect, and the same apply again changes nothing', async () => {
  const apply = await withNewField('orch');
  const number = fc.integer({ min: 0, max: 2 });
  const name = fc.constantFrom('x', 'y', 'z');
  const fields = {
    a: number,
    map: fc.dictionary(name, number, { maxKeys: 2 }),
    set: fc.uniqueArray(name, { maxLength: 2 }),
    keyed: fc.uniqueArray(fc.record({ k: name, v: number }, { requiredKeys: ['k'] }), {
      maxLength: 2,
      selector: ({ k }) => k,
    }),
  };
  const step = fc.oneof(
    fc.record({ version: fc.constant('v1'), spec: fc.record(fields, { requiredKeys: ['a'] }) }),
    fc.record({ version: fc.constant('v2'), spec: fc.record({ ...fields, b: number }, { requiredKeys: ['a'] }) }),
  );
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const name = `p${runs++}`;
      for (const { version, spec } of steps) {
        const { status, value } = await apply(version, spec, { name });
        expect(status).toBeLessThan(202);
        expect(value.spec).toMatchObject(spec);
        // An empty list has no owner, so it is kept when it is given up.
        for (const name of Object.keys(value.spec))
          if (!Object.hasOwn(spec, name)) expect(value.spec[name]).toHaveLength(0);
        expect((await apply(version, spec, { name })).value.metadata).toEqual(value.metadata);
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('sets no defaults of the version in an apply that changes only owners', async () => {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', authentication: [everybody] }));
  const late = { type: 'string', default: 'd' };
  const own = [schema('v1', true, { both: text }), schema('v2', false, { both: text, late })];
  await server.client().create(customResourceDefinition, manifest({ versions: own }) as never);
  await server.settle();
  const path = '/apis/example.com/v2/namespaces/default/things/a';
  const apply = async (manager: string, both: string) => {
    const { status, value } = await ask(server, {
      method: 'PATCH',
      path,
      query: `fieldManager=${manager}&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' }, spec: { both } },
    });
    return [status, value.metadata.generation, value.spec, value.metadata.managedFields.length];
  };
  expect(await apply('first', 'x')).toEqual([201, 1, { both: 'x' }, 1]);
  expect(await apply('second', 'x')).toEqual([200, 1, { both: 'x' }, 2]);
  expect((await apply('second', 'y')).slice(0, 2)).toEqual([200, 2]);
});

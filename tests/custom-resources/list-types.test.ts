import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const THINGS = '/apis/example.com/v1/namespaces/default/things';
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';

const keyed = (...keys: string[]) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', required: keys, properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
});
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};

let server: ApiServer;
const { get, post, merge } = requestsTo(() => server);
beforeEach(async () => {
  server = await startServer({ dialect: 'k8s', authentication: [everybody] });
});
afterEach(() => server.close());

const thing = (spec: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
  ...more,
});

it('an object whose list had duplicate keys before an update may keep them, and add other elements', async () => {
  await server.install(manifest({ spec: { list: keyed('a', 'b') } }) as never);
  expect(
    (
      await post(
        THINGS,
        thing({
          list: [
            { a: 1, b: 1 },
            { a: 1, b: 2 },
          ],
        }),
      )
    ).status,
  ).toBe(201);
  const repeated = {
    spec: {
      list: [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
        { a: 1, b: 1 },
      ],
    },
  };
  const refused = await merge(`${THINGS}/a`, repeated);
  expect([refused.status, refused.message]).toEqual([
    422,
    'Thing.example.com "a" is invalid: spec.list[2]: Duplicate value: map[string]interface {}{"a":1, "b":1}',
  ]);
  const stricter = manifest({ spec: { list: keyed('a') } });
  await merge(DEFINITION, { spec: stricter.spec });
  await server.settle();
  expect((await merge(`${THINGS}/a`, repeated)).status).toBe(200);
  expect((await post(THINGS, { ...thing(repeated.spec), metadata: { name: 'b' } })).status).toBe(422);
});

it('errors of scalar values are reported before errors of objects in them, and errors of lists last', async () => {
  await server.install(manifest({ spec: { list: keyed('a'), object: embedded, word: { type: 'string' } } }) as never);
  const object = { apiVersion: 'v1', kind: '%', metadata: {} };
  const { message = '' } = await post(THINGS, thing({ list: [{ a: 1 }, { a: 1 }], object, word: 1 }));
  expect(message.match(/spec\.[a-z]+(\[\d\]|\.kind)?: /g)).toEqual([
    'spec.word: ',
    'spec.object.kind: ',
    'spec.list[1]: ',
  ]);
});

it('embedded objects are validated in every update, with the current schema', async () => {
  const before = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await server.install(manifest({ spec: { object: before, size: { type: 'integer' } } }) as never);
  await post(THINGS, thing({ object: { apiVersion: 'v1', kind: 'K', metadata: { labels: { bad: 'x y' } } } }));
  await merge(DEFINITION, { spec: manifest({ spec: { object: embedded, size: { type: 'integer' } } }).spec });
  await server.settle();
  expect((await merge(`${THINGS}/a`, { spec: { size: 1 } })).message).toMatch(
    /spec\.object\.metadata\.labels: Invalid value: "x y"/,
  );
  const mended = { spec: { size: 1, object: { metadata: { labels: { bad: 'good' } } } } };
  expect((await merge(`${THINGS}/a`, mended)).status).toBe(200);
});

it('a write of the status validates all lists', async () => {
  const root = {
    properties: {
      spec: { type: 'object', properties: { list: keyed('a', 'b') } },
      status: { type: 'object', properties: { list: keyed('a') } },
    },
  };
  await server.install(manifest({ root, version: { subresources: { status: {} } } }) as never);
  await post(THINGS, thing({ list: [{ a: 1, b: 1 }] }));
  const status = { list: [{ a: 1 }, { a: 1 }] };
  expect((await merge(`${THINGS}/a/status`, { status })).message).toBe(
    'Thing.example.com "a" is invalid: status.list[1]: Duplicate value: map[string]interface {}{"a":1}',
  );
});

it('selectable fields are in both OpenAPI documents', async () => {
  await server.install(manifest({ version: { selectableFields: [{ jsonPath: '.spec.size' }] } }) as never);
  const v3 = await get('/openapi/v3/apis/example.com/v1');
  const v2 = await get('/openapi/v2');
  for (const kinds of [v3.value.components.schemas, v2.value.definitions])
    for (const name of ['com.example.v1.Thing', 'com.example.v1.ThingList'])
      expect(kinds[name]['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.size' }]);
});

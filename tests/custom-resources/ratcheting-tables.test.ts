import { beforeAll, expect, it } from 'vitest';
import { customResourceDefinition } from '../../src/exports/kinds.js';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// Facts of upstream's tests of ratcheting (apiextensions-apiserver, pkg/apiserver/validation): unchanged invalid values are kept.
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const { post, merge } = requestsTo(server);
const numbers = { small: { type: 'number', maximum: 50 }, medium: { type: 'number', minimum: 50, maximum: 10_000 } };
const versions = (properties: Readonly<Record<string, object>>) => {
  const fields = { type: 'object', properties };
  const item = { type: 'object', required: ['key'], properties: { ...properties, key: { type: 'string' } } };
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] };
  const { small = {} } = properties;
  const spec = {
    type: 'object',
    properties: {
      ...properties,
      nested: fields,
      keyed: { type: 'array', items: item, ...keyed },
      atomic: { type: 'array', items: item },
      set: { type: 'array', items: small, 'x-kubernetes-list-type': 'set' },
      named: { type: 'object', additionalProperties: fields },
    },
  };
  return [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
  ];
};
const PATH = '/apis/example.com/v1/namespaces/default/things';
const wrong = { small: 500 };
const item = (key: string, small = 500) => ({ key, small });
const PARTS = {
  keyed: [item('a'), item('b')],
  atomic: [item('a'), item('b')],
  set: [500, 501],
  named: { a: wrong },
};
beforeAll(async () => {
  await server.install(manifest({ versions: versions({ small: { type: 'number' }, medium: { type: 'number' } }) }));
  for (const [name, spec] of Object.entries({ flat: wrong, nested: { nested: wrong }, parts: PARTS })) {
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec };
    expect((await post(PATH, body)).status).toBe(201);
  }
  await server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
    draft.spec.versions = versions(numbers) as never;
  });
  await server.settle();
});

it.each<[string, object, number]>([
  ['flat', { small: 500 }, 200],
  ['flat', { medium: 500 }, 200],
  ['flat', { small: 501 }, 422],
  ['flat', { medium: 1 }, 422],
  ['nested', { nested: { small: 500 } }, 200],
  ['nested', { nested: { medium: 500 } }, 200],
  ['nested', { nested: { small: 501 } }, 422],
])('%s with %j', async (name, spec, status) => {
  const labels = { touched: 'yes' };
  const body = { metadata: { labels }, spec };
  expect((await merge(`${PATH}/${name}`, body)).status).toBe(status);
});

// How old and new values correspond: entries of maps and of keyed lists by their keys, other lists only as a whole.
it.each<[string, object, number]>([
  ['accepts an unchanged keyed list', { keyed: PARTS.keyed }, 200],
  ['accepts a keyed list in another order', { keyed: [item('b'), item('a')] }, 200],
  ['accepts a keyed list with one more valid item', { keyed: [item('c', 1), ...PARTS.keyed] }, 200],
  ['accepts a keyed list with one item less', { keyed: [item('b')] }, 200],
  ['refuses a keyed list with a changed invalid item', { keyed: [item('a', 502), item('b')] }, 422],
  ['refuses a keyed list with an invalid item under another key', { keyed: [item('c'), item('b')] }, 422],
  ['accepts an unchanged atomic list', { atomic: PARTS.atomic }, 200],
  ['refuses an atomic list in another order', { atomic: [item('b'), item('a')] }, 422],
  ['refuses an atomic list with one more item', { atomic: [...PARTS.atomic, item('c', 1)] }, 422],
  ['accepts an unchanged set', { set: [500, 501] }, 200],
  ['refuses a set with one more item', { set: [500, 501, 1] }, 422],
  ['accepts a map with one more member', { named: { ...PARTS.named, b: { small: 1 } } }, 200],
  ['refuses a map with an invalid value under another name', { named: { a: null, b: wrong } }, 422],
])('%s', async (_name, spec, status) => {
  const path = `${PATH}/parts`;
  const answer = await merge(`${path}?dryRun=All`, { spec });
  expect(answer.status).toBe(status);
});

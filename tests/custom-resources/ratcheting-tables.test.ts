import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import { customResourceDefinition } from '../../src/exports/kinds.js';
import { ask } from '../support/ask.js';
import { everybody, manifest } from './support.js';

// What the upstream's own tests of ratcheting hold (apiextensions-apiserver, pkg/apiserver/validation): what was wrong before
// and is not changed stays.
let server: ApiServer;
const numbers = { small: { type: 'number', maximum: 50 }, medium: { type: 'number', minimum: 50, maximum: 10_000 } };
const versions = (properties: Readonly<Record<string, object>>) => {
  const fields = { type: 'object', properties };
  const spec = { type: 'object', properties: { ...properties, nested: fields } };
  return [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
  ];
};
const PATH = '/apis/example.com/v1/namespaces/default/things';
const wrong = { small: 500 };
beforeAll(async () => {
  server = new ApiServer({ dialect: 'k8s', authentication: [everybody] });
  await server.start();
  await server.install(manifest({ versions: versions({ small: { type: 'number' }, medium: { type: 'number' } }) }));
  for (const [name, spec] of Object.entries({ flat: wrong, nested: { nested: wrong } })) {
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec };
    expect((await ask(server, { method: 'POST', path: PATH, body })).status).toBe(201);
  }
  await server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
    draft.spec.versions = versions(numbers) as never;
  });
  await server.settle();
});
afterAll(() => server.close());

it.each<[string, object, number]>([
  ['flat', { small: 500 }, 200],
  ['flat', { medium: 500 }, 200],
  ['flat', { small: 501 }, 422],
  ['flat', { medium: 1 }, 422],
  ['nested', { nested: { small: 500 } }, 200],
  ['nested', { nested: { medium: 500 } }, 200],
  ['nested', { nested: { small: 501 } }, 422],
])('%s with %j', async (name, spec, status) => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const labels = { touched: 'yes' };
  const body = { metadata: { labels }, spec };
  expect((await ask(server, { method: 'PATCH', path: `${PATH}/${name}`, headers, body })).status).toBe(status);
});

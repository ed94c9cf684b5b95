import { beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// A document is pruned by the kind and version that it states, before they are compared with those of the resource.
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const THINGS = '/apis/example.com/v1/namespaces/default/things';
beforeAll(async () => {
  await server.install(manifest({ spec: { a: { type: 'string' } } }));
  await send('POST', THINGS, { ...thing('present'), apiVersion: 'example.com/v1' });
});

const thing = (name: string, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name, ...metadata },
  spec: { a: 'x', unknown: 1 },
});

async function send(method: string, path: string, body: object, query = '', type = 'application/json') {
  const { status, value, headers } = await ask(server, {
    method,
    path,
    query,
    headers: { 'content-type': type },
    body,
  });
  return { status, message: value.message, warnings: headers['Warning'] };
}

const unknown = (path: string) => `299 - "unknown field \\"${path}\\""`;

const OTHER_VERSION =
  'the API version in the data (example.com/v9) does not match the expected API version (example.com/v1)';

it('reports every field but the metadata of a document in a version that the definition does not have', async () => {
  const body = { ...thing('a', { bogus: 1 }), apiVersion: 'example.com/v9', status: {} };
  expect(await send('POST', THINGS, body)).toEqual({
    status: 400,
    message: OTHER_VERSION,
    warnings: ['metadata.bogus', 'spec', 'status'].map(unknown),
  });
  expect((await send('POST', THINGS, body, 'fieldValidation=Strict')).message).toBe(
    'Thing in version "v9" cannot be handled as a Thing: strict decoding error: ' +
      'unknown field "metadata.bogus", unknown field "spec", unknown field "status"',
  );
  expect((await send('POST', THINGS, body, 'fieldValidation=Ignore')).warnings).toBeUndefined();
});

it('reports only unknown metadata of a document of another kind or group', async () => {
  const other = { ...thing('a', { bogus: 1 }), kind: 'Other' };
  expect(await send('POST', THINGS, other)).toEqual({
    status: 422,
    message: 'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be Thing',
    warnings: [unknown('metadata.bogus')],
  });
  expect((await send('POST', THINGS, other, 'fieldValidation=Strict')).message).toBe(
    'Other in version "v1" cannot be handled as a Other: strict decoding error: unknown field "metadata.bogus"',
  );
  const group = await send('POST', THINGS, { ...thing('a', { bogus: 1 }), apiVersion: 'other.example.com/v1' });
  expect(group.warnings).toEqual([unknown('metadata.bogus')]);
});

it('refuses metadata of wrong types before another kind', async () => {
  const { status, message } = await send('POST', THINGS, { ...thing('a', { annotations: 5 }), kind: 'Other' });
  expect([status, message]).toEqual([
    400,
    'Other in version "v1" cannot be handled as a Thing: json: cannot unmarshal number into Go struct field ' +
      'ObjectMeta.annotations of type map[string]string',
  ]);
});

it('reports an absent object and a missing version before another kind of a PUT', async () => {
  const put = async (name: string, metadata: object = {}) =>
    (await send('PUT', `${THINGS}/${name}`, { ...thing(name, metadata), kind: 'Other' })).message;
  expect(await put('absent')).toBe('things.example.com "absent" not found');
  expect(await put('present')).toContain('metadata.resourceVersion: Invalid value: 0x0: must be specified');
  const { value } = await ask(server, { path: `${THINGS}/present` });
  expect(await put('present', { resourceVersion: value.metadata.resourceVersion })).toBe(
    'Other.example.com "present" is invalid: kind: Invalid value: "Other": must be Thing',
  );
});

it('reports the fields of a patched document that are unknown in the version that it states', async () => {
  const patch = (body: object, query = '') =>
    send('PATCH', `${THINGS}/present`, body, query, 'application/merge-patch+json');
  expect(await patch({ apiVersion: 'example.com/v9' })).toMatchObject({
    status: 422,
    warnings: [unknown('spec')],
  });
  expect(await patch({ kind: 'Other', metadata: { bogus: 1 }, spec: { unknown: 1 } })).toMatchObject({
    status: 422,
    warnings: [unknown('metadata.bogus')],
  });
});

import { beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// A custom resource may be stored although it does not fit the types of its schema, or be sent with a part that does not. Upstream then
// cannot compare the objects, and removes the record of their owners.
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const SPEC = { a: { type: 'string' }, ip: { type: 'string', format: 'ipv4' } };
const STATUS = { conditions: { type: 'array', items: { type: 'string' } }, phase: { type: 'string' } };
const properties = { spec: { type: 'object', properties: SPEC }, status: { type: 'object', properties: STATUS } };
beforeAll(() => server.install(manifest({ root: { properties }, version: { subresources: { status: {} } } })));

const thing = (name: string, members: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: { a: 'x' },
  ...members,
});

async function send(method: string, path: string, body: object, type = 'application/json') {
  const query = type.includes('apply') ? 'fieldManager=m' : '';
  const { status, value } = await ask(server, { method, path, query, headers: { 'content-type': type }, body });
  return { status, message: value.message, owners: value.metadata?.managedFields, object: value };
}
const merge = (path: string, body: object) => send('PATCH', path, body, 'application/merge-patch+json');
const apply = (name: string) => send('PATCH', `${THINGS}/${name}`, thing(name), 'application/apply-patch+yaml');

it('removes the owners in a write of the status whose spec does not fit, although the spec is ignored', async () => {
  await send('POST', THINGS, thing('status'));
  const written = await merge(`${THINGS}/status/status`, { spec: { a: ['b'] }, status: { phase: 'Ready' } });
  expect(written).toMatchObject({ status: 200, owners: undefined, object: { spec: { a: 'x' } } });
  // An object without owners gets none by other writes than an apply.
  expect((await merge(`${THINGS}/status/status`, { status: { phase: 'Other' } })).owners).toBeUndefined();
});

it('records no owners of a new object whose ignored status does not fit', async () => {
  const created = await send('POST', THINGS, thing('created', { status: { conditions: 'none' } }));
  expect(created).toMatchObject({ status: 201, owners: undefined });
});

it('refuses to apply over an object that does not fit, until it is mended', async () => {
  // Validation accepts a list for a string with a format.
  expect(await send('POST', THINGS, thing('list', { spec: { ip: ['a'] } }))).toMatchObject({
    status: 201,
    owners: undefined,
  });
  expect(await apply('list')).toMatchObject({
    status: 500,
    message:
      'failed to create manager for existing fields: failed to convert new object ' +
      '(default/list; example.com/v1, Kind=Thing) to smd typed: .spec.ip: expected any scalar, got &{[a]}',
  });
  await merge(`${THINGS}/list`, { spec: { ip: null } });
  expect((await apply('list')).owners).toMatchObject([{ manager: 'm' }, { manager: 'before-first-apply' }]);
});

import { beforeAll, describe, expect, it } from 'vitest';
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

describe.each(['None', 'Webhook'])('objects that do not fit another version (%s)', (strategy) => {
  const plural = strategy.toLowerCase();
  const at = (version: string, name: string) => `/apis/example.com/${version}/namespaces/default/${plural}${name}`;
  const object = (version: string, name: string, spec: object) => ({
    apiVersion: `example.com/${version}`,
    kind: strategy,
    metadata: { name },
    spec,
  });
  const create = (version: string, name: string, spec: object) =>
    send('POST', at(version, ''), object(version, name, spec));

  beforeAll(async () => {
    const service = { name: `convert-${plural}`, namespace: 'default' };
    // The webhook changes only the version, as the strategy None does.
    server.services.set(`${service.namespace}/${service.name}`, async (request) => {
      const review = (await request.json()) as {
        request: { uid: string; desiredAPIVersion: string; objects: object[] };
      };
      const { uid, desiredAPIVersion: apiVersion, objects } = review.request;
      const convertedObjects = objects.map((each) => ({ ...each, apiVersion }));
      return Response.json({ ...review, response: { uid, result: { status: 'Success' }, convertedObjects } });
    });
    const version = (name: string, own: string) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { a: { type: 'string' }, [own]: { type: 'string' } } },
            status: { type: 'object', properties: { phase: { type: 'string' } } },
          },
        },
      },
    });
    const made = manifest({
      names: { plural, kind: strategy },
      versions: [version('v1', 'old'), version('v2', 'fresh')],
    });
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { service, caBundle: '' } };
    await server.install({
      ...made,
      spec: { ...made.spec, conversion: strategy === 'None' ? { strategy } : { strategy, webhook } },
    });
  });

  it('lose their owners in a write through the other version', async () => {
    await create('v1', 'patched', { a: 'x', old: 'o' });
    const patched = await merge(at('v2', '/patched'), { spec: { fresh: 'f' } });
    expect(patched).toMatchObject({ status: 200, owners: undefined });
    const { object: whole } = await create('v1', 'replaced', { a: 'x' });
    const replaced = await send('PUT', at('v2', '/replaced'), {
      ...object('v2', 'replaced', { fresh: 'f' }),
      metadata: whole.metadata,
    });
    expect(replaced).toMatchObject({ status: 200, owners: undefined });
  });

  it('keep their owners if the fields exist in both versions', async () => {
    await create('v1', 'kept', { a: 'x' });
    const { owners } = await merge(at('v2', '/kept'), { spec: { a: 'y' } });
    expect(owners).toMatchObject([{ apiVersion: 'example.com/v1' }, { apiVersion: 'example.com/v2' }]);
  });

  it('keep their owners in writes through their own version', async () => {
    await create('v1', 'own', { a: 'x' });
    expect((await merge(at('v1', '/own'), { spec: { old: 'o' } })).owners).toHaveLength(1);
  });
});

describe('objects that do not fit a schema that has changed', () => {
  const path = (name = '') => `/apis/example.com/v1/namespaces/default/narrows${name}`;
  const object = (name: string, spec: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Narrow',
    metadata: { name },
    spec,
  });
  const define = (type: string) =>
    server.install(
      manifest({ names: { plural: 'narrows', kind: 'Narrow' }, spec: { a: { type }, b: { type: 'string' } } }),
    );
  const applyTo = async (name: string, spec: object) => {
    const { status, value } = await ask(server, {
      method: 'PATCH',
      path: path(`/${name}`),
      query: 'fieldManager=m',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: object(name, spec),
    });
    return [status, value.message];
  };
  const live =
    'failed to create typed live object (default/owned; example.com/v1, Kind=Narrow): ' +
    '.spec.a: expected boolean, got &{x}';

  beforeAll(async () => {
    await define('string');
    await send('POST', path(), object('owned', { a: 'x' }));
    await send('POST', path(), object('written', { a: 'x' }));
    await send('POST', path(), object('free', { a: 'x' }));
    await merge(path('/free'), { metadata: { managedFields: [{}] } });
    await define('boolean');
  });

  it('refuse an apply, after its document has been checked', async () => {
    expect(await applyTo('owned', { b: 'y' })).toEqual([500, live]);
    expect(await applyTo('owned', { unknown: 1 })).toEqual([
      500,
      'failed to create typed patch object (/owned; example.com/v1, Kind=Narrow): .spec.unknown: field not declared in schema',
    ]);
  });

  it('refuse an apply before its document is checked if they have no owners', async () => {
    const why =
      'failed to create manager for existing fields: failed to convert new object ' +
      '(default/free; example.com/v1, Kind=Narrow) to smd typed: .spec.a: expected boolean, got &{x}';
    for (const spec of [{ b: 'y' }, { unknown: 1 }]) expect(await applyTo('free', spec)).toEqual([500, why]);
  });

  it('lose their owners in the write that mends them', async () => {
    const mended = await merge(path('/written'), { spec: { a: true } });
    expect(mended).toMatchObject({ status: 200, owners: undefined });
  });
});

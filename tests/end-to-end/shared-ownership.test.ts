import { beforeEach, describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { ask, requestsTo } from '../support/ask.js';
import { orchDefinitionOf } from '../support/definitions.js';
import { suiteServer } from '../support/servers.js';

// The owners of an object's fields, as clients of `orch` see them (spec 6.1 to 6.13, 19.3).
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const MAPS = '/api/v1/namespaces/default/configmaps';
const server = suiteServer({ dialect: 'orch', authentication: [tokenFile('janes,jane,1')] });
const { get, post, put, merge, apply, send } = requestsTo(server, {
  user: ADMIN,
  headers: { 'user-agent': 'client/1.0' },
});
let path: string;
let made = 0;

beforeEach(() => {
  path = `${MAPS}/m-${++made}`;
});
const applyData = (manager: string, data: object, { force = false, more = {} } = {}) =>
  apply(`${path}?fieldManager=${manager}${force ? '&force=true' : ''}`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: path.split('/').at(-1), ...more },
    data,
  });
interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: { readonly 'f:data'?: object };
}
/** Returns the owners of the members of the data. */
async function owners(): Promise<Record<string, string>> {
  const { managedFields = [] } = (await get(path)).value.metadata;
  return Object.fromEntries(
    managedFields.map(({ manager, operation, fieldsV1 }: Entry) => [
      `${manager} ${operation}`,
      Object.keys(fieldsV1['f:data'] ?? {})
        .filter((key) => key !== '.')
        .map((key) => key.slice(2))
        .join(),
    ]),
  );
}

describe('an entry of managedFields', () => {
  it('has a manager, an operation, a version, a time and a tree of fields', async () => {
    const { value } = await applyData('one', { a: '1' });
    expect(value.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ]);
    await merge(path, { data: { b: '2' } });
    expect(await owners()).toEqual({ 'one Apply': 'a', 'client Update': 'b' });
  });

  it('names the manager of the request, or the program of the user agent', async () => {
    await post(
      MAPS,
      { metadata: { name: path.split('/').at(-1) }, data: { a: '1' } },
      { headers: { 'user-agent': 'kubectl/v1 (linux)' } },
    );
    await merge(`${path}?fieldManager=named`, { data: { b: '1' } });
    expect(await owners()).toEqual({ 'kubectl Update': 'a', 'named Update': 'b' });
  });

  it('is refused in the body of an apply', async () => {
    const sent = await applyData('one', {}, { more: { managedFields: [{}] } });
    expect([sent.status, sent.message]).toEqual([400, 'metadata.managedFields must be nil']);
    // As in upstream, a list with an invalid item does not count as a reset; only its type is reported.
    const malformed = await applyData('one', {}, { more: { managedFields: [{}, 5] } });
    expect([malformed.status, malformed.message]).toEqual([
      500,
      expect.stringContaining('.metadata.managedFields[1]: expected map, got &{5}'),
    ]);
    expect((await applyData('', {})).status).toBe(422);
  });

  it('names the subresource that was written', async () => {
    const nodes = '/api/v1/nodes';
    await post(nodes, { metadata: { name: 'n', labels: { a: 'b' } } });
    const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    const { value } = await send('PATCH', `${nodes}/n/status`, status, {
      type: 'application/strategic-merge-patch+json',
    });
    expect(value.metadata.managedFields.map(({ subresource }: Entry) => subresource)).toEqual([undefined, 'status']);
    // An Eviction contains no fields of its pod.
    const pods = '/api/v1/namespaces/default/pods';
    await get('/api/v1/namespaces/default/serviceaccounts/default');
    const pod = await post(pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } });
    const bound = (await ask(server, { path: `${pods}/p` }, { user: ADMIN })).value;
    expect([pod.status, bound.spec.nodeName]).toEqual([201, 'n']);
    expect(JSON.stringify(bound.metadata.managedFields)).not.toContain('f:nodeName');
  });
});

describe('an apply', () => {
  it('conflicts if another manager has another value, unless it is forced', async () => {
    await applyData('one', { a: '1' });
    const refused = await applyData('two', { a: '2' });
    expect([refused.status, refused.value.reason]).toEqual([409, 'Conflict']);
    expect(refused.value.details.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' },
    ]);
    const forced = await applyData('two', { a: '2' }, { force: true });
    expect([forced.status, forced.value.data]).toEqual([200, { a: '2' }]);
    expect(await owners()).toEqual({ 'two Apply': 'a' });
  });

  it('shares a field whose value it repeats, and gives up a field that it leaves out', async () => {
    await applyData('one', { a: '1', b: '1' });
    expect((await applyData('two', { a: '1' })).status).toBe(200);
    expect(await owners()).toEqual({ 'one Apply': 'a,b', 'two Apply': 'a' });
    const left = await applyData('one', { b: '1' });
    expect(left.value.data).toEqual({ a: '1', b: '1' });
    expect(await owners()).toEqual({ 'one Apply': 'b', 'two Apply': 'a' });
  });

  it('deletes or defaults a field that it leaves out if the field has no other owner', async () => {
    await applyData('one', { a: '1', b: '1' });
    expect((await applyData('one', { b: '1' })).value.data).toEqual({ b: '1' });
    const services = '/api/v1/namespaces/default/services/s';
    const service = (type: object) =>
      apply(`${services}?fieldManager=one`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's' },
        spec: { ports: [{ port: 80 }], ...type },
      });
    expect((await service({ sessionAffinity: 'ClientIP' })).value.spec.sessionAffinity).toBe('ClientIP');
    expect((await service({})).value.spec.sessionAffinity).toBe('None');
  });

  it('has no conflict with a PUT, which takes over the fields that it changes', async () => {
    await applyData('one', { a: '1', b: '1' });
    const body = { metadata: { name: path.split('/').at(-1) }, data: { a: '2', b: '1' } };
    expect((await put(path, body)).status).toBe(200);
    expect(await owners()).toEqual({ 'one Apply': 'b', 'client Update': 'a' });
  });

  it('requires the permission to patch, and to create an absent object', async () => {
    const group = 'rbac.authorization.orch.io';
    const roles = `/apis/${group}/v1`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }];
    await post(`${roles}/clusterroles`, { metadata: { name: 'patch' }, rules });
    await post(`${roles}/clusterrolebindings`, {
      metadata: { name: 'patch' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'patch' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'jane' }],
    });
    const byJane = async () =>
      (
        await ask(server, {
          method: 'PATCH',
          path,
          query: 'fieldManager=m',
          headers: { authorization: 'Bearer janes', 'content-type': 'application/apply-patch+yaml' },
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: path.split('/').at(-1) } },
        })
      ).status;
    expect(await byJane()).toBe(403);
    await applyData('one', {});
    expect(await byJane()).toBe(200);
  });
});

describe('the ownership of an object', () => {
  it('is reset by a list with one empty entry, before the rest of the write; not by an empty list', async () => {
    await applyData('one', { a: '1' });
    await merge(path, { metadata: { managedFields: [] } });
    expect(await owners()).toEqual({ 'one Apply': 'a' });
    await merge(path, { metadata: { managedFields: [{}] } });
    expect(await owners()).toEqual({});
    await applyData('one', { a: '1' });
    await merge(path, { metadata: { managedFields: [{}] }, data: { b: '1' } });
    expect(await owners()).toEqual({ 'client Update': 'b' });
  });

  it('follows the markers of lists and maps', async () => {
    const { value } = await get('/openapi/v3/api/v1');
    const of = (kind: string, field: string) =>
      value.components.schemas[`io.orch.api.core.v1.${kind}`].properties[field];
    expect(of('PodSpec', 'containers')).toMatchObject({ 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['name'] });
    expect(of('Container', 'args')['x-orch-list-type']).toBe('atomic');
    expect(of('ServiceSpec', 'selector')['x-orch-map-type']).toBe('atomic');
    expect(
      value.components.schemas['io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta'].properties.finalizers,
    ).toMatchObject({ 'x-orch-list-type': 'set' });
  });
});

describe('a custom resource without markers in its schema', () => {
  it('has atomic lists', async () => {
    await server.install(
      orchDefinitionOf('things', 'Thing', { schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } }),
    );
    const thing = (manager: string, list: readonly number[]) =>
      apply(`/apis/example.com/v1/namespaces/default/things/t?fieldManager=${manager}`, {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 't' },
        spec: { list },
      });
    const { value } = await thing('one', [1, 2]);
    expect(value.metadata.managedFields[0].fieldsV1).toEqual({ 'f:spec': { '.': {}, 'f:list': {} } });
    expect((await thing('two', [1, 2, 3])).status).toBe(409);
  });
});

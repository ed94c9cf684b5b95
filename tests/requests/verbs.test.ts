import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { requestsTo } from '../support/ask.js';
import { allowing, suiteServer } from '../support/servers.js';

// Paths, verbs, names and the metadata of objects in `orch` (spec 1.3, 1.4, 2.4 to 2.6, 2.15, 3.4 to 3.7, 7.1, 12.1).
const MAPS = '/api/v1/namespaces/default/configmaps';
const ROLES = '/apis/rbac.authorization.orch.io/v1';
const server = suiteServer({
  dialect: 'orch',
  clock: createFakeClock('2030-01-01T00:00:00Z'),
  controllers: { mode: 'stepped' },
  authentication: [anonymous()],
  authorization: [
    allowing((attributes) => {
      asked = attributes;
      return everybodyMay;
    }),
  ],
});
const { get, post, put, merge, apply, remove, send } = requestsTo(server);
let asked: AuthorizationAttributes | undefined;
let everybodyMay = true;

const create = (name: string, metadata: object = {}) => post(MAPS, { metadata: { name, ...metadata } });

describe('a path', () => {
  /** Returns the authorized attributes of a request: verb, group, resource, subresource, namespace, name. */
  async function meaning(method: string, path: string, query = '') {
    everybodyMay = false;
    asked = undefined;
    await send(method, `${path}?${query}`);
    everybodyMay = true;
    const { resourceRequest, verb, group, resource, subresource, namespace, name } = asked ?? ({} as never);
    if (!resourceRequest) return verb;
    return `${verb} ${resource}${subresource && `/${subresource}`}.${group} ${namespace}/${name}`;
  }

  it.each([
    ['GET', '/api/v1/nodes/n', 'get nodes. /n'],
    ['GET', '/api/v1/namespaces', 'list namespaces. /'],
    ['GET', '/api/v1/namespaces/ns', 'get namespaces. ns/ns'],
    ['GET', '/api/v1/namespaces/ns/pods', 'list pods. ns/'],
    ['GET', '/api/v1/namespaces/ns/pods/p', 'get pods. ns/p'],
    ['HEAD', '/api/v1/namespaces/ns/pods/p', 'get pods. ns/p'],
    ['GET', '/api/v1/pods', 'list pods. /'],
    ['GET', '/api/v1/pods?watch=true', 'watch pods. /'],
    ['GET', '/api/v1/pods?watch=false', 'list pods. /'],
    ['GET', '/apis/apps/v1/namespaces/ns/deployments/d', 'get deployments.apps ns/d'],
    ['GET', `${ROLES}/clusterroles`, 'list clusterroles.rbac.authorization.orch.io /'],
    ['GET', `${ROLES}/clusterroles/r`, 'get clusterroles.rbac.authorization.orch.io /r'],
    ['POST', '/api/v1/namespaces/ns/pods', 'create pods. ns/'],
    ['PUT', '/api/v1/namespaces/ns/pods/p', 'update pods. ns/p'],
    ['PATCH', '/api/v1/namespaces/ns/pods/p', 'patch pods. ns/p'],
    ['DELETE', '/api/v1/namespaces/ns/pods/p', 'delete pods. ns/p'],
    ['DELETE', '/api/v1/namespaces/ns/pods', 'deletecollection pods. ns/'],
    ['PUT', '/api/v1/namespaces/ns/pods/p/status', 'update pods/status. ns/p'],
    ['POST', '/api/v1/namespaces/ns/pods/p/eviction', 'create pods/eviction. ns/p'],
    ['GET', '/livez', 'get'],
    ['HEAD', '/livez', 'head'],
    ['POST', '/metrics', 'post'],
  ])('%s %s is %s', async (method, target, expected) => {
    const [path = '', query] = target.split('?');
    expect(await meaning(method, path, query)).toBe(expected);
  });

  it('names one object: subresources of a collection, or writes of one, are not found', async () => {
    for (const path of ['/api/v1/pods/status', '/api/v1/namespaces/default/pods/status/x'])
      expect((await get(path)).status).toBe(404);
    expect((await put(MAPS, {})).status).toBe(405);
    expect((await merge(MAPS, {})).status).toBe(405);
    expect((await post('/api/v1/configmaps', {})).status).toBe(405);
  });

  it('of a kind that is not stored has no objects', async () => {
    const reviews = '/apis/authorization.orch.io/v1/subjectaccessreviews';
    const spec = { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } };
    const { status, value } = await post(reviews, { spec });
    expect([status, value.metadata.name, value.metadata.uid]).toEqual([201, undefined, undefined]);
    expect((await get(reviews)).status).toBe(405);
  });
});

describe('the verbs', () => {
  it('PUT updates an existing object; it creates a Lease, but not a ConfigMap', async () => {
    await create('put');
    expect((await put(`${MAPS}/put`, { metadata: { name: 'put' }, data: { a: '1' } })).status).toBe(200);
    expect((await put(`${MAPS}/none`, { metadata: { name: 'none' } })).status).toBe(404);
    const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases/l';
    const first = await put(leases, { metadata: { name: 'l' }, spec: {} });
    expect([first.status, (await put(leases, first.value)).status]).toEqual([201, 200]);
  });

  it('PATCH changes an existing object, and an apply creates one', async () => {
    expect((await merge(`${MAPS}/absent`, { data: {} })).status).toBe(404);
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent' } };
    expect((await apply(`${MAPS}/absent?fieldManager=m`, body)).status).toBe(201);
  });
});

describe('a name', () => {
  it('is unique for its kind and namespace, and free after its deletion', async () => {
    const first = await create('only');
    expect([first.status, (await create('only')).status]).toEqual([201, 409]);
    expect((await post('/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'only' } })).status).toBe(201);
    expect((await post('/api/v1/namespaces/default/secrets', { metadata: { name: 'only' } })).status).toBe(201);
    await remove(`${MAPS}/only`);
    const second = await create('only');
    expect(second.status).toBe(201);
    expect(second.value.metadata.uid).not.toBe(first.value.metadata.uid);
  });

  it('of a cluster-scoped object is unique for its kind', async () => {
    const namespace = { metadata: { name: 'one' } };
    const statuses = [await post('/api/v1/namespaces', namespace), await post('/api/v1/namespaces', namespace)];
    expect(statuses.map(({ status }) => status)).toEqual([201, 409]);
    expect(statuses[0]?.value.metadata.namespace).toBeUndefined();
  });

  it('is generated if a prefix is given', async () => {
    const made = new Set<string>();
    for (let i = 0; i < 3; i++)
      made.add((await post(MAPS, { metadata: { generateName: 'made-' } })).value.metadata.name);
    expect(made.size).toBe(3);
    for (const name of made) expect(name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });
});

describe('the metadata of an object', () => {
  it('is set by the server: uid, version and times are not those of the client', async () => {
    const lies = { uid: 'mine', creationTimestamp: '1999-01-01T00:00:00Z', deletionTimestamp: '1999-01-01T00:00:00Z' };
    const { value } = await create('owned', lies);
    expect(value.metadata).toMatchObject({
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      creationTimestamp: '2030-01-01T00:00:00Z',
      resourceVersion: expect.stringMatching(/^\d+$/),
      namespace: 'default',
    });
    expect(value.metadata.deletionTimestamp).toBeUndefined();
    const changed = await merge(`${MAPS}/owned`, { data: { a: '1' } });
    expect(changed.value.metadata.resourceVersion).not.toBe(value.metadata.resourceVersion);
  });

  it('has the group of the kind in its apiVersion, and none for the core group', async () => {
    expect((await create('typed')).value).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const role = await post(`${ROLES}/clusterroles`, { metadata: { name: 'typed' } });
    expect(role.value).toMatchObject({ apiVersion: 'rbac.authorization.orch.io/v1', kind: 'ClusterRole' });
    expect((await post(MAPS, { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 't' } })).status).toBe(400);
  });

  it('of a list names the kind of the list', async () => {
    const { value } = await get('/api/v1/namespaces/default/services');
    expect(Object.keys(value)).toEqual(['kind', 'apiVersion', 'metadata', 'items']);
    expect(value).toMatchObject({ kind: 'ServiceList', apiVersion: 'v1' });
    expect(JSON.stringify((await get('/api/v1')).value)).not.toContain('"kind":"List"');
  });
});

describe('a deletion', () => {
  it('waits for the finalizers, in any order', async () => {
    await create('held', { finalizers: ['example.com/a', 'example.com/b'] });
    const held = await remove(`${MAPS}/held`);
    expect(held.value.metadata).toMatchObject({
      deletionTimestamp: '2030-01-01T00:00:00Z',
      finalizers: ['example.com/a', 'example.com/b'],
    });
    const keep = (...finalizers: string[]) => merge(`${MAPS}/held`, { metadata: { finalizers } });
    expect((await keep('example.com/b', 'example.com/a')).value.metadata.finalizers).toEqual([
      'example.com/b',
      'example.com/a',
    ]);
    await keep('example.com/a');
    expect((await get(`${MAPS}/held`)).status).toBe(200);
    expect((await keep()).status).toBe(200);
    expect((await get(`${MAPS}/held`)).status).toBe(404);
  });

  it('of a namespace deletes all of its objects', async () => {
    await post('/api/v1/namespaces', { metadata: { name: 'going' } });
    const path = '/api/v1/namespaces/going/configmaps';
    await post(path, { metadata: { name: 'm' } });
    await remove('/api/v1/namespaces/going');
    await server.settle();
    expect([(await get(`${path}/m`)).status, (await get('/api/v1/namespaces/going')).status]).toEqual([404, 404]);
  });

  it('has a grace period and a propagation policy', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' };
    const pods = '/api/v1/namespaces/default/pods';
    await post(pods, { metadata: { name: 'p' }, spec });
    const { value } = await remove(`${pods}/p?gracePeriodSeconds=7`);
    expect(value.metadata.deletionGracePeriodSeconds).toBe(7);
    expect((await remove(`${pods}/p?gracePeriodSeconds=0`)).status).toBe(200);
    expect((await get(`${pods}/p`)).status).toBe(404);
    await create('orphaning');
    expect((await remove(`${MAPS}/orphaning?propagationPolicy=Never`)).status).toBe(422);
    const orphaned = await remove(`${MAPS}/orphaning?propagationPolicy=Orphan`);
    expect(orphaned.value.metadata.finalizers).toEqual(['orphan']);
  });
});

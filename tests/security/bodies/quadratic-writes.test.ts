import { beforeAll, describe, expect, it } from 'vitest';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { ask } from '../../support/ask.js';
import { suiteServer } from '../../support/servers.js';

/*
 * Single writes whose cost used to grow with the square of a list in them, which blocked all other requests for seconds to minutes. Each
 * is sent as an attacker would. The limit of CPU time is far above what it takes and far below what it took.
 */
const server = suiteServer({
  dialect: 'k8s',
  controllers: [],
  authentication: [tokenFile('t,admin,1,system:masters')],
});
beforeAll(async () => {
  await server.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
  ]);
});

const TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

/** Sends a request, and returns the milliseconds of CPU time that it took. */
async function send(method: string, path: string, body: object, type = 'application/json') {
  const before = process.cpuUsage();
  const headers = { authorization: 'Bearer t', 'content-type': type };
  const query = type === TYPES.apply ? 'fieldManager=me&force=true' : '';
  const { status, value } = await ask(server, { method, path, query, headers, body });
  const { user, system } = process.cpuUsage(before);
  return { status, value, cost: (user + system) / 1000 };
}
const patch = (kind: keyof typeof TYPES, path: string, body: object) => send('PATCH', path, body, TYPES[kind]);
const make = async (path: string, body: object) => expect((await send('POST', path, body)).status).toBe(201);
const count = (n: number) => Array.from({ length: n }, (_, i) => i);
const map = (name: string, more: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});
const members = (n: number, prefix: string) => Object.fromEntries(count(n).map((i) => [`${prefix}${i}`, 'v']));
const SECONDS = 3_000;

describe('managedFields of very many managers', () => {
  const entries = (n: number, more: (i: number) => object) =>
    count(n).map((i) => ({
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      time: '2024-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
      ...more(i),
    }));
  it.each([
    ['updates of one version', () => ({})],
    ['updates of versions that nobody serves', (i: number) => ({ apiVersion: `v${i + 2}` })],
    ['appliers', () => ({ operation: 'Apply' })],
  ])('%s: written by a patch, then applied against', async (what, more) => {
    const name = `managers-${what.length}`;
    await make(MAPS, map(name, { data: members(100, 'k') }));
    const sent = await patch('merge', `${MAPS}/${name}`, { metadata: { managedFields: entries(8_000, more) } });
    expect(sent).toMatchObject({ status: 200 });
    expect(sent.cost).toBeLessThan(SECONDS);
    const applied = await patch('apply', `${MAPS}/${name}`, map(name, { data: { k1: 'w' } }));
    expect(applied).toMatchObject({ status: 200 });
    expect(applied.cost).toBeLessThan(SECONDS);
  });
  it('updates are merged until ten are left, and no owned field is lost', async () => {
    await make(MAPS, map('joined', { data: members(100, 'k') }));
    const { value } = await patch('merge', `${MAPS}/joined`, {
      metadata: { managedFields: entries(100, () => ({})) },
    });
    const left = value.metadata.managedFields as { manager: string; fieldsV1: { 'f:data': object } }[];
    expect(left).toHaveLength(10);
    const owned = left.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1['f:data']));
    expect(new Set(owned)).toEqual(new Set(count(100).map((i) => `f:k${i}`)));
    expect(owned).toHaveLength(100);
  });
});

describe('long lists of a pod', () => {
  const pod = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false, ...spec },
  });
  const tolerations = (n: number) => count(n).map((i) => ({ key: `k${i}`, operator: 'Exists' }));
  const gates = (n: number) => count(n).map((i) => ({ name: `x.y/g${i}` }));
  it.each([
    ['scheduling gates', { schedulingGates: gates(10_000) }, { schedulingGates: gates(10_000).reverse() }],
    ['tolerations', { tolerations: tolerations(8_000) }, { tolerations: tolerations(8_000).reverse() }],
  ])('%s, reversed by an update', async (what, before, after) => {
    const name = `pod-${what.length}`;
    await make(PODS, pod(name, before));
    const { value } = await send('GET', `${PODS}/${name}`, {});
    const { cost } = await send('PUT', `${PODS}/${name}`, { ...value, spec: { ...value.spec, ...after } });
    expect(cost).toBeLessThan(SECONDS);
  });
  it('a strategic patch that names one large container again and again is refused', async () => {
    await make(
      PODS,
      pod('again', { containers: [{ name: 'c', image: 'i', env: count(5_000).map((i) => ({ name: `E${i}` })) }] }),
    );
    const containers = count(5_000).map((i) => ({ name: 'c', env: [{ name: 'E1', value: String(i) }] }));
    const { status, cost } = await patch('strategic', `${PODS}/again`, { spec: { containers } });
    expect(status).toBe(413);
    expect(cost).toBeLessThan(SECONDS);
  });
});

describe('long lists and maps of metadata', () => {
  const finalizers = (n: number, prefix: string) => count(n).map((i) => `x.y/${prefix}${i}`);
  it('finalizers of an object that is being deleted are all replaced', async () => {
    await make(MAPS, map('going', {}, { finalizers: finalizers(20_000, 'a') }));
    await send('DELETE', `${MAPS}/going`, {});
    const { status, cost } = await patch('merge', `${MAPS}/going`, {
      metadata: { finalizers: finalizers(20_000, 'b') },
    });
    expect(status).toBe(422);
    expect(cost).toBeLessThan(SECONDS);
  });
  it('finalizers are applied, then others by the same manager', async () => {
    await patch('apply', `${MAPS}/set`, map('set', {}, { finalizers: finalizers(15_000, 'a') }));
    const { value, cost } = await patch(
      'apply',
      `${MAPS}/set`,
      map('set', {}, { finalizers: finalizers(15_000, 'b') }),
    );
    expect(value.metadata.finalizers).toEqual(finalizers(15_000, 'b'));
    expect(cost).toBeLessThan(SECONDS);
  });
  it('a merge patch doubles the labels', async () => {
    await make(MAPS, map('labels', {}, { labels: members(30_000, 'a') }));
    const { status, cost } = await patch('merge', `${MAPS}/labels`, { metadata: { labels: members(30_000, 'b') } });
    expect(status).toBe(200);
    expect(cost).toBeLessThan(SECONDS);
  });
  it('owners that are all controllers are reported without repeating the list for each', async () => {
    const ownerReferences = count(3_000).map((i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      name: `p${i}`,
      uid: `u${i}`,
      controller: true,
    }));
    const { status, value, cost } = await send('POST', MAPS, map('owned', {}, { ownerReferences }));
    expect(status).toBe(422);
    expect(JSON.stringify(value).length).toBeLessThan(16_000_000);
    expect(cost).toBeLessThan(SECONDS);
  });
});

describe('JSON patches of a large document', () => {
  it('insertions and removals at the front of a list are limited by the number of elements that they shift', async () => {
    const list = count(200_000).map(() => 'x.y/z');
    await make(MAPS, map('list'));
    for (const shift of [
      { op: 'add', path: '/metadata/finalizers/0', value: 'x.y/z' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ]) {
      const operations = [{ op: 'add', path: '/metadata/finalizers', value: list }, ...count(5_000).map(() => shift)];
      const { status, cost } = await patch('json', `${MAPS}/list`, operations);
      expect(status).toBe(413);
      expect(cost).toBeLessThan(SECONDS);
    }
  });
  it('a large object is moved back and forth', async () => {
    await make(MAPS, map('moved', { data: members(30_000, 'k') }));
    const round = [
      { op: 'add', path: '/t', value: {} },
      { op: 'move', from: '/data', path: '/t' },
      { op: 'move', from: '/t', path: '/data' },
    ];
    const { status, cost } = await patch(
      'json',
      `${MAPS}/moved`,
      count(3_000).flatMap(() => round),
    );
    expect(status).toBe(200);
    expect(cost).toBeLessThan(SECONDS);
  });
});

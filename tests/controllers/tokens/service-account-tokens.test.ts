import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { isNotFound } from '../../../src/meta/api-error.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import type { Secret } from '../../../src/resources/core/core-v1.types.js';
import { configMap, secret, serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.js';
import { readToken } from '../../../src/tokens/compact-token.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

const DAY = 86_400_000;
const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID = 'kubernetes.io/legacy-token-invalid-since';
const where = { namespace: 'default' };

let clock: FakeClock;
let server: ApiServer;
let uid: string;
beforeEach(async () => {
  clock = createFakeClock('2026-01-10T12:00:00Z');
  server = await startServer({
    dialect: 'k8s',
    controllers: { mode: 'stepped' },
    clock,
    serviceAccountTokens: { secretCleanUpPeriod: 30 * DAY },
  });
  uid = (await server.client().create(serviceAccount, { metadata: { name: 'app' } }, where)).metadata.uid ?? '';
});
afterEach(() => server.close());

const make = async (
  name: string,
  annotations: Record<string, string> = { [NAME]: 'app' },
  data: Record<string, string> = {},
) => {
  await server.client().create(secret, { metadata: { name, annotations }, type: TYPE, data }, where);
  await server.settle();
};
const find = (name: string): Promise<Secret | undefined> =>
  server
    .client()
    .get(secret, name, where)
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
const managersOf = (object?: ApiObject) => object?.metadata.managedFields?.map(({ manager }) => manager);
const text = async (name: string, key: string) => atob((await find(name))?.data?.[key] ?? '');
const status = async (token: string) =>
  (
    await fetchFrom(server, '/api/v1/namespaces/default/secrets/none', {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

describe('a Secret for a token of a ServiceAccount', () => {
  it('is filled, and its token authenticates', async () => {
    await make('tok');
    const { metadata, data = {} } = (await find('tok')) ?? {};
    expect(metadata?.annotations).toEqual({ [NAME]: 'app', [UID]: uid });
    expect(Object.keys(data).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    expect(await text('tok', 'namespace')).toBe('default');
    expect(await text('tok', 'ca.crt')).toBe((await server.certificateAuthority()).certificate);
    const token = await text('tok', 'token');
    expect(readToken(token)?.claims).toEqual({
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:app',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'tok',
      'kubernetes.io/serviceaccount/service-account.name': 'app',
      'kubernetes.io/serviceaccount/service-account.uid': uid,
    });
    expect(await status(token)).toBe(403); // The user is authenticated, but has no permissions.
  });
  it('has its CA restored, and keeps its other data', async () => {
    await make('tok', { [NAME]: 'app' }, { mine: 'eA==' });
    const before = await text('tok', 'token');
    await server.client().patch(secret, 'tok', { data: { 'ca.crt': 'eA==', namespace: null } }, where);
    await server.settle();
    expect(await text('tok', 'ca.crt')).toContain('BEGIN CERTIFICATE');
    expect([await text('tok', 'namespace'), await text('tok', 'mine'), await text('tok', 'token')]).toEqual([
      'default',
      'x',
      before,
    ]);
  });
  it.each([
    ['an account that does not exist', { [NAME]: 'nobody' }],
    ['an account with another uid', { [NAME]: 'app', [UID]: 'other' }],
  ])('is deleted if it is for %s', async (_name, annotations) => {
    await make('lost', annotations);
    expect(await find('lost')).toBeUndefined();
  });
  it('is deleted with its account, even if an account of the same name is created', async () => {
    await make('tok');
    const token = await text('tok', 'token');
    await server.client().delete(serviceAccount, 'app', where);
    await server.client().create(serviceAccount, { metadata: { name: 'app' } }, where);
    await server.settle();
    expect(await find('tok')).toBeUndefined();
    clock.advance(11_000); // An accepted token is cached for ten seconds.
    expect(await status(token)).toBe(401);
  });
  it("is removed from the account's list when it is deleted", async () => {
    await make('tok');
    await server.client().patch(serviceAccount, 'app', { secrets: [{ name: 'tok' }, { name: 'other' }] }, where);
    await server.client().delete(secret, 'tok', where);
    await server.settle();
    expect((await server.client().get(serviceAccount, 'app', where)).secrets).toEqual([{ name: 'other' }]);
  });
});

describe('the last use of such tokens', () => {
  const label = async (name: string) => (await find('tok'))?.metadata.labels?.[name];
  it('is recorded once a day', async () => {
    await make('tok');
    const token = await text('tok', 'token');
    expect(await label(LAST_USED)).toBeUndefined();
    await status(token);
    await server.settle();
    expect(await label(LAST_USED)).toBe('2026-01-10');
    const version = (await find('tok'))?.metadata.resourceVersion;
    clock.advance(60_000);
    await status(token);
    await server.settle();
    expect((await find('tok'))?.metadata.resourceVersion).toBe(version);
    clock.advance(DAY);
    await status(token);
    await server.settle();
    expect(await label(LAST_USED)).toBe('2026-01-11');
    // The API server records the use, not the controllers.
    expect(managersOf(await find('tok'))).toContain('kube-apiserver');
  });
  it('is recorded since a day that the server stores', async () => {
    const map = await server
      .client()
      .get(configMap, 'kube-apiserver-legacy-service-account-token-tracking', { namespace: 'kube-system' });
    expect(map.data).toEqual({ since: '2026-01-10' });
    expect(managersOf(map)).toEqual(['kube-apiserver']);
  });
  it('keeps a readable date, and is recorded again half an hour after it was set', async () => {
    const name = 'kube-apiserver-legacy-service-account-token-tracking';
    const at = { namespace: 'kube-system' };
    const kept = () =>
      server
        .client()
        .get(configMap, name, at)
        .then(({ data }) => data?.['since']);
    clock.advance(DAY);
    for (const [since, then] of [
      ['2026-01-02', '2026-01-02'],
      ['2026/01/02', '2026-01-11'],
      ['2026-02-30', '2026-01-11'],
      ['2026', '2026-01-11'],
    ] as const) {
      await server.client().patch(configMap, name, { data: { since } }, at);
      await server.settle();
      expect([since, await kept()]).toEqual([since, then]);
    }
    const remove = async () => {
      await server.client().delete(configMap, name, at);
      await server.settle();
    };
    await remove();
    expect(await kept()).toBe('2026-01-11');
    await remove();
    await expect(kept()).rejects.toSatisfy(isNotFound);
    clock.advance(DAY / 48);
    await server.settle();
    expect(await kept()).toBe('2026-01-11');
  });
  it('decides about automatic tokens: unused ones are marked, then deleted; used ones are kept, and so are manually created ones', async () => {
    for (const name of ['tok', 'used', 'own']) await make(name);
    await server.client().patch(serviceAccount, 'app', { secrets: [{ name: 'tok' }, { name: 'used' }] }, where);
    const [token, used] = [await text('tok', 'token'), await text('used', 'token')];
    const days = async (count: number) => {
      for (let day = 0; day < count; day++) {
        clock.advance(DAY);
        await status(used);
        await server.settle();
      }
    };
    await days(29);
    expect(await label(INVALID)).toBeUndefined();
    await days(3);
    expect(await label(INVALID)).toMatch(/^2026-02-1\d$/);
    expect(await status(token)).toBe(401);
    expect((await find('used'))?.metadata.labels?.[INVALID]).toBeUndefined();
    // The refused use counts as well: the token is kept until it was unused for that long again.
    await server.settle();
    await server.client().patch(secret, 'tok', { metadata: { labels: { [LAST_USED]: '2026-01-11' } } }, where);
    await days(31);
    expect(await find('tok')).toBeUndefined();
    expect(await find('used')).toBeDefined();
    expect(await find('own')).toBeDefined();
  });
  it('keeps an automatic token if it cannot be parsed', async () => {
    await make('tok');
    await server.client().update(serviceAccount, 'app', (draft) => void (draft.secrets = [{ name: 'tok' }]), where);
    await server.client().patch(secret, 'tok', { metadata: { labels: { [LAST_USED]: '2026' } } }, where);
    for (let day = 0; day < 40; day++) {
      clock.advance(DAY);
      await server.settle();
    }
    expect((await find('tok'))?.metadata.labels?.[INVALID]).toBeUndefined();
  });
});

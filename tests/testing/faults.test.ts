import * as k8s from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { ApiServer, apiError, configMap, isConflict, isExpired, isNotFound, namespace } from '../../src/index.js';
import { createFakeClock, type FaultyServer, injectFaults, waitFor, waitForDeletion } from '../../src/testing/index.js';

const where = { namespace: 'default' };
const made = (name: string) => ({ metadata: { name }, data: { n: '1' } });

describe('faults on demand', () => {
  let server: ApiServer;
  let faults: FaultyServer;
  const clock = createFakeClock();
  beforeEach(async () => {
    server = new ApiServer({ dialect: 'k8s' });
    await server.start();
    faults = injectFaults(server, { clock });
  });
  afterEach(async () => {
    faults.clear();
    await server.close();
  });
  const stored = async () =>
    (await server.client().list(configMap, where)).items
      .map(({ metadata }) => metadata.name)
      .filter((n) => n !== 'kube-root-ca.crt');

  it('refuse as many requests as they are told to, and no others', async () => {
    const client = await faults.client();
    const fault = faults.refuse({ verb: 'create', resource: 'configmaps' }, ({ group, resource, name }) =>
      apiError.conflict({ group, resource }, name, 'somebody else was faster'),
    );
    await expect(client.create(configMap, made('a'), where)).rejects.toSatisfy(isConflict);
    await client.create(configMap, made('a'), where);
    expect(await stored()).toEqual(['a']);
    expect(fault.hits).toBe(1);
  });

  it('are met by the clients behind them only', async () => {
    faults.refuse({}, apiError.internal('out of order'), { times: Number.POSITIVE_INFINITY });
    await expect((await faults.client()).list(namespace)).rejects.toMatchObject({ code: 500 });
    expect((await server.client().list(namespace)).items).toHaveLength(4);
    faults.clear();
    expect((await (await faults.client()).list(namespace)).items).toHaveLength(4);
  });

  it('tell clients to come back later', async () => {
    const client = await faults.client();
    faults.refuse({ verb: 'list' }, apiError.tooManyRequests('slow down', 7));
    const listing = client.list(namespace);
    await expect.poll(() => clock.pendingTimers).toBe(1);
    clock.advance(7_000);
    expect((await listing).items).toHaveLength(4);
  });

  it('choose by name, by part of an object, by who asks, and by a function', async () => {
    const one = await faults.client({ userAgent: 'one' });
    const other = await faults.client({ userAgent: 'other' });
    await one.create(configMap, made('a'), where);
    faults.refuse({ userAgent: 'one', name: ['a', 'b'] }, apiError.internal('x'));
    await other.get(configMap, 'a', where);
    await expect(one.get(configMap, 'a', where)).rejects.toMatchObject({ code: 500 });
    const parts = faults.refuse(({ resource }) => resource === 'namespaces/status', apiError.internal('x'));
    await one.get(namespace, 'default');
    await expect(one.get(namespace, 'default', { subresource: 'status' })).rejects.toMatchObject({ code: 500 });
    expect(parts.hits).toBe(1);
    expect(() => faults.delay({}, 5, { times: 0 })).toThrow('times must be above 0');
  });

  it('hold requests until they are let on', async () => {
    const client = await faults.client();
    const hold = faults.hold({ verb: 'create' });
    const creating = client.create(configMap, made('late'), where);
    await hold.arrived();
    expect(await stored()).toEqual([]);
    hold.release();
    await creating;
    expect(await stored()).toEqual(['late']);
    expect(hold.hits).toBe(1);
  });

  it('delay by their clock', async () => {
    const client = await faults.client();
    faults.delay({ verb: 'create' }, 60_000);
    const creating = client.create(configMap, made('late'), where);
    await expect.poll(() => clock.pendingTimers).toBe(1);
    expect(await stored()).toEqual([]);
    clock.advance(60_000);
    await creating;
    expect(await stored()).toEqual(['late']);
  });

  it('lose an answer after the deed, or the request before it', async () => {
    const client = await faults.client();
    faults.lose({ verb: 'create' });
    await expect(client.create(configMap, made('done'), where)).rejects.toThrow('Post "https://server');
    expect(await stored()).toEqual(['done']);
    faults.lose({ verb: 'create' }, 'request');
    await expect(client.create(configMap, made('undone'), where)).rejects.toThrow('the connection was lost');
    expect(await stored()).toEqual(['done']);
  });

  it('end watches: those that time out or are lost go on where they were', async () => {
    const client = await faults.client();
    const watch = await client.watch(configMap, { ...where, resourceVersion: '0' }).opened();
    expect(faults.openWatches({ resource: 'configmaps' })).toMatchObject([{ verb: 'watch', namespace: 'default' }]);
    const seen: (string | undefined)[] = [];
    const following = (async () => {
      for await (const { object } of watch) if (seen.push(object.metadata.name) === 4) return;
    })();
    await server.client().create(configMap, made('a'), where);
    await expect.poll(() => seen).toContain('a');
    for (const [i, how] of (['timeout', 'lost'] as const).entries()) {
      expect(faults.endWatches({}, how)).toBe(1);
      await server.client().create(configMap, made(`b${i}`), where);
      await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0);
      clock.advance(2_000);
      await expect.poll(() => seen).toContain(`b${i}`);
    }
    await following;
    expect(seen).toEqual(['kube-root-ca.crt', 'a', 'b0', 'b1']);
  });

  it('end watches as too old: their client has to list anew', async () => {
    const watch = (await faults.client()).watch(configMap, { ...where, resourceVersion: '0' });
    const following = (async () => {
      for await (const _event of watch);
    })();
    await expect.poll(() => faults.endWatches({}, 'expired')).toBe(1);
    await expect(following).rejects.toSatisfy(isExpired);
    expect(faults.openWatches()).toEqual([]);
  });

  it('reach clients over HTTPS: an informer of another package survives them', async () => {
    const listener = await listen(faults);
    const config = new k8s.KubeConfig();
    config.loadFromString(await listener.kubeconfig());
    const core = config.makeApiClient(k8s.CoreV1Api);
    const informer = k8s.makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
      core.listNamespacedConfigMap(where),
    );
    const failures: unknown[] = [];
    informer.on('error', (error: unknown) => {
      failures.push(error);
      void informer.start();
    });
    await informer.start();
    const names = () => informer.list('default').map(({ metadata }) => metadata?.name);
    try {
      for (const [i, how] of (['timeout', 'lost', 'expired'] as const).entries()) {
        await expect.poll(() => faults.endWatches({ resource: 'configmaps' }, how)).toBe(1);
        await server.client().create(configMap, made(`c${i}`), where);
        await expect.poll(names).toContain(`c${i}`);
      }
      faults.lose({ verb: 'get' });
      await expect(core.readNamespacedConfigMap({ ...where, name: 'c0' })).rejects.toThrow();
      expect((await core.readNamespacedConfigMap({ ...where, name: 'c0' })).data).toEqual({ n: '1' });
    } finally {
      await informer.stop();
      await listener.close();
    }
  });
});

describe('waiting', () => {
  it('resolves with the version that is as wanted, and says what there was otherwise', async () => {
    await using server = new ApiServer();
    await server.start();
    const client = server.client();
    const waiting = waitFor(client, configMap, 'a', ({ data }) => data?.['n'] === '2', where);
    await client.create(configMap, made('a'), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
    expect((await waiting).data).toEqual({ n: '2' });
    const never = waitFor(client, configMap, 'a', ({ data }) => data?.['n'] === '3', { ...where, timeout: 50 });
    await expect(never).rejects.toThrow(/waited 50 ms for configmaps "a", which is .*"n":"2"/);
    await expect(waitFor(client, configMap, 'b', () => true, { ...where, timeout: 50 })).rejects.toThrow(
      'which is not there',
    );
    const gone = waitForDeletion(client, configMap, 'a', where);
    await client.delete(configMap, 'a', where);
    await gone;
    await expect(client.get(configMap, 'a', where)).rejects.toSatisfy(isNotFound);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, isAlreadyExists } from '../../../src/index.js';
import type { FakeClock, Faults } from '../../../src/testing/index.js';
import { made, startFaulty, where } from './start-faulty.js';

let server: ApiServer;
let faults: Faults;
let clock: FakeClock;

beforeEach(async () => {
  ({ server, faults, clock } = await startFaulty());
});
afterEach(() => server.close());

const stored = async () => (await faults.observer().list(configMap, where)).items.map(({ metadata }) => metadata.name);

describe('a request with a fault', () => {
  it("returns an error with upstream's message", async () => {
    const client = server.client();
    const existing = await client.create(configMap, made('a'), where);
    faults.on({ verb: 'update' }).conflict();
    await expect(client.replace(configMap, existing, where)).rejects.toThrow(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes',
    );
    faults.on({ verb: 'create' }).conflict();
    await expect(client.create(configMap, made('b'), where)).rejects.toSatisfy(isAlreadyExists);
    const answers: Record<number, object> = {};
    for (const status of [401, 403, 404, 410, 429, 500, 503, 504] as const) {
      faults.on({ verb: 'get' }).answer(status, status === 503 ? { retryAfter: 7, message: 'later' } : {});
      await client.get(configMap, 'a', where).catch((error: unknown) => {
        const { code, reason, details } = error as { code: number; reason: string; details?: object };
        answers[status] = [code, reason, details];
      });
    }
    expect(answers).toEqual({
      401: [401, 'Unauthorized', undefined],
      403: [403, 'Forbidden', { kind: 'configmaps', name: 'a' }],
      404: [404, 'NotFound', { kind: 'configmaps', name: 'a' }],
      410: [410, 'Expired', undefined],
      429: [429, 'TooManyRequests', { retryAfterSeconds: 1 }],
      500: [500, 'InternalError', { causes: [{ message: 'a test lets the server fail' }] }],
      503: [503, 'ServiceUnavailable', { retryAfterSeconds: 7 }],
      504: [504, 'Timeout', {}],
    });
  });

  it('is delayed by the clock of the server, beyond its timeout', async () => {
    faults.on({ verb: 'create' }).delay(120_000);
    const creating = server.client().create(configMap, made('late'), where);
    const timers = clock.pendingTimers;
    expect(await stored()).toEqual([]);
    clock.advance(119_999);
    expect(await stored()).toEqual([]);
    clock.advance(1);
    await creating;
    expect(await stored()).toEqual(['late']);
    expect(timers).toBeGreaterThan(0);
  });

  it('is held until the fault ends, or its client aborts', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    const creating = server.client().create(configMap, made('late'), where);
    const given = new AbortController();
    const abandoned = server.client().create(configMap, made('never'), { ...where, signal: given.signal });
    await hold.arrived({ timeout: 60_000 });
    given.abort();
    await expect(abandoned).rejects.toThrow('aborted');
    expect(await stored()).toEqual([]);
    hold.end();
    await creating;
    expect(await stored()).toEqual(['late']);
    expect(hold.fired).toBe(2);
  });

  it('is lost before its execution, or its response after it', async () => {
    const client = server.client();
    faults.on({ verb: 'create' }).loseAnswer();
    await expect(client.create(configMap, made('done'), where)).rejects.toThrow(
      'Post "/api/v1/namespaces/default/configmaps": the connection was lost',
    );
    expect(await stored()).toEqual(['done']);
    faults.on({ verb: 'create' }).loseAnswer();
    await expect(client.create(configMap, made('done'), where)).rejects.toThrow('the connection was lost');
    faults.on({ verb: 'create' }).refuse();
    await expect(client.create(configMap, made('undone'), where)).rejects.toThrow('the connection was lost');
    faults.on({ verb: 'create' }).cut(10);
    await expect(client.create(configMap, made('cut'), where)).rejects.toThrow('the connection was lost');
    expect(await stored()).toEqual(['cut', 'done']);
  });

  it('meets faults in the order in which they were set up', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    faults.on({ verb: 'create' }).conflict();
    const later = faults.on({ verb: 'create' }, { optional: true }).refuse();
    const creating = server.client().create(configMap, made('a'), where);
    await hold.arrived({ timeout: 60_000 });
    hold.end();
    await expect(creating).rejects.toSatisfy(isAlreadyExists);
    expect(later.fired).toBe(0);
  });

  it('that is held does not delay the shutdown of the server', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    const creating = server.client().create(configMap, made('a'), where);
    await hold.arrived({ timeout: 60_000 });
    await server.close();
    await creating;
  });

  it('that is delayed passes when the fault ends, and does not delay the shutdown either', async () => {
    const first = faults.on({ verb: 'create' }).delay(120_000);
    const creating = server.client().create(configMap, made('a'), where);
    await first.arrived({ timeout: 60_000 });
    first.end();
    await creating;
    expect(clock.timers().map(({ name }) => name)).not.toContain('delay of a fault');
    const second = faults.on({ verb: 'create' }).delay(120_000);
    const last = server.client().create(configMap, made('b'), where);
    await second.arrived({ timeout: 60_000 });
    await server.close();
    await last;
  });
});

describe('the storage with a fault', () => {
  it('fails for writes and reads of the newest state; older versions can be read', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const fails = faults.on({ userAgent: 'client' }, { times: 'always' }).failStorage();
    const failure = { code: 500, message: 'etcdserver: request timed out' };
    await expect(client.create(configMap, made('b'), where)).rejects.toMatchObject(failure);
    await expect(client.get(configMap, 'a', where)).rejects.toMatchObject(failure);
    await expect(client.list(configMap, where)).rejects.toMatchObject(failure);
    await client.get(configMap, 'a', { ...where, resourceVersion: '0' });
    expect(await stored()).toEqual(['a']);
    expect(fails.fired).toBe(3);
    fails.end();
    await client.create(configMap, made('b'), where);
  });

  it('can be full: deletions succeed, and do not count as an effect', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const full = faults.on({ userAgent: 'client' }, { times: 'always' }).failStorage('full');
    await client.delete(configMap, 'a', where);
    expect(await stored()).toEqual([]);
    expect(full.fired).toBe(0);
    expect(() => faults.verify()).toThrow();
    const failure = { code: 500, message: 'etcdserver: mvcc: database space exceeded' };
    await expect(client.create(configMap, made('b'), where)).rejects.toMatchObject(failure);
    expect(full.fired).toBe(1);
    faults.verify();
  });
});

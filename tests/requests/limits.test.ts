import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { ask, fetchFrom, send } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;

/** A plug-in with a side effect, so that dry runs are refused. */
const effective: AdmissionPluginFactory = () => ({
  name: 'effective',
  sideEffects: true,
  handles: ({ name }) => name === 'effective',
  validate: () => {},
});

describe.each(['orch', 'k8s'] as const)('limits of requests in %s (spec 18.1, 18.3)', (dialect) => {
  let server: ApiServer;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFakeClock();
    server = await openServer({ dialect, clock, admission: (defaults) => [...defaults, effective] });
  });
  afterAll(() => server.close());
  const create = (name: string, more: object) => {
    const { metadata = {}, ...rest } = more as { metadata?: object };
    return ask(server, { method: 'POST', path: MAPS, body: { metadata: { name, ...metadata }, ...rest } });
  };

  it('a body has at most 3 MiB', async () => {
    const padded = (size: number) => JSON.stringify({ kind: 'ConfigMap' }).padEnd(size, ' ');
    const post = async (size: number) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetchFrom(server, MAPS, { method: 'POST', headers, body: padded(size) });
      return { status: response.status, message: (await response.json()).message };
    };
    expect((await post(3 * MIB)).status).not.toBe(413);
    expect(await post(3 * MIB + 1)).toEqual({
      status: 413,
      message: 'Request entity too large: limit is 3145728',
    });
  });

  it('annotations have at most 262,144 bytes', async () => {
    const annotated = (bytes: number) => ({ metadata: { annotations: { a: 'v'.repeat(bytes - 1) } } });
    expect((await create('just', annotated(262_144))).status).toBe(201);
    expect(await create('beyond', annotated(262_145))).toMatchObject({
      status: 422,
      message: 'ConfigMap "beyond" is invalid: metadata.annotations: Too long: must have at most 262144 bytes',
    });
  });

  it('a ConfigMap has at most 1 MiB of data', async () => {
    expect((await create('full', { data: { a: 'v'.repeat(MIB) } })).status).toBe(201);
    expect(await create('overfull', { data: { a: 'v'.repeat(MIB + 1) } })).toMatchObject({
      status: 422,
      message: expect.stringContaining('must have at most 1048576 bytes'),
    });
  });

  it('a JSON patch has at most 10,000 operations', async () => {
    await create('patched', { data: { a: '1' } });
    const patch = (count: number) =>
      ask(server, {
        method: 'PATCH',
        path: `${MAPS}/patched`,
        headers: { 'content-type': 'application/json-patch+json' },
        body: Array(count).fill({ op: 'test', path: '/data/a', value: '1' }),
      });
    expect((await patch(10_000)).status).toBe(200);
    expect(await patch(10_001)).toMatchObject({
      status: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  it.each([
    [2999, false],
    [3000, true],
  ])('a future version is waited for 3 s: after %i ms, a response is %j', async (milliseconds, isAnswered) => {
    let answered = false;
    const answer = send(server, { path: `${MAPS}/none`, query: 'resourceVersion=99999999' }).then((response) => {
      answered = true;
      return response;
    });
    const before = clock.pendingTimers;
    await expect.poll(() => clock.pendingTimers >= before).toBe(true);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    clock.advance(milliseconds);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(answered).toBe(isAnswered);
    clock.advance(1);
    const { status, headers } = await answer;
    expect([status, headers['Retry-After'] ?? headers['retry-after']]).toEqual([504, '1']);
  });

  it('a dry run that would have side effects is refused (spec 3.11)', async () => {
    const body = { metadata: { name: 'effective' } };
    const post = (query: string) => ask(server, { method: 'POST', path: MAPS, query, body });
    expect(await post('dryRun=All')).toMatchObject({
      status: 400,
      message: expect.stringContaining('admission plugin "effective" does not support dry run'),
    });
    expect((await post('')).status).toBe(201);
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiServer, configMap } from '../../../src/index.js';
import { systemClock } from '../../../src/meta/clock.js';
import { k8s } from '../../../src/meta/dialect.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { serveResource } from '../../../src/registry/served/served-resource.js';
import { nonResourceInfo } from '../../../src/requests/request-info.js';
import { Ledger } from '../../../src/testing/evidence/ledger.js';
import { createFakeClock, type FakeClock, injectFaults, recordRequests } from '../../../src/testing/index.js';
import { propertyRuns } from '../../support/property-runs.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const START = '2030-01-01T00:00:00Z';

let server: ApiServer;
let clock: FakeClock;
beforeEach(async () => {
  clock = createFakeClock(START);
  server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped' },
    certificates: { root: false },
  });
  await server.settle();
});
afterEach(() => server.close());

it('has every member of plain reads, whether they are read at once or after many others', async () => {
  const [one, other] = ['one', 'other'].map((userAgent) => server.client({ userAgent }));
  const user = { username: 'jane', groups: ['system:masters'] };
  const made = await server.client().create(configMap, { metadata: { name: 'a' } }, where);
  await server.client().create(configMap, { metadata: { name: 'b' } }, where);
  using requests = recordRequests(server, { limit: 1000 });
  for (let i = 0; i < 1200; i++) {
    clock.advance(1);
    if (i % 3 === 0) await one?.get(configMap, 'a', where);
    else if (i % 3 === 1) await other?.get(configMap, 'b', { ...where, resourceVersion: '0' });
    else await server.fetch(new Request('https://server/api/v1/namespaces/default/configmaps/a'), { user });
  }
  const all = [...requests];
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, i) => 201 + i));
  for (const request of all) {
    const i = request.number - 1;
    const path = `/api/v1/namespaces/default/configmaps/${i % 3 === 1 ? 'b' : 'a'}`;
    expect(request).toMatchObject({
      path,
      query: i % 3 === 1 ? 'resourceVersion=0' : '',
      userAgent: ['one', 'other', ''][i % 3],
      user: { username: i % 3 === 2 ? 'jane' : 'system:apiserver' },
      time: Date.parse(START) + i + 1,
      duration: 0,
      verb: 'get',
      status: 200,
      authorization: { decision: 'Allow' },
      changes: [],
    });
    if (i % 3 === 0) expect(request.answer).toBe(made);
    expect(requests.get(request.number)).toBe(request);
  }
  const { bytes } = requests;
  expect(bytes).toBeGreaterThan(1000 * 600);
  requests.clear();
  expect(requests.bytes).toBe(0);
});

it('keeps a request that a test holds, although the log has dropped it', async () => {
  await server.client().create(configMap, { metadata: { name: 'a' } }, where);
  using requests = recordRequests(server, { limit: 10 });
  await server.client().get(configMap, 'a', where);
  const first = requests.get(1);
  for (let i = 0; i < 600; i++) await server.client().get(configMap, 'a', where);
  for (const number of [1, 0, 602, 595.5, Number.NaN]) expect(requests.get(number)).toBeUndefined();
  expect(first).toMatchObject({ number: 1, name: 'a', status: 200, answer: { metadata: { name: 'a' } } });
});

it('completes a request that is read while it is in flight', async () => {
  await server.client().create(configMap, { metadata: { name: 'a' } }, where);
  using requests = recordRequests(server);
  using faults = injectFaults(server);
  const hold = faults.on({ verb: 'get' }).hold();
  const reading = server.client().get(configMap, 'a', where);
  await hold.arrived();
  const [request] = requests;
  expect(request).toMatchObject({ status: undefined, duration: undefined });
  clock.advance(7);
  hold.end();
  await reading;
  expect(request).toMatchObject({ status: 200, answer: { metadata: { name: 'a' } } });
  expect(requests.get(1)).toBe(request);
});

it('has the failure of a response that was recorded as a success, and could not be encoded', () => {
  const ledger = new Ledger(systemClock, { limit: 10, maxBytes: 1e6, own: false });
  const observer = observe(ledger, '/api');
  observer?.answered({ type: 'document', document: {} });
  observer?.failed(new Error('it cannot be encoded'));
  expect(ledger.get(1)).toMatchObject({
    path: '/api',
    status: 500,
    details: { failure: { message: 'it cannot be encoded' } },
  });
});

it('keeps the newest requests in order, in whatever order they are answered', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const resource = serveResource(configMap, k8s);
  /** Each step answers an open request, or opens one where there is none. */
  const steps = fc.array(fc.record({ opens: fc.boolean(), which: fc.nat(), fails: fc.boolean() }), {
    minLength: 600,
    maxLength: 900,
  });
  const property = fc.property(steps, fc.constantFrom(1, 2, 256, 257), (all, limit) => {
    const ledger = new Ledger(systemClock, { limit, maxBytes: 1e9, own: false });
    const open: ReturnType<Ledger['observe']>[] = [];
    for (const { opens, which, fails } of all) {
      if (opens || open.length === 0) open.push(observe(ledger, `/${ledger.newest + 1}`));
      else {
        const [observer] = open.splice(which % open.length, 1);
        if (fails) observer?.failed(new Error('refused'));
        else observer?.answered({ type: 'object', status: 200, object, resource });
      }
      const { newest, size } = ledger;
      expect(ledger.get(newest - size)).toBeUndefined();
      for (const number of [newest, newest - size + 1])
        expect(ledger.get(number)).toMatchObject({ path: `/${number}` });
    }
    const { newest, size } = ledger;
    expect(ledger.all().map(({ path }) => path)).toEqual(
      Array.from({ length: Math.min(limit, newest) }, (_, i) => `/${newest - size + 1 + i}`),
    );
  });
  fc.assert(property, { numRuns: propertyRuns(30) });
});

/** Opens a GET in a ledger; returns its observer. */
function observe(ledger: Ledger, path: string) {
  return ledger.observe({
    request: { method: 'GET', path, query: '', headers: headersOf() },
    info: nonResourceInfo('GET', path),
    user: { username: 'jane' },
    caller: undefined,
    environment: { host: { clock: systemClock } },
    warnings: new Set(),
    interference: undefined,
    deadline: { began: 0 },
  });
}

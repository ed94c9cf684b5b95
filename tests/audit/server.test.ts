import { describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { AuditEvent } from '../../src/audit/audit-event.js';
import type { AuditPolicy } from '../../src/audit/audit-policy.js';
import type { AuditSink } from '../../src/audit/audit-sink.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { ApiServer } from '../../src/index.js';
import { defaultAuthorization } from '../../src/plugins/default-authorization.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { fetchFrom } from '../support/ask.js';
import { openServer, startServer } from '../support/servers.js';

/** A sink that is waited for, so that the event is recorded before the response is returned. */
function keeping() {
  const events: AuditEvent[] = [];
  const sink: AuditSink = {
    mode: 'blocking',
    write: (records) => void events.push(...records.map(({ event }) => event)),
  };
  return { sink, of: (id: string) => events.filter(({ auditID }) => auditID === id), events };
}

async function open(policy: AuditPolicy, options: ApiServerOptions = {}) {
  const { sink, of, events } = keeping();
  const server = await openServer({ audit: { policy, sinks: [sink] }, ...options });
  let count = 0;
  /** Sends a request, and returns the status of the response and the events of the request. */
  async function ask(method: string, path: string, body?: object | string, headers: Record<string, string> = {}) {
    const id = `r-${++count}`;
    const answer = await fetchFrom(server, path, {
      method,
      headers: { 'audit-id': id, 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, events: of(id) };
  }
  return { server, ask, events, of, [Symbol.asyncDispose]: () => server.close() };
}
const all = (level: AuditPolicy['rules'][number]['level'], more: Partial<AuditPolicy> = {}): AuditPolicy => ({
  rules: [{ level }],
  ...more,
});
const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describe('events of a request', () => {
  it('name the caller and the request, then the outcome', async () => {
    await using audited = await open(all('Metadata'));
    const { status, events, headers } = await audited.ask('POST', MAPS, map('a'), { 'user-agent': 'me/1' });
    expect(status).toBe(201);
    expect(headers.get('audit-id')).toBe(events[0]?.auditID);
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
    expect(events[0]).toMatchObject({
      level: 'Metadata',
      verb: 'create',
      requestURI: MAPS,
      user: { username: 'system:anonymous' },
      userAgent: 'me/1',
      objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
    });
    expect(events[0]).not.toHaveProperty('responseStatus');
    expect(events[1]).toMatchObject({
      objectRef: { name: 'a' },
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.k8s.io/decision': 'allow' },
    });
    expect(events[1]).not.toHaveProperty('requestObject');
  });

  it('contain the request and response bodies as far as the level allows', async () => {
    await using audited = await open({
      omitManagedFields: true,
      rules: [{ level: 'Request', verbs: ['create'] }, { level: 'RequestResponse' }],
    });
    const created = (await audited.ask('POST', MAPS, map('a', { k: 'v' }))).events[1];
    expect(created?.requestObject).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } });
    expect(created).not.toHaveProperty('responseObject');
    const patched = (
      await audited.ask('PATCH', `${MAPS}/a`, '{\n "data": {"n": "12345678901234567890"}}', {
        'content-type': 'application/merge-patch+json',
      })
    ).events[1];
    expect(patched?.requestObject).toEqual({ data: { n: '12345678901234567890' } });
    expect(patched?.responseObject).toMatchObject({ data: { k: 'v' } });
    expect(patched?.responseObject).not.toHaveProperty('metadata.managedFields');
    const listed = (await audited.ask('GET', MAPS)).events[1]?.responseObject;
    expect(listed).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] });
    expect(listed).not.toHaveProperty('items.0.kind');
    expect(listed).not.toHaveProperty('items.0.metadata.managedFields');
    const deleted = (await audited.ask('DELETE', `${MAPS}/a`, { gracePeriodSeconds: 0 })).events[1];
    expect(deleted?.requestObject).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/__internal',
      gracePeriodSeconds: 0,
    });
  });

  it('contain the object that an apply in YAML describes', async () => {
    await using audited = await open(all('Request'));
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "1"}\n';
    const { status, events } = await audited.ask('PATCH', `${MAPS}/a?fieldManager=m`, yaml, {
      'content-type': 'application/apply-patch+yaml',
    });
    expect(status).toBe(201);
    expect(events[1]?.requestObject).toEqual(map('a', { k: '1' }));
  });

  it('are not created for stages and requests that the policy omits', async () => {
    await using audited = await open({
      omitStages: ['RequestReceived'],
      rules: [{ level: 'None', verbs: ['list'] }, { level: 'Metadata' }],
    });
    expect((await audited.ask('GET', MAPS)).events).toEqual([]);
    expect((await audited.ask('GET', `${MAPS}/none`)).events.map(({ stage }) => stage)).toEqual(['ResponseComplete']);
  });

  it('contain the reason of a refusal', async () => {
    await using audited = await open(all('RequestResponse'));
    const { events } = await audited.ask('GET', `${MAPS}/none`);
    expect(events[1]?.responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'configmaps "none" not found',
      reason: 'NotFound',
      details: { name: 'none', kind: 'configmaps' },
      code: 404,
    });
    expect(events[1]?.responseObject).toMatchObject({ kind: 'Status', code: 404 });
  });

  it.each([
    ['application/json;as=Table;v=v1;g=meta.k8s.io', `${MAPS}/none`, 404],
    ['text/plain', '/api/v1/nothing', 404],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', `${MAPS}?labelSelector==`, 400],
    ['text/plain', MAPS, 406],
  ])('do not contain a Status that is sent although %s was accepted (%s)', async (accept, path, code) => {
    await using audited = await open(all('RequestResponse'));
    const { status, events } = await audited.ask('GET', path, undefined, { accept });
    expect([status, events[1]?.responseStatus]).toEqual([code, { metadata: {}, code }]);
    expect(events[1]).not.toHaveProperty('responseObject');
  });

  it('contain the Status of a 406 if it was accepted', async () => {
    await using audited = await open(all('RequestResponse'));
    const { events } = await audited.ask('GET', '/version', undefined, { 'content-type': 'text/plain' });
    expect(events[1]?.responseStatus).toMatchObject({ reason: 'NotAcceptable', code: 406 });
    expect(events[1]?.responseObject).toMatchObject({ kind: 'Status', code: 406 });
  });

  it.each([
    [{ authorization: 'Bearer x' }, '', 'attempted: bearer'],
    [{ authorization: 'Basic YTpi' }, '?access_token=t', 'attempted: basic, access_token'],
    [{ authorization: 'Bearer' }, '', 'no credentials provided'],
  ])('name the credentials %j of a caller that accepts no Status', async (headers, query, what) => {
    await using audited = await open(all('RequestResponse'), { authentication: [tokenFile('t,jane,1')] });
    const { events } = await audited.ask('GET', MAPS + query, undefined, { ...headers, accept: 'text/plain' });
    const message = `Authentication failed, ${what}`;
    expect(events.map(({ responseStatus }) => responseStatus)).toEqual([{ metadata: {}, message, code: 401 }]);
    const late = await audited.ask('GET', `${MAPS}?timeout=x`, undefined, { accept: 'text/plain' });
    expect(late.events[0]?.responseStatus?.message).toMatch(/^invalid timeout specified/);
  });

  it('are a single event if authentication fails', async () => {
    await using audited = await open(all('Metadata'), { authentication: [tokenFile('t,jane,1')] });
    const { status, events } = await audited.ask('GET', MAPS, undefined, { authorization: 'Bearer wrong' });
    expect(status).toBe(401);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ stage: 'ResponseStarted', user: {}, responseStatus: { code: 401 } });
    expect(events[0]).not.toHaveProperty('annotations');
  });

  it('are a single event if the timeout of the request is invalid', async () => {
    await using audited = await open(all('Metadata'));
    const { status, events } = await audited.ask('GET', `${MAPS}?timeout=soon`);
    expect(status).toBe(400);
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseStarted']);
  });

  it('are not created for a preflight request of a browser', async () => {
    await using audited = await open(all('Metadata'), { browsers: { allowOrigin: () => true } });
    const { status, events } = await audited.ask('OPTIONS', MAPS, undefined, { origin: 'https://app.example.com' });
    expect([status, events]).toEqual([204, []]);
  });

  it('contain the impersonated user', async () => {
    const authentication = [tokenFile('t,boss,1,"system:masters"')];
    await using audited = await open(all('Metadata'), { authentication, authorization: defaultAuthorization });
    const headers = { authorization: 'Bearer t', 'impersonate-user': 'jane' };
    const { status, events } = await audited.ask('GET', MAPS, undefined, headers);
    expect(status).toBe(403);
    expect(events[0]).not.toHaveProperty('impersonatedUser');
    expect(events[1]).toMatchObject({
      user: { username: 'boss' },
      impersonatedUser: { username: 'jane', groups: ['system:authenticated'] },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    });
  });

  it('mark the beginning and the end of a watch', async () => {
    await using audited = await open(all('RequestResponse'));
    const answer = await fetchFrom(audited.server, `${MAPS}?watch=1`, { headers: { 'audit-id': 'w' } });
    expect(audited.of('w').map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted']);
    await answer.body?.cancel();
    expect(audited.of('w').map(({ stage }) => stage)).toEqual([
      'RequestReceived',
      'ResponseStarted',
      'ResponseComplete',
    ]);
    expect(audited.of('w')[2]).not.toHaveProperty('responseObject');
  });

  it('have the stage Panic for a fault of the server', async () => {
    await using audited = await open(all('Metadata'), {
      authorization: [alwaysAllow()],
      admission: [
        () => ({
          name: 'Broken',
          admit({ name, object }) {
            if (name === 'broken') throw new RangeError('oops');
            return object;
          },
        }),
      ],
      log: () => {},
    });
    audited.events.length = 0;
    const { status, events } = await audited.ask('POST', MAPS, map('broken'));
    expect(status).toBe(500);
    expect(events.at(-1)).toMatchObject({
      stage: 'Panic',
      responseStatus: { code: 500, reason: 'InternalError', message: "APIServer panic'd: oops" },
    });
  });

  it('are created for requests in process as well', async () => {
    await using audited = await open(all('Request'));
    await fetchFrom(audited.server, '/version', { user: { username: 'near' } });
    expect(audited.events.at(-1)).toMatchObject({ requestURI: '/version', user: { username: 'near' } });
    expect(audited.events.at(-1)).not.toHaveProperty('sourceIPs');
    await audited.server.load([map('near')]);
    expect(audited.events.at(-1)).toMatchObject({
      user: { username: 'system:apiserver' },
      requestObject: { metadata: { name: 'near' } },
      responseStatus: { code: 201 },
    });
  });

  it('are bounded whatever clients send', async () => {
    await using audited = await open(all('RequestResponse'));
    const auditId = 'i'.repeat(50_000);
    const { headers } = await audited.ask('GET', '/version', undefined, { 'audit-id': auditId });
    expect(headers.get('audit-id')).toBe(auditId);
    expect(audited.of(auditId)).toHaveLength(2);
    const { events } = await audited.ask('GET', '/version', undefined, { 'user-agent': 'u'.repeat(20_000) });
    expect(events[0]?.userAgent).toBe(`${'u'.repeat(1024)}...TRUNCATED`);
    const large = await audited.ask('POST', MAPS, map('big', { k: 'x'.repeat(3 * 1024 * 1024) }));
    expect(large.status).toBe(413);
    expect(large.events[1]?.responseStatus?.code).toBe(413);
  });
});

describe('a sink that fails', () => {
  const dead = (mode: NonNullable<AuditSink['mode']>): AuditSink => ({
    name: 'log',
    mode,
    write: () => Promise.reject(new Error('disk full')),
  });
  const status = async (mode: NonNullable<AuditSink['mode']>) => {
    await using server = await startServer({
      controllers: [],
      metrics: true,
      audit: {
        policy: { rules: [{ level: 'None', users: ['system:apiserver'] }, { level: 'Metadata' }] },
        sinks: [dead(mode)],
      },
    });
    const user = { username: 'jane', groups: ['system:masters'] };
    const answer = await fetchFrom(server, '/version', { user });
    return { status: answer.status, text: await answer.text() };
  };

  it('does not make requests fail by default', async () => {
    expect((await status('batch')).status).toBe(200);
    expect((await status('blocking')).status).toBe(200);
  });

  it('makes requests fail if it is strict', async () => {
    expect(await status('blocking-strict')).toEqual({
      status: 500,
      text: 'Internal Server Error: "/version": failed to store audit event\n',
    });
  });
});

it.each(['RequestReceived', 'ResponseComplete'])(
  'a sink that blocks forever delays a request up to its time limit, for its event %s',
  async (stage) => {
    const clock = createFakeClock();
    let reach = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const stuck: AuditSink = {
      mode: 'blocking',
      write: ([record]) => {
        if (record?.event.stage !== stage) return undefined;
        reach();
        return new Promise(() => {});
      },
    };
    const policy: AuditPolicy = { rules: [{ level: 'Metadata', nonResourceURLs: ['/version'] }] };
    await using server = await openServer({ clock, audit: { policy, sinks: [stuck] } });
    const answered = fetchFrom(server, '/version');
    await reached;
    clock.advance(59_999);
    await fetchFrom(server, '/livez');
    clock.advance(1);
    const { status } = await answered;
    expect(status).toBe(stage === 'RequestReceived' ? 504 : 200);
  },
);

describe('the option audit', () => {
  const make = (audit: unknown) => () => new ApiServer({ audit: audit as never });

  it('is refused if it contradicts other options', () => {
    expect(make({})).toThrow('option audit: policy must be an object');
    expect(make({ policy: { rules: [] }, sinks: [] })).toThrow('policy: loaded illegal policy with 0 rules');
    expect(make({ policy: all('Metadata'), sinks: {} })).toThrow('sinks must be a list');
    expect(make({ policy: all('Metadata'), sinks: [{}] })).toThrow('sinks[0] must be a function of events');
    expect(make({ policy: all('Metadata'), sinks: [{ write() {}, mode: 'fast' }] })).toThrow('sinks[0].mode must be');
    expect(make({ policy: { rules: [{ level: 'Metadata', user: ['x'] }] }, sinks: [] })).toThrow('unknown field');
    expect(make({ policy: all('Metadata'), sink: [] })).toThrow('there is no option sink');
  });

  it('delivers the queued events to its sinks at the end', async () => {
    const seen: string[] = [];
    const server = await openServer({
      clock: createFakeClock(),
      audit: { policy: all('Metadata'), sinks: [(events) => void seen.push(...events.map(({ stage }) => stage))] },
    });
    await fetchFrom(server, '/version');
    expect(seen).toEqual([]);
    await server.close();
    expect(seen.slice(-2)).toEqual(['RequestReceived', 'ResponseComplete']);
  });
});

describe('requests that the server makes itself', () => {
  const nameOf = ({ verb, requestURI, user }: AuditEvent) => `${user.username} ${verb} ${requestURI.split('/').at(-1)}`;
  const done = (events: readonly AuditEvent[]) =>
    events.filter(({ stage }) => stage === 'ResponseComplete').map(nameOf);
  const PODS = '/api/v1/namespaces/default/pods';
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };

  it('are recorded for an eviction: it lists budgets and updates one', async () => {
    await using audited = await open(all('Metadata'));
    const { ask, events } = audited;
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const labels = { app: 'web' };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', account);
    await ask('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels }, spec });
    const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const merged = { 'content-type': 'application/merge-patch+json' };
    await ask('PATCH', `${PODS}/p/status`, { status: running }, merged);
    const budget = { minAvailable: 0, selector: { matchLabels: labels } };
    await ask('POST', budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: budget,
    });
    const status = { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
    await ask('PATCH', `${budgets}/b/status`, { status: { ...status, observedGeneration: 1 } }, merged);
    events.length = 0;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
    expect((await ask('POST', `${PODS}/p/eviction`, eviction)).status).toBe(201);
    expect(done(events)).toEqual([
      'system:apiserver list poddisruptionbudgets',
      'system:apiserver update status',
      'system:anonymous create eviction',
    ]);
  });

  it('are recorded for a quota: it writes its usage', async () => {
    await using audited = await open(all('Metadata'));
    const { ask, events } = audited;
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' } };
    await ask('POST', quotas, { ...quota, spec: { hard: { configmaps: '5' } } });
    await ask(
      'PATCH',
      `${quotas}/q/status`,
      { status: { hard: { configmaps: '5' }, used: { configmaps: '0' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    events.length = 0;
    expect((await ask('POST', MAPS, map('counted'))).status).toBe(201);
    expect(done(events)).toEqual(['system:apiserver update status', 'system:anonymous create configmaps']);
  });
});

import { describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { ask, requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

// Field validation of unknown fields, and dry runs, in `orch` (spec 3.9, 3.11, 19.2, 19.4, 19.15).
const MAPS = '/api/v1/namespaces/default/configmaps';
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  operations: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};
const server = suiteServer({ dialect: 'orch', authentication: [tokenFile('janes,jane,1')] });
const { get, post, put, merge, apply, remove, send } = requestsTo(server, { user: ADMIN });

let made = 0;
const create = async () => {
  const name = `m-${++made}`;
  await post(MAPS, { metadata: { name } });
  return `${MAPS}/${name}`;
};

/** Every type of write that contains fields, each with an unknown one. */
const WRITES: Readonly<Record<string, (level: string) => Promise<Awaited<ReturnType<typeof send>>>>> = {
  POST: (level) => post(`${MAPS}?${level}`, { metadata: { name: `m-${++made}` }, color: 'red' }),
  'POST of YAML': (level) =>
    post(`${MAPS}?${level}`, `metadata: {name: m-${++made}}\ncolor: red\n`, { type: TYPES.yaml }),
  PUT: async (level) => {
    const path = await create();
    return put(`${path}?${level}`, { metadata: { name: path.split('/').at(-1) }, color: 'red' });
  },
  'a merge patch': async (level) => merge(`${await create()}?${level}`, { color: 'red' }),
  'a strategic merge patch': async (level) =>
    send('PATCH', `${await create()}?${level}`, { color: 'red' }, { type: TYPES.strategic }),
  'a JSON patch': async (level) =>
    send('PATCH', `${await create()}?${level}`, [{ op: 'add', path: '/color', value: 'red' }], {
      type: TYPES.operations,
    }),
  'an apply': (level) =>
    apply(`${MAPS}/m-${++made}?fieldManager=m&${level}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `m-${made}` },
      color: 'red',
    }),
};

describe.each(Object.entries(WRITES))('a field that the kind does not declare, by %s', (_, write) => {
  const answer = async (level: string) => {
    const { status, headers, value, message } = await write(level);
    return { isDone: status < 300, status, warning: String(headers['Warning'] ?? ''), value, message };
  };
  it('is dropped silently, dropped with a warning, or refused', async () => {
    for (const level of ['fieldValidation=Ignore', 'fieldValidation=Warn', '']) {
      const { isDone, warning, value } = await answer(level);
      expect([isDone, value.color, warning]).toEqual([
        true,
        undefined,
        level.endsWith('Ignore') ? '' : '299 - "unknown field \\"color\\""',
      ]);
    }
    expect(await answer('fieldValidation=Strict')).toMatchObject({
      status: 400,
      message: expect.stringContaining('unknown field "color"'),
    });
    expect((await answer('fieldValidation=strict')).status).toBe(422);
  });
});

describe('several such fields', () => {
  const TWICE = '{"metadata":{"name":"twice"},"data":{"a":"1"},"data":{"a":"2"},"color":"red","size":1}';
  it('are reported one by one, duplicate ones as well', async () => {
    const warned = await post(MAPS, TWICE);
    expect([warned.status, warned.value.data]).toEqual([201, { a: '2' }]);
    expect([warned.headers['Warning']].flat()).toHaveLength(3);
    const strict = await post(`${MAPS}?fieldValidation=Strict`, TWICE);
    expect(strict.status).toBe(400);
    for (const field of ['duplicate field "data"', 'unknown field "color"', 'unknown field "size"'])
      expect(strict.message).toContain(field);
  });

  it('are not reported together with another error', async () => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const { status, message } = await post(`${MAPS}?fieldValidation=${level}`, '{"metadata":1,"color":"red"}');
      expect([status, message.includes('color')]).toEqual([400, false]);
    }
    // A body with correct types and invalid values is 422.
    const wrong = await post(MAPS, { metadata: { name: 'NO' }, color: 'red' });
    expect([wrong.status, wrong.message.includes('color')]).toEqual([422, false]);
    expect(
      (await post('/apis/rbac.authorization.orch.io/v1/clusterrolebindings', { metadata: { name: 'b' } })).status,
    ).toBe(422);
  });
});

describe('a dry run', () => {
  it('returns the response of the write, with defaults, admission and merging, and stores nothing', async () => {
    const path = await create();
    const before = (await get(path)).value;
    const services = '/api/v1/namespaces/default/services';
    const service = await post(`${services}?dryRun=All`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    expect([service.status, service.value.spec.type, service.value.spec.ports[0].protocol]).toEqual([
      201,
      'ClusterIP',
      'TCP',
    ]);
    expect((await get(`${services}/s`)).status).toBe(404);
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await get('/api/v1/namespaces/default/serviceaccounts/default');
    const admitted = await post('/api/v1/namespaces/default/pods?dryRun=All', pod);
    expect([admitted.status, admitted.value.spec.serviceAccountName]).toEqual([201, 'default']);
    const merged = await merge(`${path}?dryRun=All`, { data: { a: '1' } });
    expect([merged.status, merged.value.data, merged.value.metadata.uid]).toEqual([
      200,
      { a: '1' },
      before.metadata.uid,
    ]);
    expect((await put(`${path}?dryRun=All`, { ...before, data: { a: '2' } })).value.data).toEqual({ a: '2' });
    expect((await remove(`${path}?dryRun=All`)).status).toBe(200);
    expect((await put(`${path}?dryRun=All`, { ...before, data: { 'a b': '' } })).status).toBe(422);
    expect((await get(path)).value).toEqual(before);
  });

  it('generates its own values', async () => {
    const body = { metadata: { generateName: 'g-' } };
    const { value } = await post(`${MAPS}?dryRun=All`, body);
    expect(value.metadata).toMatchObject({ name: expect.stringMatching(/^g-.{5}$/), uid: expect.any(String) });
    expect(value.metadata.resourceVersion).toBeUndefined();
  });

  it('keeps the resourceVersion of a new object, which only the storage refuses or clears', async () => {
    const metadata = { name: 'versioned', resourceVersion: '5' };
    const created = await post(`${MAPS}?dryRun=All`, { metadata });
    expect([created.status, created.value.metadata.resourceVersion]).toEqual([201, '5']);
    expect((await post(MAPS, { metadata })).status).toBe(400);
    const lease = '/apis/coordination.orch.io/v1/namespaces/default/leases/versioned';
    const put5 = async (query: string) => (await put(`${lease}${query}`, { metadata })).value.metadata.resourceVersion;
    expect(await put5('?dryRun=All')).toBe('5');
    expect(await put5('')).not.toBe('5');
  });

  it('is requested by All, but not by an empty value', async () => {
    expect((await post(`${MAPS}?dryRun=Some`, { metadata: { name: 'some' } })).status).toBe(422);
    expect((await post(`${MAPS}?dryRun=`, { metadata: { name: 'empty' } })).status).toBe(201);
    expect((await get(`${MAPS}/empty`)).status).toBe(200);
  });

  it('requires the permissions of the write', async () => {
    const headers = { authorization: 'Bearer janes' };
    const body = { metadata: { name: 'x' } };
    const messages = [];
    for (const query of ['', 'dryRun=All']) {
      const { status, message } = await ask(server, { method: 'POST', path: MAPS, query, headers, body });
      messages.push(`${status} ${message}`);
    }
    expect(messages[0]).toContain('403 configmaps is forbidden: User "jane" cannot create');
    expect(messages[1]).toBe(messages[0]);
  });
});

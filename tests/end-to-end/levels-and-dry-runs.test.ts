import { describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { ask, type Question } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

// What is said of fields that a kind does not have, and what a dry run does, in `orch` (spec 3.9, 3.11, 19.2, 19.4, 19.15).
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

const send = (method: string, path: string, body?: Question['body'], query = '', type = TYPES.json) =>
  ask(server, { method, path, query, headers: { 'content-type': type }, ...(body && { body }) }, { user: ADMIN });
let made = 0;
const create = async () => {
  const name = `m-${++made}`;
  await send('POST', MAPS, { metadata: { name } });
  return `${MAPS}/${name}`;
};

/** The writes that say what fields an object has; each has one that is unknown. */
const WRITES: Readonly<Record<string, (level: string) => Promise<Awaited<ReturnType<typeof send>>>>> = {
  POST: (level) => send('POST', MAPS, { metadata: { name: `m-${++made}` }, color: 'red' }, level),
  'POST of YAML': (level) => send('POST', MAPS, `metadata: {name: m-${++made}}\ncolor: red\n`, level, TYPES.yaml),
  PUT: async (level) => {
    const path = await create();
    return send('PUT', path, { metadata: { name: path.split('/').at(-1) }, color: 'red' }, level);
  },
  'a merge patch': async (level) => send('PATCH', await create(), { color: 'red' }, level, TYPES.merge),
  'a strategic merge patch': async (level) => send('PATCH', await create(), { color: 'red' }, level, TYPES.strategic),
  'a JSON patch': async (level) =>
    send('PATCH', await create(), [{ op: 'add', path: '/color', value: 'red' }], level, TYPES.operations),
  'an apply': (level) =>
    send(
      'PATCH',
      `${MAPS}/m-${++made}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m-${made}` }, color: 'red' },
      `fieldManager=m&${level}`,
      TYPES.apply,
    ),
};

describe.each(Object.entries(WRITES))('a field that the kind does not have, by %s', (_, write) => {
  const answer = async (level: string) => {
    const { status, headers, value, message } = await write(level);
    return { isDone: status < 300, status, warning: String(headers['Warning'] ?? ''), value, message };
  };
  it('is dropped: silently, with a warning, or not at all', async () => {
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

describe('several fields', () => {
  const TWICE = '{"metadata":{"name":"twice"},"data":{"a":"1"},"data":{"a":"2"},"color":"red","size":1}';
  it('are said one by one, doubled ones too', async () => {
    const warned = await send('POST', MAPS, TWICE);
    expect([warned.status, warned.value.data]).toEqual([201, { a: '2' }]);
    expect([warned.headers['Warning']].flat()).toHaveLength(3);
    const strict = await send('POST', MAPS, TWICE, 'fieldValidation=Strict');
    expect(strict.status).toBe(400);
    for (const field of ['duplicate field "data"', 'unknown field "color"', 'unknown field "size"'])
      expect(strict.message).toContain(field);
  });

  it('are not said beside another mistake', async () => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const { status, message } = await send('POST', MAPS, '{"metadata":1,"color":"red"}', `fieldValidation=${level}`);
      expect([status, message.includes('color')]).toEqual([400, false]);
    }
    // What is of the right types and wrong all the same is 422.
    const wrong = await send('POST', MAPS, { metadata: { name: 'NO' }, color: 'red' });
    expect([wrong.status, wrong.message.includes('color')]).toEqual([422, false]);
    expect(
      (await send('POST', '/apis/rbac.authorization.orch.io/v1/clusterrolebindings', { metadata: { name: 'b' } }))
        .status,
    ).toBe(422);
  });
});

describe('a dry run', () => {
  it('answers as the write would, with defaults, admission and merging, and stores nothing', async () => {
    const path = await create();
    const before = (await send('GET', path)).value;
    const services = '/api/v1/namespaces/default/services';
    const service = await send(
      'POST',
      services,
      { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
      'dryRun=All',
    );
    expect([service.status, service.value.spec.type, service.value.spec.ports[0].protocol]).toEqual([
      201,
      'ClusterIP',
      'TCP',
    ]);
    expect((await send('GET', `${services}/s`)).status).toBe(404);
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await send('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    const admitted = await send('POST', '/api/v1/namespaces/default/pods', pod, 'dryRun=All');
    expect([admitted.status, admitted.value.spec.serviceAccountName]).toEqual([201, 'default']);
    const merged = await send('PATCH', path, { data: { a: '1' } }, 'dryRun=All', TYPES.merge);
    expect([merged.status, merged.value.data, merged.value.metadata.uid]).toEqual([
      200,
      { a: '1' },
      before.metadata.uid,
    ]);
    expect((await send('PUT', path, { ...before, data: { a: '2' } }, 'dryRun=All')).value.data).toEqual({ a: '2' });
    expect((await send('DELETE', path, undefined, 'dryRun=All')).status).toBe(200);
    expect((await send('PUT', path, { ...before, data: { 'a b': '' } }, 'dryRun=All')).status).toBe(422);
    expect((await send('GET', path)).value).toEqual(before);
  });

  it('has values of its own where they are generated', async () => {
    const body = { metadata: { generateName: 'g-' } };
    const { value } = await send('POST', MAPS, body, 'dryRun=All');
    expect(value.metadata).toMatchObject({ name: expect.stringMatching(/^g-.{5}$/), uid: expect.any(String) });
    expect(value.metadata.resourceVersion).toBeUndefined();
  });

  it('is All, or empty for none', async () => {
    expect((await send('POST', MAPS, { metadata: { name: 'some' } }, 'dryRun=Some')).status).toBe(422);
    expect((await send('POST', MAPS, { metadata: { name: 'empty' } }, 'dryRun=')).status).toBe(201);
    expect((await send('GET', `${MAPS}/empty`)).status).toBe(200);
  });

  it('is authorized as the write', async () => {
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

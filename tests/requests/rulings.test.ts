import { beforeAll, describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { ApiServer as Server } from '../../src/index.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { rbac } from '../../src/plugins/rbac/rbac.js';
import { makeRequest } from '../pki/make-request.js';
import { ask, fetchFrom } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// The differences between the dialects that requests show (spec 19.1 to 19.22), each tested in both.
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const JSON_PATCH = 'application/json-patch+json';
const MAPS = '/api/v1/namespaces/default/configmaps';

const pick = <T>(dialect: 'orch' | 'k8s', orch: T, k8s: T): T => (dialect === 'orch' ? orch : k8s);

describe.each(['orch', 'k8s'] as const)('the rulings of %s', (dialect) => {
  const server = openSuiteServer({ dialect });
  beforeAll(async () => {
    await send('POST', MAPS, { metadata: { name: 'm' }, data: { a: '1' } });
  });

  async function send(method: string, path: string, body?: object | string, type = 'application/json', headers = {}) {
    const response = await fetchFrom(server, path, { method, headers: { 'content-type': type, ...headers }, body });
    const json = await response.json();
    return {
      status: response.status,
      message: json.message,
      warning: response.headers.get('warning'),
      headers: response.headers,
      json,
    };
  }
  const apply = (level: string, fields: object, name = 'unknown') =>
    send(
      'PATCH',
      `${MAPS}/${name}?fieldManager=m&fieldValidation=${level}`,
      { apiVersion: 'v1', kind: 'ConfigMap', ...fields },
      APPLY,
    );

  it('19.1: an invalid combination of resourceVersionMatch', async () => {
    const { status } = await send('GET', `${MAPS}?resourceVersionMatch=Exact`);
    expect(status).toBe(pick(dialect, 400, 422));
  });

  it('19.2: an empty dryRun', async () => {
    const { status } = await send('POST', `${MAPS}?dryRun=`, { metadata: { name: 'dry' } });
    expect(status).toBe(pick(dialect, 201, 422));
  });

  it('19.3: an empty list of managers', async () => {
    await send('POST', MAPS, { metadata: { name: 'owned' }, data: { a: '1' } });
    const { json } = await send('PATCH', `${MAPS}/owned`, { metadata: { managedFields: [] } }, MERGE);
    expect(json.metadata.managedFields?.length ?? 0).toBe(pick(dialect, 1, 0));
  });

  it('19.3: the owner of fields that a write changes together with a reset', async () => {
    await send('POST', MAPS, { metadata: { name: 'reset' }, data: { a: '1' } });
    const body = { metadata: { managedFields: [{}] }, data: { b: '2' } };
    const { json } = await send('PATCH', `${MAPS}/reset?fieldManager=last`, body, MERGE);
    const owners = (json.metadata.managedFields ?? []).map(({ manager }: { manager: string }) => manager);
    expect(owners).toEqual(pick(dialect, ['last'], []));
  });

  it('19.4: strict field validation of a patch', async () => {
    const { status } = await send('PATCH', `${MAPS}/m?fieldValidation=Strict`, { colour: 'red' }, MERGE);
    expect(status).toBe(pick(dialect, 400, 422));
  });

  it('19.11: the response to a deletion of a collection', async () => {
    const { json } = await send('DELETE', `${MAPS}?labelSelector=none=there`);
    expect(json.kind).toBe(pick(dialect, 'Status', 'ConfigMapList'));
  });

  describe('tokens of a ServiceAccount', () => {
    const tokens = '/api/v1/namespaces/default/serviceaccounts/holder/token';
    beforeAll(() => send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'holder' } }));

    it('19.13: a request without audiences', async () => {
      expect((await send('POST', tokens, { spec: {} })).status).toBe(pick(dialect, 422, 201));
    });

    it('19.14: a request bound to a node', async () => {
      const boundObjectRef = { apiVersion: 'v1', kind: 'Node', name: 'none' };
      const { status } = await send('POST', tokens, { spec: { audiences: ['a'], boundObjectRef } });
      expect(status).toBe(pick(dialect, 400, 404));
    });
  });

  it('19.15: an applied field that the kind does not declare', async () => {
    const fields = { metadata: { name: 'unknown', colour: 'red' }, data: { a: '1' }, spec: { x: 1 } };
    const ignored = await apply('Ignore', fields);
    expect([ignored.status, ignored.warning]).toEqual(pick(dialect, [201, null], [500, null]));
    const warned = await apply('Warn', fields);
    expect([warned.status, warned.warning]).toEqual(
      pick(
        dialect,
        [200, '299 - "unknown field \\"metadata.colour\\"", 299 - "unknown field \\"spec\\""'],
        [500, null],
      ),
    );
    expect(await apply('Strict', fields)).toMatchObject(
      pick<object>(
        dialect,
        { status: 400, message: 'strict decoding error: unknown field "metadata.colour", unknown field "spec"' },
        { status: 500 },
      ),
    );
  });

  it('19.19: an exact list, or a page, at a future version', async () => {
    for (const query of ['resourceVersion=99999&resourceVersionMatch=Exact', 'resourceVersion=99999&limit=2']) {
      const { status, message, headers } = await send('GET', `${MAPS}?${query}&timeout=10ms`);
      expect([status, headers.get('retry-after')]).toEqual(pick(dialect, [504, '1'], [500, null]));
      expect(message).toMatch(
        pick(dialect, /^Timeout: Too large resource version: 99999, current: \d+$/, /future revision/),
      );
    }
  });

  it('19.20: errors that the client caused', async () => {
    const status = pick(dialect, 400, 500);
    const container = { name: 'c', image: 'i' };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [container, container] },
    };
    const twice = await send('PATCH', '/api/v1/namespaces/default/pods/p?fieldManager=m', pod, APPLY);
    expect(twice).toMatchObject({ status, message: expect.stringContaining('duplicate entries for key [name="c"]') });
    expect(await send('GET', `${MAPS}/m?resourceVersion=abc`)).toMatchObject({ status });
    expect(await send('GET', `${MAPS}?resourceVersion=007x`)).toMatchObject({ status });
    expect(await send('POST', MAPS, { metadata: { name: 'v', resourceVersion: '5' } })).toMatchObject({ status });
    expect(await send('PUT', `${MAPS}/m`, { metadata: { name: 'm', resourceVersion: 'x' } })).toMatchObject({ status });
    const group = await fetchFrom(server, MAPS, { headers: { 'impersonate-group': 'g' } });
    expect(group.status).toBe(status);
    expect(await group.text()).toContain('without impersonating a user');
  });

  it('19.21: JSON patch replaces an absent value, and tests an unequal one', async () => {
    const replace = await send('PATCH', `${MAPS}/m`, [{ op: 'replace', path: '/data/none', value: '1' }], JSON_PATCH);
    expect(replace.status).toBe(pick(dialect, 422, 200));
    const test = [
      { op: 'add', path: '/data/b', value: '1' },
      { op: 'test', path: '/data/a', value: '2' },
    ];
    expect((await send('PATCH', `${MAPS}/m`, test, JSON_PATCH)).message).toBe(
      `the server rejected our request due to an error in our request${pick(dialect, ': operation 1 (test "/data/a"): the value there is another', '')}`,
    );
  });

  it('19.22: Accept: application/*', async () => {
    const { status } = await send('GET', `${MAPS}/m`, undefined, 'application/json', { accept: 'application/*' });
    expect(status).toBe(pick(dialect, 200, 406));
  });

  it('19.23: the names of OpenAPI', async () => {
    const { json } = await send('GET', '/openapi/v3/api/v1');
    expect(json.info.title).toBe(pick(dialect, 'orch-apiserver', 'Kubernetes'));
    const text = JSON.stringify(json);
    expect([text.includes('io.orch.api.core.v1.Secret'), text.includes('io.k8s.')]).toEqual(
      pick(dialect, [true, false], [false, true]),
    );
  });

  it('20.3: a TokenReview with a blank token', async () => {
    const path = `/apis/authentication.${dialect === 'orch' ? 'orch.io' : 'k8s.io'}/v1/tokenreviews`;
    const { json } = await send('POST', path, { spec: { token: '   ' } });
    expect(json.status.user?.username).toBe(pick(dialect, undefined, 'system:anonymous'));
  });

  describe('signing requests', () => {
    let requests: string;
    beforeAll(async () => {
      requests = `/apis/certificates.${dialect === 'orch' ? 'orch.io' : 'k8s.io'}/v1/certificatesigningrequests`;
      const { pem } = await makeRequest();
      for (const name of ['early', 'types', 'failed', 'merged']) {
        const spec = { request: btoa(pem), signerName: 'example.com/s', usages: ['client auth'] };
        expect(await send('POST', requests, { metadata: { name }, spec })).toMatchObject({ status: 201 });
      }
    });
    const conditions = (...types: string[]) => ({
      status: { conditions: types.map((type) => ({ type, status: 'True', reason: 'R' })) },
    });

    it('19.12: a certificate before approval', async () => {
      const { certificate } = await createCertificateAuthority({ commonName: 'early' });
      const body = { status: { certificate: btoa(certificate) } };
      expect((await send('PATCH', `${requests}/early/status`, body, MERGE)).status).toBe(pick(dialect, 422, 200));
    });

    it('19.16: other types of conditions', async () => {
      const other = await send('PATCH', `${requests}/types/status`, conditions('Ready'), MERGE);
      expect(other.status).toBe(pick(dialect, 422, 200));
      if (dialect === 'orch')
        expect(other.message).toContain(
          'status.conditions[0].type: Unsupported value: "Ready": supported values: "Approved"',
        );
    });

    it('19.17: Failed without approval', async () => {
      const failed = await send('PATCH', `${requests}/failed/status`, conditions('Failed'), MERGE);
      expect(failed.status).toBe(pick(dialect, 422, 200));
    });

    it('19.18: strategic merge patches of conditions', async () => {
      await send('PATCH', `${requests}/merged/approval`, conditions('Approved'), MERGE);
      const { status, json } = await send('PATCH', `${requests}/merged/status`, conditions('Failed'), STRATEGIC);
      expect(status).toBe(pick(dialect, 200, 422));
      if (dialect === 'orch')
        expect(json.status.conditions.map(({ type }: { type: string }) => type).sort()).toEqual(['Approved', 'Failed']);
    });
  });
});

it('a creation that is not authorized names the object once the object is valid', async () => {
  await using server = new Server({ authorization: [rbac()], authentication: [tokenFile('bobs,bob,1')] });
  await server.start();
  const group = 'rbac.authorization.orch.io';
  const named = { apiVersion: `${group}/v1`, metadata: { name: 'patchers' } };
  await server.load([
    { ...named, kind: 'ClusterRole', rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }] },
    {
      ...named,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'patchers' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'bob' }],
    },
  ]);
  const apply = async (data: object) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' }, data };
    const { status, message } = await ask(server, {
      method: 'PATCH',
      path: `${MAPS}/new`,
      query: 'fieldManager=m',
      headers: { authorization: 'Bearer bobs', 'content-type': APPLY },
      body,
    });
    return [status, message];
  };
  expect(await apply({ a: '1' })).toEqual([
    403,
    'configmaps "new" is forbidden: User "bob" cannot create resource "configmaps" in API group "" in the namespace "default"',
  ]);
  expect((await apply({ 'a b': '1' }))[0]).toBe(422);
});

it('anonymous callers are authenticated, but not if everybody may do everything', async () => {
  await using known = new Server();
  await known.start();
  expect((await ask(known, { path: '/livez' })).text).toBe('ok');
  expect(await ask(known, { path: '/api/v1/nodes' })).toMatchObject({
    status: 403,
    message: expect.stringContaining('User "system:anonymous" cannot list'),
  });
  await using open = new Server({ authorization: [alwaysAllow()] });
  await open.start();
  expect((await ask(open, { path: '/livez' })).status).toBe(401);
});

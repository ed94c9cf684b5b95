import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

/*
 * A repeated apply changes nothing, with two exceptions, in which the server owns fields after the first apply that the second one takes
 * over (spec 6.5).
 */
const server = openSuiteServer();
beforeAll(async () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } };
  await server.load([account]);
});

async function apply(path: string, apiVersion: string, kind: string, more: object = { metadata: { name: 'empty' } }) {
  const { status, value } = await ask(server, {
    method: 'PATCH',
    path,
    query: 'fieldManager=m',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion, kind, ...more },
  });
  expect(status).toBeLessThan(300);
  const { managedFields = [], resourceVersion } = value.metadata;
  return {
    value,
    resourceVersion,
    managers: (managedFields as { manager: string; operation: string }[]).map(
      (one) => `${one.manager} ${one.operation}`,
    ),
  };
}

describe('an empty apply that creates an object, repeated', () => {
  it('a namespace: fields that the server set have an owner from the second apply on, and the third has no effect', async () => {
    const what = ['/api/v1/namespaces/empty', 'v1', 'Namespace'] as const;
    const first = await apply(...what);
    expect(first.managers).toEqual([]);
    const second = await apply(...what);
    expect(second.managers).toEqual(['before-first-apply Update']);
    expect(await apply(...what)).toEqual(second);
  });
  it.each([
    ['a config map', '/api/v1/namespaces/default/configmaps/empty', 'v1', 'ConfigMap'],
    [
      'a role',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/empty',
      'rbac.authorization.k8s.io/v1',
      'Role',
    ],
  ])('%s, of which the server sets no fields: the second apply has no effect', async (_, ...what) => {
    const first = await apply(...what);
    expect(first.managers).toEqual([]);
    expect(await apply(...what)).toEqual(first);
  });
});

describe("the addresses of a pod's status, applied", () => {
  it('include podIP, which has no owner; an apply of both has no effect when repeated', async () => {
    const path = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await ask(server, { method: 'POST', path, body: { metadata: { name: 'p' }, spec } });
    const set = async (ip: string) => {
      const status = { podIPs: [{ ip }] };
      const { value, resourceVersion } = await apply(`${path}/p/status`, 'v1', 'Pod', {
        metadata: { name: 'p' },
        status,
      });
      return { ...value.status, resourceVersion };
    };
    const one = { podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }] };
    const two = { podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }, { ip: '2001:db8::2' }] };
    expect(await set('192.0.2.1')).toMatchObject(one);
    expect(await set('2001:db8::2')).toMatchObject(one);
    const both = await set('2001:db8::2');
    expect(both).toMatchObject(two);
    expect(await set('2001:db8::2')).toEqual(both);
  });
});

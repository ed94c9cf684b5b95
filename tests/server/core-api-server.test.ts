import { expect, it } from 'vitest';
import { alwaysAllow } from '../../src/exports/authorization.js';
import { defaultControllers, defaultRoles } from '../../src/exports/controllers.js';
import { clusterRole, clusterRoleBinding, lease, role, roleBinding } from '../../src/exports/kinds.js';
import { CoreApiServer, configMap, namespace, serviceAccount, type UserInfo } from '../../src/index.js';
import { fetchFrom } from '../support/ask.js';

const anyone: UserInfo = { username: 'anyone', groups: [] };
const where = { namespace: 'anywhere' };
const read = async (server: CoreApiServer, path: string, user?: UserInfo) => {
  const response = await fetchFrom(server, path, { user });
  return [response.status, (await response.json()) as { groups?: { name: string }[]; resources?: { name: string }[] }];
};

it('serves the given kinds, and nothing else', async () => {
  await using server = new CoreApiServer({ resources: [configMap, lease], authorization: [alwaysAllow()] });
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'a' }, data: { k: 'v' } }, where);
  expect((await server.client().get(configMap, 'a', where)).data).toEqual({ k: 'v' });
  const [, groups] = await read(server, '/apis', anyone);
  expect(groups).toMatchObject({ groups: [{ name: 'coordination.orch.io' }] });
  const [, core] = await read(server, '/api/v1', anyone);
  expect(core).toMatchObject({ resources: [{ name: 'configmaps' }] });
  expect(await read(server, '/api/v1/namespaces', anyone)).toMatchObject([404, { reason: 'NotFound' }]);
});

it('uses RBAC by default, so that unauthenticated users have no permissions', async () => {
  await using server = new CoreApiServer({ resources: [configMap] });
  await server.start();
  expect(await read(server, '/api/v1/configmaps')).toMatchObject([403, { reason: 'Forbidden' }]);
});

it('passes the given values as defaults to options that are functions', async () => {
  const resources = [namespace, serviceAccount, clusterRole, clusterRoleBinding, role, roleBinding];
  const controllers = defaultControllers.filter(({ isFirst }) => isFirst);
  const defaults = { resources, controllers, roles: defaultRoles };
  await using server = new CoreApiServer({ resources: (all) => [...all, configMap] }, defaults);
  await server.start();
  expect((await server.client().get(namespace, 'default')).metadata.name).toBe('default');
  expect((await server.client().get(clusterRole, 'cluster-admin')).rules).toHaveLength(2);
});

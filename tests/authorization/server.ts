import type { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { PolicyRule } from '../../src/authorization/authorizer.js';
import { isApiError } from '../../src/meta/api-error.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../src/resources/rbac/index.js';
import { startServer } from '../support/servers.js';

export const GROUP = 'rbac.authorization.k8s.io';
export const userSubject = (name: string) => ({ kind: 'User', apiGroup: GROUP, name });
export const roleRef = (kind: 'Role' | 'ClusterRole', name: string) => ({ apiGroup: GROUP, kind, name });

/** A server with RBAC as the only authorizer and with stepped controllers. */
export const STEPPED: ApiServerOptions = { dialect: 'k8s', controllers: { mode: 'stepped' } };
export const startStepped = (options: ApiServerOptions = {}): Promise<ApiServer> =>
  startServer({ ...STEPPED, ...options });

/** Returns a client for a user with groups. */
export const as = (server: ApiServer, username: string, ...groups: string[]) =>
  server.client({ user: { username, groups } });

/** Grants rules to a user, in the cluster or in one namespace. */
export async function grant(
  server: ApiServer,
  username: string,
  rules: readonly PolicyRule[],
  namespace?: string,
): Promise<void> {
  const client = server.client();
  const name = `grant-${username}`;
  const subjects = [userSubject(username)];
  if (namespace === undefined) {
    await client.create(clusterRole, { metadata: { name }, rules });
    await client.create(clusterRoleBinding, { metadata: { name }, subjects, roleRef: roleRef('ClusterRole', name) });
  } else {
    await client.create(role, { metadata: { name, namespace }, rules });
    await client.create(roleBinding, { metadata: { name, namespace }, subjects, roleRef: roleRef('Role', name) });
  }
}

/** Returns the code and message of the error that a call throws, or 200. */
export async function outcome(call: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> {
  try {
    await call;
    return { code: 200, message: '' };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { code: error.code, message: error.message };
  }
}

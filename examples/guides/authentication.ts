import { ApiServer } from 'orch-apiserver';
import { tokenFile } from 'orch-apiserver/authentication';
import { toNodeHandler } from 'orch-apiserver/http';
import { clusterRoleBinding } from 'orch-apiserver/kinds';

/** Starts a server that authenticates a token as jane, for every kind of client. The default authenticators stay. */
export async function startWithTokens() {
  const server = new ApiServer({
    dialect: 'k8s',
    // token,user,uid,"group,group"
    authentication: (defaults) => [...defaults, tokenFile('s3cret,jane,1,"developers"')],
  });
  await server.start();
  // Roles decide what jane may do. Here she gets the default role `view` in all namespaces.
  await server.client().create(clusterRoleBinding, {
    metadata: { name: 'developers-view' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'developers' }],
  });
  return { server, handler: toNodeHandler(server) };
}

/** An in-process client needs no token, because the call names its user. */
export async function askAs(server: ApiServer, username: string, path: string): Promise<number> {
  const user = { username, groups: ['system:authenticated'] };
  return (await server.fetch(new Request(`https://server${path}`), { user })).status;
}

import { ApiServer } from 'orch-apiserver';
import { tokenFile } from 'orch-apiserver/authentication';
import { toNodeHandler } from 'orch-apiserver/http';
import { clusterRoleBinding } from 'orch-apiserver/kinds';

/** Whoever sends the token is jane, wherever the request comes in; the default ways in stay. */
export async function startWithTokens() {
  const server = new ApiServer({
    dialect: 'k8s',
    // token,user,uid,"group,group"
    authentication: (defaults) => [...defaults, tokenFile('s3cret,jane,1,"developers"')],
  });
  await server.start();
  // What jane may do is a matter of roles: here those of the default role `view`, everywhere.
  await server.client().create(clusterRoleBinding, {
    metadata: { name: 'developers-view' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'developers' }],
  });
  return { server, handler: toNodeHandler(server) };
}

/** In process nobody needs a token: the caller is named. */
export async function askAs(server: ApiServer, username: string, path: string): Promise<number> {
  const user = { username, groups: ['system:authenticated'] };
  return (await server.fetch(new Request(`https://server${path}`), { user })).status;
}

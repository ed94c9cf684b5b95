import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiServer } from 'orch-apiserver';
import { oidc } from 'orch-apiserver/authentication';
import { kubeconfigClient } from 'orch-apiserver/client';
import { type Listener, listen } from 'orch-apiserver/http';
import { clusterRoleBinding } from 'orch-apiserver/kinds';
import { createIssuer, type Issuer, listenAsIssuer } from 'orch-apiserver/testing';

/** In process: issues tokens for any user that a test needs, without a login. */
export async function startWithIssuer() {
  const issuer = await createIssuer();
  const server = new ApiServer({
    fetch: issuer.fetch,
    authentication: (defaults) => [...defaults, oidc({ issuerUrl: issuer.url, clientId: issuer.audience })],
  });
  await server.start();
  return { issuer, server };
}

/** Over the network: starts an issuer where jane can log in, and a server that trusts it and lets jane read everything. */
export async function startWithLogins(): Promise<{ issuer: Issuer; server: ApiServer; listener: Listener }> {
  const jane = { password: 'correct horse', claims: { sub: 'jane', groups: ['readers'] } };
  const issuer = await listenAsIssuer({ logins: { jane } });
  const { url: issuerUrl, audience: clientId, certificateAuthority = '' } = issuer;
  const known = oidc({ issuerUrl, clientId, certificateAuthority, usernamePrefix: 'oidc:', groupsClaim: 'groups' });
  const server = new ApiServer({ authentication: (defaults) => [...defaults, known] });
  await server.start();
  await server.client().create(clusterRoleBinding, {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'Group', name: 'readers' }],
  });
  return { issuer, server, listener: await listen(server) };
}

/** A client that only has a kubeconfig, and runs the credential plug-in when it needs a token. */
export async function connectByPlugin(issuer: Issuer, listener: Listener, folder: string, password: string) {
  // NODE_EXTRA_CA_CERTS expects the name of a file.
  const authorities = join(folder, 'issuer.crt');
  await writeFile(authorities, issuer.certificateAuthority ?? '');
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(
    kubeconfig,
    `
apiVersion: v1
kind: Config
clusters:
- name: orch
  cluster:
    server: ${listener.url}
    certificate-authority-data: ${Buffer.from(listener.certificateAuthority ?? '').toString('base64')}
users:
- name: jane
  user:
    exec:
      apiVersion: client.authentication.orch.io/v1
      command: node
      args: [${fileURLToPath(new URL('login-plugin.mjs', import.meta.url))}]
      env:
      - {name: ISSUER, value: '${issuer.url}'}
      - {name: LOGIN, value: jane}
      - {name: PASSWORD, value: ${password}}
      - {name: NODE_EXTRA_CA_CERTS, value: ${authorities}}
      installHint: The plugin comes with the guides of orch-apiserver.
      interactiveMode: Never
contexts:
- name: jane@orch
  context: {cluster: orch, user: jane}
current-context: jane@orch
`,
  );
  return await kubeconfigClient({ files: [kubeconfig] });
}

import { clusterRole, clusterRoleBinding } from '../../dist/exports/kinds.js';
import { issueCertificate } from '../../dist/exports/pki.js';
import { serviceAccount } from '../../dist/index.js';

const namespace = 'default';
const name = 'reader';

/**
 * A service account that may read ConfigMaps, with a token and with a client certificate. Both have the same user and groups, so that
 * authorization takes equally long.
 */
export async function makeCaller(server) {
  const client = server.client();
  await client.create(serviceAccount, { metadata: { name, namespace } });
  await client.create(clusterRole, {
    metadata: { name },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }],
  });
  await client.create(clusterRoleBinding, {
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
    roleRef: { apiGroup: `rbac.authorization.${server.dialect.groupSuffix}`, kind: 'ClusterRole', name },
  });
  const { status } = await requestToken(server, client, name);
  const certificate = await issueCertificate(await server.certificateAuthority(), {
    commonName: `system:serviceaccount:${namespace}:${name}`,
    organizations: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    usages: ['clientAuth'],
  });
  return { certificate, token: status.token };
}

/** Requests a token of a service account for the audience of the server. */
export function requestToken({ dialect }, client, account) {
  const spec = { audiences: [`https://${dialect.name}.default.svc`] };
  return client.createSubresource(serviceAccount, account, 'token', { spec }, { namespace });
}

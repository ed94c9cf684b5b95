import { encodeBase64Text } from '../values/base64.js';
import type { Kubeconfig, KubeconfigCredentials } from './kubeconfig.js';

export interface CreateKubeconfigOptions extends KubeconfigCredentials {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM; absent for plain HTTP and for certificates of public authorities. */
  readonly certificateAuthority?: string | undefined;
  /** Name of the cluster. Default `orch`. */
  readonly name?: string | undefined;
  /** Name of the user; the context is then called `user@cluster`. Default: user and context are called as the cluster. */
  readonly user?: string | undefined;
  /** The context's namespace; the clients' own default (`default`) when absent. */
  readonly namespace?: string | undefined;
}

/**
 * A kubeconfig with one cluster, one user and one context, which is the current one. Whatever is secret in it (token,
 * key) is in it in the clear.
 * @throws TypeError when only one of client certificate and key is given.
 */
export function createKubeconfig(options: CreateKubeconfigOptions): Kubeconfig {
  const {
    server,
    certificateAuthority,
    clientCertificate,
    clientKey,
    token,
    name = 'orch',
    user: userName = name,
    namespace,
  } = options;
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new TypeError('a client certificate and its key belong together');
  }
  const cluster = {
    server,
    ...(certificateAuthority === undefined
      ? {}
      : { 'certificate-authority-data': encodeBase64Text(certificateAuthority) }),
  };
  const user = {
    ...(token === undefined ? {} : { token }),
    ...(clientCertificate === undefined ? {} : { 'client-certificate-data': encodeBase64Text(clientCertificate) }),
    ...(clientKey === undefined ? {} : { 'client-key-data': encodeBase64Text(clientKey) }),
  };
  const contextName = userName === name ? name : `${userName}@${name}`;
  const context = { cluster: name, user: userName, ...(namespace === undefined ? {} : { namespace }) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name: userName, user }],
    contexts: [{ name: contextName, context }],
    'current-context': contextName,
  };
}

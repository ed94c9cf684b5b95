import { encodeBase64Text } from '../values/base64.js';
import type { Kubeconfig, KubeconfigCredentials } from './kubeconfig.js';

export interface CreateKubeconfigOptions extends KubeconfigCredentials {
  /** URL of the server: `https://host:port`. */
  readonly server: string;
  /** PEM; absent for plain HTTP and for certificates of public authorities. */
  readonly certificateAuthority?: string | undefined;
  /** Name of the cluster. Default `orch`. */
  readonly name?: string | undefined;
  /** Name of the user; the context is then named `user@cluster`. Default: user and context have the name of the cluster. */
  readonly user?: string | undefined;
  /** Namespace of the context. Default: the clients' own default, which is `default`. */
  readonly namespace?: string | undefined;
}

/**
 * Creates a kubeconfig with one cluster, one user and one context, which is the current one. Secrets (token, key) are contained
 * unencrypted.
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

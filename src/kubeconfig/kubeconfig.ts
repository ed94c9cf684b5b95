import type { JsonValue } from '../json/value.js';
import { encodeBase64Text } from '../values/base64.js';

/** The configuration file in which clients find the address of a server and credentials. Only the members used here are declared. */
export interface Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  /** The servers, by name. */
  readonly clusters: readonly NamedCluster[];
  /** The credentials, by name. */
  readonly users: readonly NamedUser[];
  /** Pairs of a server and credentials, by name. */
  readonly contexts: readonly NamedContext[];
  /** The name of the context that clients use unless another one is requested. */
  readonly 'current-context': string;
}
/** A cluster of a kubeconfig: a server, and the authorities that verify it. */
export interface NamedCluster {
  /** The name by which contexts refer to the server. */
  readonly name: string;
  /** How clients reach the server. */
  readonly cluster: {
    /** The URL of the server. */
    readonly server: string;
    /** The certificate authorities, as PEM in base64. */
    readonly 'certificate-authority-data'?: string;
    /** Extensions, by name: data for programs that know the name. */
    readonly extensions?: readonly { readonly name: string; readonly extension: JsonValue }[];
  };
}
/** A user of a kubeconfig: a name, and credentials. */
export interface NamedUser {
  /** The name by which contexts refer to the credentials. */
  readonly name: string;
  /** The credentials: a token, or a client certificate with its key. */
  readonly user: {
    /** The bearer token. */
    readonly token?: string;
    /** The client certificate, as PEM in base64. */
    readonly 'client-certificate-data'?: string;
    /** The private key, as PEM in base64. */
    readonly 'client-key-data'?: string;
  };
}
/** A context of a kubeconfig: a cluster, a user and a namespace. */
export interface NamedContext {
  /** The name of the context. */
  readonly name: string;
  /** The names of the server and of the credentials, and the default namespace. */
  readonly context: { readonly cluster: string; readonly user: string; readonly namespace?: string };
}

/** The credentials of a user; empty for an anonymous one. Certificates and keys are PEM. */
export interface KubeconfigCredentials {
  /** A bearer token. */
  readonly token?: string | undefined;
  /** A client certificate, as PEM. */
  readonly clientCertificate?: string | undefined;
  /** The client certificate's key, as PEM. */
  readonly clientKey?: string | undefined;
}

/** The options of `createKubeconfig`. */
export interface CreateKubeconfigOptions extends KubeconfigCredentials {
  /** URL of the server: `https://host:port`. */
  readonly server: string;
  /** The certificate authorities in PEM; absent for plain HTTP and for server certificates issued by public authorities. */
  readonly certificateAuthority?: string | undefined;
  /** Name of the cluster. Default `orch`. */
  readonly name?: string | undefined;
  /** The name of the user; the context is then named `user@cluster`. Default: user and context are named like the cluster. */
  readonly user?: string | undefined;
  /** Extensions of the cluster, by name. A client ignores extensions whose name it does not know. Default: no extensions. */
  readonly extensions?: Readonly<Record<string, JsonValue>> | undefined;
  /** The namespace of the context. If it is absent, clients use `default`. */
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
    extensions = {},
  } = options;
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new TypeError('a client certificate and its key must be given together');
  }
  const cluster = {
    server,
    ...(certificateAuthority === undefined
      ? {}
      : { 'certificate-authority-data': encodeBase64Text(certificateAuthority) }),
    ...(Object.keys(extensions).length === 0
      ? {}
      : { extensions: Object.entries(extensions).map(([name, extension]) => ({ name, extension })) }),
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

/** Formats a kubeconfig as YAML. All strings are quoted. */
export function formatKubeconfig(kubeconfig: Kubeconfig): string {
  const { apiVersion, kind, clusters, users, contexts } = kubeconfig;
  const lines: string[] = [];
  // The cast is needed because an interface has no index signature; all members are plain JSON.
  const members = { apiVersion, kind, clusters, users, contexts, 'current-context': kubeconfig['current-context'] };
  for (const [name, value] of Object.entries(members)) pushMember(lines, '', name, value as unknown as JsonValue);
  return `${lines.join('\n')}\n`;
}

function pushMember(lines: string[], indent: string, name: string, value: JsonValue | undefined): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    lines.push(`${indent}${name}: ${quoteYaml(value)}`);
    return;
  }
  lines.push(`${indent}${name}:`);
  if (!Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) pushMember(lines, `${indent}  `, key, member);
    return;
  }
  for (const item of value) {
    const first = lines.length;
    for (const [key, member] of Object.entries(item ?? {})) pushMember(lines, `${indent}  `, key, member as JsonValue);
    lines[first] = `${indent}- ${(lines[first] ?? '').trimStart()}`;
  }
}

/** Formats a value as JSON. This is also YAML, because the characters that YAML does not allow unescaped are escaped. */
function quoteYaml(value: JsonValue): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The error for a kubeconfig that cannot be used. The message says which part is wrong. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

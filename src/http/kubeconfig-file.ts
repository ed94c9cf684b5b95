/** Who a kubeconfig speaks for. Texts are PEM. */
export type KubeconfigCredentials =
  | { readonly token: string }
  | { readonly certificate: string; readonly key: string }
  | Readonly<Record<string, never>>;

export interface KubeconfigContent {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM; absent for plain HTTP and for certificates of public authorities. */
  readonly certificateAuthority?: string | undefined;
  /** The names of the cluster and of the user; also told by the context `user@cluster`. */
  readonly cluster: string;
  readonly user: string;
  /** Of the context; the clients' own default when absent. */
  readonly namespace?: string | undefined;
  readonly credentials: KubeconfigCredentials;
}

/** The text (YAML) of a kubeconfig with one cluster, one user and one context. */
export function formatKubeconfig(content: KubeconfigContent): string {
  const { server, certificateAuthority, cluster, user, namespace, credentials } = content;
  const context = `${user}@${cluster}`;
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${quote(cluster)}`,
    '  cluster:',
    `    server: ${quote(server)}`,
  ];
  if (certificateAuthority !== undefined) lines.push(`    certificate-authority-data: ${base64(certificateAuthority)}`);
  lines.push('users:', `- name: ${quote(user)}`);
  if ('token' in credentials) lines.push('  user:', `    token: ${quote(credentials.token ?? '')}`);
  else if ('certificate' in credentials) {
    lines.push('  user:', `    client-certificate-data: ${base64(credentials.certificate ?? '')}`);
    lines.push(`    client-key-data: ${base64(credentials.key ?? '')}`);
  } else lines.push('  user: {}');
  lines.push(
    'contexts:',
    `- name: ${quote(context)}`,
    '  context:',
    `    cluster: ${quote(cluster)}`,
    `    user: ${quote(user)}`,
  );
  if (namespace !== undefined) lines.push(`    namespace: ${quote(namespace)}`);
  lines.push(`current-context: ${quote(context)}`, '');
  return lines.join('\n');
}

/** JSON strings are YAML. */
const quote = (text: string) => JSON.stringify(text);
const base64 = (text: string) => Buffer.from(text).toString('base64');

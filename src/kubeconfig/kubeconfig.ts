/** The file from which clients read where a server is and who they are; only the members used here. */
export interface Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly NamedCluster[];
  readonly users: readonly NamedUser[];
  readonly contexts: readonly NamedContext[];
  readonly 'current-context': string;
}
export interface NamedCluster {
  readonly name: string;
  readonly cluster: {
    readonly server: string;
    /** PEM, base64. */
    readonly 'certificate-authority-data'?: string;
  };
}
export interface NamedUser {
  readonly name: string;
  readonly user: {
    readonly token?: string;
    /** PEM, base64. */
    readonly 'client-certificate-data'?: string;
    /** PEM, base64. */
    readonly 'client-key-data'?: string;
  };
}
export interface NamedContext {
  readonly name: string;
  readonly context: { readonly cluster: string; readonly user: string; readonly namespace?: string };
}

/** How the user proves who they are; none means anonymous. Certificates and keys are PEM. */
export interface KubeconfigCredentials {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

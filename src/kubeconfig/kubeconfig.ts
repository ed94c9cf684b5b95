/** The file in which clients find the server and their credentials. Only the members used here are declared. */
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

/** The credentials of a user; empty for an anonymous one. Certificates and keys are PEM. */
export interface KubeconfigCredentials {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

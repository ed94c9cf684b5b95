import type { KeyPair } from '../pki/certificate-authority.js';

/** The CA bundles for client certificates and the proxy settings that a server publishes. Empty members are not published. */
export interface AuthenticationTrust {
  /** The CA bundle for client certificates as PEM. */
  readonly clientCA?: string;
  /** How the server recognizes authenticating proxies. */
  readonly requestHeader?: {
    readonly clientCA: string;
    readonly allowedNames: readonly string[];
    readonly usernameHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
  };
}

/** The CA key pair that signs approved certificate requests, and the maximum lifetime of the issued certificates. */
export interface CertificateSigner {
  /** The certificate authority that signs. */
  readonly authority: KeyPair;
  /** The maximum lifetime of a certificate, in milliseconds. */
  readonly duration: number;
}

/** The certificate authorities of a server. Each is generated or read on first use. */
export interface ServerAuthorities {
  /** Returns the CA certificate (PEM) that is published in namespaces and token secrets, or undefined when there is none. */
  root(): Promise<string | undefined>;
  /** Whether the operator provided the root CA. If so, all servers on the storage have the same one, and it is published unchanged. */
  readonly rootIsGiven: boolean;
  /** Returns the CA for the well-known signer names, or undefined when the server does not sign for them. */
  signer(): Promise<CertificateSigner | undefined>;
  /** Returns the CA bundles and proxy settings to publish. */
  trust(): Promise<AuthenticationTrust>;
  /** Whether the only CA that the server trusts is its own, which it generated. */
  readonly trustsItself: boolean;
}

export interface ServerAuthoritiesOptions {
  /** The CA that the server generated for itself. */
  readonly own: { keyPair(): Promise<KeyPair> };
  /** The root CA certificate as PEM; `false` for none. Default: the server's own CA. */
  readonly root: string | false | undefined;
  /** The CA and the maximum lifetime for signing; `false` to sign nothing. Default: the server's own CA and a year. */
  readonly signing: Partial<CertificateSigner> | false | undefined;
  /**
   * The CA bundles and proxy settings to publish; `false` for none. Default: the server's own CA, if the server accepts client certificates
   * that it signed.
   */
  readonly trust: AuthenticationTrust | (() => AuthenticationTrust) | false | undefined;
  readonly trustsOwn: boolean;
}

const YEAR = 8760 * 3_600_000;

/** Creates the authorities of a server. @throws TypeError if the option `root` is empty; `false` means no root. */
export function serverAuthorities(options: ServerAuthoritiesOptions): ServerAuthorities {
  const { own, root, signing = {}, trust, trustsOwn } = options;
  if (root === '')
    throw new TypeError('the root certificate authority is empty: give a certificate, or false to publish none');
  return {
    rootIsGiven: root !== undefined,
    root: async () => (root === undefined ? (await own.keyPair()).certificate : root || undefined),
    signer: async () =>
      signing
        ? { authority: signing.authority ?? (await own.keyPair()), duration: signing.duration ?? YEAR }
        : undefined,
    trustsItself: trust === undefined && trustsOwn,
    trust: async () =>
      (typeof trust === 'function' ? trust() : trust) ||
      (trust === undefined && trustsOwn ? { clientCA: (await own.keyPair()).certificate } : {}),
  };
}

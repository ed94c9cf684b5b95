import type { KeyPair } from '../pki/certificate-authority.js';

/** The authorities that a server trusts, as it publishes them. Empty members are left out. */
export interface AuthenticationTrust {
  /** PEM of the authorities for client certificates. */
  readonly clientCA?: string;
  /** How authenticating proxies are recognized. */
  readonly requestHeader?: {
    readonly clientCA: string;
    readonly allowedNames: readonly string[];
    readonly usernameHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
  };
}

/** Key pair and limits for signing approved certificates. */
export interface CertificateSigner {
  readonly authority: KeyPair;
  /** The longest lifetime of a certificate, in milliseconds. */
  readonly duration: number;
}

/** The authorities of a server. Each is made or read on first use. */
export interface ServerAuthorities {
  /** Returns the PEM of the authority that is put into namespaces and token secrets, or undefined when there is none. */
  root(): Promise<string | undefined>;
  /** Whether the operator provided the root authority. Then all servers on the storage have the same one, and it is published unchanged. */
  readonly rootIsGiven: boolean;
  /** Returns the signer for the well-known signer names, or undefined when the server does not sign for them. */
  signer(): Promise<CertificateSigner | undefined>;
  /** Returns the trusted authorities for publication. */
  trust(): Promise<AuthenticationTrust>;
  /** Whether the server trusts only its own authority, which it made itself. */
  readonly trustsItself: boolean;
}

export interface ServerAuthoritiesOptions {
  /** The server's own authority. */
  readonly own: () => Promise<KeyPair>;
  /** PEM of the root authority; `false` for none. Default: the server's own authority. */
  readonly root: string | false | undefined;
  /** Authority and duration for signing; `false` to sign nothing. Default: the server's own authority and a year. */
  readonly signing: Partial<CertificateSigner> | false | undefined;
  /**
   * What is published about trust; `false` for nothing. Default: the server's own authority, if the server trusts client certificates that
   * it signed.
   */
  readonly trust: AuthenticationTrust | (() => AuthenticationTrust) | false | undefined;
  readonly trustsOwn: boolean;
}

const YEAR = 8760 * 3_600_000;

/** Creates the authorities of a server. @throws TypeError for an empty root; `false` means no root. */
export function serverAuthorities(options: ServerAuthoritiesOptions): ServerAuthorities {
  const { own, root, signing = {}, trust, trustsOwn } = options;
  if (root === '') throw new TypeError('the root certificate authority is empty; false publishes none');
  return {
    rootIsGiven: root !== undefined,
    root: async () => (root === undefined ? (await own()).certificate : root || undefined),
    signer: async () =>
      signing ? { authority: signing.authority ?? (await own()), duration: signing.duration ?? YEAR } : undefined,
    trustsItself: trust === undefined && trustsOwn,
    trust: async () =>
      (typeof trust === 'function' ? trust() : trust) ||
      (trust === undefined && trustsOwn ? { clientCA: (await own()).certificate } : {}),
  };
}

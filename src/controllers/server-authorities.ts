import type { KeyPair } from '../pki/certificate-authority.js';

/** The authorities that a server publishes for other servers to trust; empty members are left out. */
export interface AuthenticationTrust {
  /** Authorities of client certificates, PEM. */
  readonly clientCA?: string;
  /** How authenticating proxies are known. */
  readonly requestHeader?: {
    readonly clientCA: string;
    readonly allowedNames: readonly string[];
    readonly usernameHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
  };
}

/** Who issues approved certificates. */
export interface CertificateSigner {
  readonly authority: KeyPair;
  /** Longest life of a certificate, in milliseconds. */
  readonly duration: number;
}

/** The authorities of a server, each made or read when it is first asked for. */
export interface ServerAuthorities {
  /** PEM of the authority that namespaces and token secrets carry; undefined: none. */
  root(): Promise<string | undefined>;
  /** The issuer for the well-known signers; undefined: none. */
  signer(): Promise<CertificateSigner | undefined>;
  /** What is published about the authorities that the server trusts. */
  trust(): Promise<AuthenticationTrust>;
}

export interface ServerAuthoritiesOptions {
  /** The server's own authority. */
  readonly own: () => Promise<KeyPair>;
  /** PEM of the root; '' for none. Default: the own authority's. */
  readonly root: string | undefined;
  /** Default: the own authority, a year; `false` for none. */
  readonly signing: Partial<CertificateSigner> | false | undefined;
  /** Default: the own authority, where its client certificates are trusted. */
  readonly trust: AuthenticationTrust | undefined;
  readonly trustsOwn: boolean;
}

const YEAR = 8760 * 3_600_000;

export function serverAuthorities(options: ServerAuthoritiesOptions): ServerAuthorities {
  const { own, root, signing = {}, trust, trustsOwn } = options;
  return {
    root: async () => (root === undefined ? (await own()).certificate : root || undefined),
    signer: async () =>
      signing ? { authority: signing.authority ?? (await own()), duration: signing.duration ?? YEAR } : undefined,
    trust: async () => trust ?? (trustsOwn ? { clientCA: (await own()).certificate } : {}),
  };
}

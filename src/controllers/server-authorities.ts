import type { KeyPair } from '../pki/certificate-authority.js';

/** What a server publishes about the authorities it trusts; empty members are left out. */
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
  /** Whether the operator gave it: it is published as it is, and the same to all servers. */
  readonly rootIsGiven: boolean;
  /** Who issues certificates of the well-known signers; undefined: they are not issued. */
  signer(): Promise<CertificateSigner | undefined>;
  /** What is published about the authorities that the server trusts. */
  trust(): Promise<AuthenticationTrust>;
  /** Whether that is its own authority alone, which it made itself. */
  readonly trustsItself: boolean;
}

export interface ServerAuthoritiesOptions {
  /** The server's own authority. */
  readonly own: () => Promise<KeyPair>;
  /** PEM of the root; `false` for none. Default: the own authority's. */
  readonly root: string | false | undefined;
  /** Default: the own authority, a year; `false`: none. */
  readonly signing: Partial<CertificateSigner> | false | undefined;
  /** `false` for none. Default: the own authority, where its client certificates are trusted. */
  readonly trust: AuthenticationTrust | (() => AuthenticationTrust) | false | undefined;
  readonly trustsOwn: boolean;
}

const YEAR = 8760 * 3_600_000;

/** @throws TypeError for an empty root: `false` is how to have none. */
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

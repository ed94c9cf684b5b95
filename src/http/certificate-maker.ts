import { networkInterfaces } from 'node:os';
import type { CertificateAndKey } from './request-handler.js';

/** Days that a certificate made here is valid; servers that make their own certificates are short-lived. */
const SERVING_DAYS = 365;
const CLIENT_DAYS = 365;

/** What a {@link CertificateMaker} receives: the options of `issueCertificate` that a listener uses. */
export interface WantedCertificate {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usages: readonly ('serverAuth' | 'clientAuth')[];
  readonly days: number;
}

/** Makes authorities and certificates; replaceable by tests. */
export interface CertificateMaker {
  createCertificateAuthority(options: { readonly commonName: string }): Promise<CertificateAndKey>;
  issueCertificate(authority: CertificateAndKey, request: WantedCertificate): Promise<CertificateAndKey>;
}

/** Issues a serving certificate for `localhost`, the loopback addresses, the listening host and `names` (hosts or addresses). */
export function issueServingCertificate(
  maker: CertificateMaker,
  authority: CertificateAndKey,
  host: string,
  names: readonly string[],
): Promise<CertificateAndKey> {
  const everywhere = host === '0.0.0.0' || host === '::';
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...(everywhere ? ownAddresses() : [host]), ...names]);
  return maker.issueCertificate(authority, {
    commonName: 'apiserver',
    dnsNames: [...hosts].filter((name) => !isAddress(name)),
    ipAddresses: [...hosts].filter(isAddress),
    usages: ['serverAuth'],
    days: SERVING_DAYS,
  });
}

/** Issues a client certificate with the user's name as its common name and the groups as its organizations. */
export function issueClientCertificate(
  maker: CertificateMaker,
  authority: CertificateAndKey,
  username: string,
  groups: readonly string[],
): Promise<CertificateAndKey> {
  return maker.issueCertificate(authority, {
    commonName: username,
    organizations: groups,
    usages: ['clientAuth'],
    days: CLIENT_DAYS,
  });
}

const isAddress = (name: string) => /^[\d.]+$/.test(name) || name.includes(':');

/** Returns the addresses of this machine without link-local ones, whose zone a certificate cannot contain. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'));
}

/** Loads the library's own maker on first use. */
export async function loadCertificateMaker(): Promise<CertificateMaker> {
  return await import('../pki/certificate-authority.js');
}

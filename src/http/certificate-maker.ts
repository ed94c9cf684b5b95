import { networkInterfaces } from 'node:os';
import type { CertificateAndKey } from './request-handler.js';

/** Days a made certificate is valid: servers that make their own are short-lived. */
const SERVING_DAYS = 365;
const CLIENT_DAYS = 365;

/** What a {@link CertificateMaker} is asked for: the options of `issueCertificate` that a listener gives. */
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
  issueCertificate(authority: CertificateAndKey, wanted: WantedCertificate): Promise<CertificateAndKey>;
}

/** A serving certificate for `localhost`, the loopback addresses, the listening host and `names` (hosts or addresses). */
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

/** A client certificate: the user's name and groups are its common name and organizations. */
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

/** Link-local addresses carry a zone that no certificate can. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'));
}

/** The library's own maker, loaded when first used. */
export async function loadCertificateMaker(): Promise<CertificateMaker> {
  return await import('../pki/certificate-authority.js');
}

import { loadCertificateReader } from '../../pki/parse-certificate.js';
import { encodePem } from '../../pki/pem.js';

/** Milliseconds for which a certificate still counts as valid after it has expired. The tolerance is needed because clocks differ. */
const SLACK = 5 * 60_000;

/**
 * Merges several CA bundles (PEM) in order, without duplicates and expired certificates. The result is '' when no certificate is left.
 * @param now milliseconds since the epoch.
 * @throws DerError for a PEM block that is not a certificate, Error for a bundle without a certificate.
 */
export async function uniteBundles(bundles: readonly string[], now: number): Promise<string> {
  const { readCertificates } = await loadCertificateReader();
  const all = bundles.flatMap((bundle) => {
    const certificates = readCertificates(bundle);
    if (certificates.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
    return certificates;
  });
  const valid = all.filter(({ notAfter }) => notAfter > now - SLACK);
  return [...new Set(valid.map(({ raw }) => encodePem('CERTIFICATE', raw)))].join('');
}

/** The maximum number of servers' CA certificates that are published together. The oldest ones are dropped first. */
const MOST_AUTHORITIES = 64;

/**
 * Adds the CA certificate of this server to the bundle that other servers have published. A bundle that cannot be parsed was not published
 * by a server, so it is replaced.
 */
export async function addAuthority(existing: string, own: string, now: number): Promise<string> {
  if (existing === own || existing === '') return own;
  const known = await uniteBundles([existing], now).catch(() => '');
  if (known === '') return own;
  const all = (await uniteBundles([known, own], now)).split(/(?<=-----END CERTIFICATE-----\n)/);
  return all.slice(-MOST_AUTHORITIES).join('');
}

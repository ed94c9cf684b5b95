import { loadCertificateReader } from '../../pki/parse-certificate.js';
import { encodePem } from '../../pki/pem.js';

/** A certificate counts as valid so long after it has expired, as clocks differ. In milliseconds. */
const SLACK = 5 * 60_000;

/**
 * The certificates of several PEM texts as one, in order, each once and without those that have expired; '' when none is left.
 * @param now milliseconds since the epoch.
 * @throws DerError for a block that holds something else, Error for a text without a certificate.
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

/** More authorities of servers than that are not published: the oldest leave. */
const MOST_AUTHORITIES = 64;

/** The authority of a server beside those that other servers have published; what cannot be read is not from a server. */
export async function addAuthority(there: string, own: string, now: number): Promise<string> {
  if (there === own || there === '') return own;
  const known = await uniteBundles([there], now).catch(() => '');
  if (known === '') return own;
  const all = (await uniteBundles([known, own], now)).split(/(?<=-----END CERTIFICATE-----\n)/);
  return all.slice(-MOST_AUTHORITIES).join('');
}

import type { Dialect } from '../../meta/dialect.js';
import { counter } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import { parseCertificates } from '../../pki/parse-certificate.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { decodeBase64Text } from '../../values/base64.js';

const SIGNER = ['signerName'];
const requested = counter(
  'apiserver_certificates_registry_csr_requested_duration_total',
  'Total number of issued CSRs with a requested duration, sliced by signer (only kubernetes.io signer names are specifically identified)',
  SIGNER,
);
const honored = counter(
  'apiserver_certificates_registry_csr_honored_duration_total',
  'Total number of issued CSRs with a requested duration that was honored, sliced by signer (only kubernetes.io signer names are specifically identified)',
  SIGNER,
);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Counts a newly issued certificate when its request asks for a lifetime. */
export async function countIssued(
  metrics: Metrics,
  dialect: Dialect,
  next: CertificateSigningRequest,
  previous: CertificateSigningRequest | undefined,
): Promise<void> {
  const { signerName, expirationSeconds } = next.spec;
  const certificate = next.status.certificate ?? '';
  if (!previous || certificate === '' || previous.status.certificate || expirationSeconds === undefined) return;
  const signer = [signerName.startsWith(`${dialect.labelDomain}/`) ? signerName : 'other'];
  metrics.add(requested, signer);
  const lifetime = await lifetimeOf(certificate);
  const requestedLifetime = expirationSeconds * SECOND;
  // The tolerance is that of upstream: five minutes, by which certificates are backdated, and a twentieth of the requested lifetime.
  if (lifetime !== undefined && Math.abs(requestedLifetime - lifetime) < 5 * MINUTE + requestedLifetime / 20)
    metrics.add(honored, signer);
}

/** Returns the lifetime of the first certificate in milliseconds, or undefined when there is none. */
async function lifetimeOf(encoded: string): Promise<number | undefined> {
  try {
    const [first] = await parseCertificates(decodeBase64Text(encoded));
    return first && first.notAfter - first.notBefore;
  } catch {
    return undefined;
  }
}

import { type Random, systemRandom } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import type { KeyPair } from './certificate-authority.js';
import type { CertificateRequest } from './certificate-request.js';
import { certificateUsages } from './certificate-usages.js';
import { parseCertificates } from './parse-certificate.js';
import { requestSignatureProblem } from './parse-request.js';
import { encodePem } from './pem.js';
import { importPrivateKey } from './private-key.js';
import { serialNumber } from './self-signed.js';

export interface SignRequestOptions {
  /** The certificate's uses, named as in the API: `client auth`. */
  readonly usages: readonly string[];
  /** The requested validity in milliseconds. */
  readonly lifetime: number;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /** The source of the serial number. Default: the runtime's. */
  readonly random?: Random;
  /** Default: the runtime's. */
  readonly signatures?: Signatures;
}

const BACKDATE = 300_000;
/** A certificate with a shorter lifetime is extended by the backdating, so that it is valid for its full lifetime. */
const SHORT = 8 * 3_600_000;

/**
 * Issues a certificate for a request. Only the subject and the names come from the request; the caller decides the uses and the lifetime.
 * The certificate is not an authority and does not outlive the authority that signs it.
 * @returns PEM
 * @throws TypeError for an authority that cannot be read, Error for a request that is not signed with its own key or an authority that has
 * expired.
 */
export async function signRequest(
  authority: KeyPair,
  request: CertificateRequest,
  options: SignRequestOptions,
): Promise<string> {
  const { usages, lifetime, now, random = systemRandom, signatures } = options;
  const [issuer] = await parseCertificates(authority.certificate);
  if (!issuer) throw new TypeError('the authority holds no certificate in PEM form');
  const notBefore = now - BACKDATE;
  if (notBefore >= issuer.notAfter)
    throw new Error(`the signer has expired: NotAfter=${new Date(issuer.notAfter).toISOString()}`);
  const problem = await requestSignatureProblem(request, signatures);
  if (problem !== undefined) throw new Error(`unable to verify certificate request signature: ${problem}`);
  const { buildCertificate } = await import('./build-certificate.js');
  const der = await buildCertificate(
    {
      serial: serialNumber(random),
      issuer: issuer.subject.raw,
      subject: request.subject.raw,
      notBefore,
      notAfter: Math.min(now + (lifetime < SHORT ? lifetime : lifetime - BACKDATE), issuer.notAfter),
      publicKey: request.publicKey,
      ...certificateUsages(usages),
      subjectAltNames: request.subjectAltNames,
      ...(issuer.subjectKeyId ? { authorityKeyId: issuer.subjectKeyId } : {}),
    },
    await importPrivateKey(authority.key, signatures),
  );
  return encodePem('CERTIFICATE', der);
}

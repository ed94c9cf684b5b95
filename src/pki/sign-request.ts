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
  /** What the certificate is for, in the words of the API: `client auth`. */
  readonly usages: readonly string[];
  /** How long it is wanted to be valid, in milliseconds. */
  readonly lifetime: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Where the serial number comes from; default the runtime's source. */
  readonly random?: Random;
  /** Default the runtime's. */
  readonly signatures?: Signatures;
}

const BACKDATE = 300_000;
/** Certificates that live shorter than this get their backdating on top. */
const SHORT = 8 * 3_600_000;

/**
 * Issues what a certificate request asks for: its subject and its names, nothing else of it, for uses and a time that the
 * caller decides. It is not an authority and does not outlive the one that signs.
 * @returns PEM
 * @throws TypeError for an authority that cannot be read, Error for a request that is not signed with its own key or an
 * authority that has expired.
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

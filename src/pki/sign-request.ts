import { type Random, systemRandom } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import { buildCertificate, purposeExtensions, serialNumber } from './build-certificate.js';
import { type KeyUsage, keyUsages } from './certificate.js';
import { issuerOf, type KeyPair, signerOf } from './certificate-authority.js';
import type { CertificateRequest } from './certificate-request.js';
import { requestSignatureProblem } from './parse-request.js';
import { encodePem } from './pem.js';

/** The options of {@link signRequest}. */
export interface SignRequestOptions {
  /** The certificate's uses, named as in the API: `client auth`. */
  readonly usages: readonly string[];
  /** The requested validity in milliseconds. */
  readonly lifetime: number;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /** Generates the random bytes of the serial number. Default: the runtime's random number generator. */
  readonly random?: Random;
  /** Checks the signature of the request and signs the certificate. Default: the runtime's cryptography. */
  readonly signatures?: Signatures;
}

const BACKDATE = 300_000;
/**
 * The validity begins `BACKDATE` before the issuance, so a requested lifetime is normally reduced by that time. A lifetime below this limit
 * is not reduced, so that the certificate is usable for all of it.
 */
const SHORT = 8 * 3_600_000;

/**
 * Issues a certificate for a request. Only the subject and the names come from the request; the caller decides the uses and the lifetime.
 * The certificate is not an authority and does not outlive the authority that signs it.
 * @returns the certificate, PEM
 * @throws TypeError for an authority that cannot be read; Error for a request that is not signed with its own key, and for an authority
 * that has expired.
 */
export async function signRequest(
  authority: KeyPair,
  request: CertificateRequest,
  options: SignRequestOptions,
): Promise<string> {
  const { usages, lifetime, now, random = systemRandom, signatures } = options;
  const issuer = await issuerOf(authority);
  const notBefore = now - BACKDATE;
  if (notBefore >= issuer.notAfter)
    throw new Error(`the signer has expired: NotAfter=${new Date(issuer.notAfter).toISOString()}`);
  const problem = await requestSignatureProblem(request, signatures);
  if (problem !== undefined) throw new Error(`unable to verify certificate request signature: ${problem}`);
  const der = await buildCertificate(
    {
      serial: serialNumber(random),
      issuer: issuer.subject.raw,
      subject: request.subject.raw,
      notBefore,
      notAfter: Math.min(now + (lifetime < SHORT ? lifetime : lifetime - BACKDATE), issuer.notAfter),
      publicKey: request.publicKey,
      purpose: purposeExtensions(certificateUsages(usages)),
      subjectAltNames: request.subjectAltNames,
      ...(issuer.subjectKeyId ? { authorityKeyId: issuer.subjectKeyId } : {}),
    },
    await signerOf(authority, signatures),
  );
  return encodePem('CERTIFICATE', der);
}

// The key usages of certificates, by the names that the CertificateSigningRequest API gives them.
const KEY_USES: Readonly<Record<string, KeyUsage>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'contentCommitment',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'keyCertSign',
  'crl sign': 'crlSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};
const PURPOSES = '1.3.6.1.5.5.7.3';
/** The extended key usages, in the order in which certificates list them. */
const EXTENDED_USES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': `${PURPOSES}.1`,
  'client auth': `${PURPOSES}.2`,
  'code signing': `${PURPOSES}.3`,
  'email protection': `${PURPOSES}.4`,
  's/mime': `${PURPOSES}.4`,
  'ipsec end system': `${PURPOSES}.5`,
  'ipsec tunnel': `${PURPOSES}.6`,
  'ipsec user': `${PURPOSES}.7`,
  timestamping: `${PURPOSES}.8`,
  'ocsp signing': `${PURPOSES}.9`,
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** The allowed uses of a certificate. */
interface CertificateUsages {
  readonly keyUsage: readonly KeyUsage[];
  /** Object identifiers of the extended key usages. */
  readonly extendedKeyUsage: readonly string[];
}

/** Returns the content of the usage extensions for the usages of a CertificateSigningRequest. @throws TypeError for an unknown usage. */
export function certificateUsages(usages: readonly string[]): CertificateUsages {
  const unknown = usages.find((usage) => !Object.hasOwn(KEY_USES, usage) && !Object.hasOwn(EXTENDED_USES, usage));
  if (unknown !== undefined) throw new TypeError(`unrecognized usage: ${unknown}`);
  const requestedUses = new Set(
    usages.flatMap((usage) => (Object.hasOwn(KEY_USES, usage) ? (KEY_USES[usage] ?? []) : [])),
  );
  const purposes = Object.entries(EXTENDED_USES).flatMap(([usage, oid]) => (usages.includes(usage) ? [oid] : []));
  return { keyUsage: keyUsages.filter((use) => requestedUses.has(use)), extendedKeyUsage: [...new Set(purposes)] };
}

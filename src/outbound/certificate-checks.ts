import type { WeakCertificate } from '../meta/fetch.js';
import { derTag, expectTag, readElements, readOid, readWhole } from '../pki/der/reader.js';
import { type NativeCertificate, nativeTls } from './native-http.js';
import { transportMessage } from './transport-message.js';

/** The object identifiers of sha1WithRSAEncryption and ecdsa-with-SHA1. */
const SHA1_SIGNATURES: readonly string[] = ['1.2.840.113549.1.1.5', '1.2.840.10045.4.1'];
/** Matches the errors of OpenSSL and of this server's own verification for a signature algorithm that is too weak. */
const TOO_WEAK = /signature digest algorithm too weak|x509: cannot verify signature: insecure algorithm [\w-]*SHA1/;

/**
 * Returns an error when a certificate is not valid for a host. The common name is ignored, although Node accepts it if the certificate has
 * no DNS names.
 */
export function checkServerIdentity(host: string, certificate: NativeCertificate): Error | undefined {
  const hasNames = /(?:^|, )DNS:/.test(certificate.subjectaltname ?? '');
  const named = hasNames ? certificate : { ...certificate, subject: {} };
  const error = nativeTls().checkServerIdentity(host, named);
  return error && Object.assign(error, { cert: certificate });
}

/** Returns `insecure-sha1` or `missing-san` if a certificate with this defect caused the connection error; undefined for other errors. */
export function weaknessOf(error: Error): WeakCertificate | undefined {
  if (TOO_WEAK.test(error.message)) return 'insecure-sha1';
  return transportMessage(error).includes('x509: certificate relies on legacy Common Name field')
    ? 'missing-san'
    : undefined;
}

/**
 * Returns `missing-san` if a server's certificate has no subject alternative name, and `insecure-sha1` if a certificate in its chain,
 * except the root, has a SHA-1 signature. It is used for chains that were not verified.
 */
export function weaknessesOf(certificate: NativeCertificate): readonly WeakCertificate[] {
  const weaknesses: WeakCertificate[] = certificate.subjectaltname === undefined ? ['missing-san'] : [];
  const seen = new Set<NativeCertificate>();
  for (let link: NativeCertificate | undefined = certificate; link && !seen.has(link); link = link.issuerCertificate) {
    seen.add(link);
    const isRoot = JSON.stringify(link.subject) === JSON.stringify(link.issuer);
    if (isRoot || !link.raw || !SHA1_SIGNATURES.includes(signatureAlgorithm(link.raw))) continue;
    weaknesses.push('insecure-sha1');
    break;
  }
  return weaknesses;
}

/** Returns the object identifier of a certificate's signature algorithm; '' when it cannot be read. */
function signatureAlgorithm(certificate: Uint8Array): string {
  try {
    const [, algorithm] = readElements(readWhole(certificate, derTag.sequence));
    const [identifier] = readElements(expectTag(algorithm, derTag.sequence));
    return readOid(expectTag(identifier, derTag.oid));
  } catch {
    return '';
  }
}

import type { WeakCertificate } from '../meta/fetch.js';
import { derTag, expectTag, readElements, readOid, readWhole } from '../pki/der/reader.js';
import { type NativeCertificate, nativeTls } from './native-http.js';
import { transportMessage } from './transport-message.js';

/** sha1WithRSAEncryption and ecdsa-with-SHA1. */
const SHA1_SIGNATURES: readonly string[] = ['1.2.840.113549.1.1.5', '1.2.840.10045.4.1'];
/** How OpenSSL and this server's own verification report a signature algorithm that is too weak. */
const TOO_WEAK = /signature digest algorithm too weak|x509: cannot verify signature: insecure algorithm [\w-]*SHA1/;

/**
 * Returns an error when a certificate is not for a host. The common name never counts, although Node accepts it for a certificate without
 * other names.
 */
export function checkServerIdentity(host: string, certificate: NativeCertificate): Error | undefined {
  const hasNames = /(?:^|, )DNS:/.test(certificate.subjectaltname ?? '');
  const named = hasNames ? certificate : { ...certificate, subject: {} };
  const error = nativeTls().checkServerIdentity(host, named);
  return error && Object.assign(error, { cert: certificate });
}

/** Returns the weakness of the certificate that made a connection fail, if any. */
export function weaknessOf(error: Error): WeakCertificate | undefined {
  if (TOO_WEAK.test(error.message)) return 'insecure-sha1';
  return transportMessage(error).includes('x509: certificate relies on legacy Common Name field')
    ? 'missing-san'
    : undefined;
}

/** Returns the weaknesses of certificates that were not verified: of the server's own, then of its issuers. */
export function weaknessesOf(certificate: NativeCertificate): readonly WeakCertificate[] {
  const found: WeakCertificate[] = certificate.subjectaltname === undefined ? ['missing-san'] : [];
  const seen = new Set<NativeCertificate>();
  for (let each: NativeCertificate | undefined = certificate; each && !seen.has(each); each = each.issuerCertificate) {
    seen.add(each);
    const isRoot = JSON.stringify(each.subject) === JSON.stringify(each.issuer);
    if (isRoot || !each.raw || !SHA1_SIGNATURES.includes(signatureAlgorithm(each.raw))) continue;
    found.push('insecure-sha1');
    break;
  }
  return found;
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

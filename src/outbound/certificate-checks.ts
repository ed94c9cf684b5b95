import type { WeakCertificate } from '../meta/fetch.js';
import { derTag, expectTag, readElements, readOid, readWhole } from '../pki/der/reader.js';
import { type NativeCertificate, nativeTls } from './native-http.js';
import { transportMessage } from './transport-message.js';

/** sha1WithRSAEncryption and ecdsa-with-SHA1. */
const SHA1_SIGNATURES: readonly string[] = ['1.2.840.113549.1.1.5', '1.2.840.10045.4.1'];
/** How a signature algorithm that is too weak is reported: by OpenSSL, and by our own verification. */
const TOO_WEAK = /signature digest algorithm too weak|x509: cannot verify signature: insecure algorithm [\w-]*SHA1/;

/** Whether a certificate is for a host: its common name never counts, though Node would take it where there are no other names. */
export function checkServerIdentity(host: string, certificate: NativeCertificate): Error | undefined {
  const hasNames = /(?:^|, )DNS:/.test(certificate.subjectaltname ?? '');
  const named = hasNames ? certificate : { ...certificate, subject: {} };
  const error = nativeTls().checkServerIdentity(host, named);
  return error && Object.assign(error, { cert: certificate });
}

/** What is weak about the certificate that a connection failed for. */
export function weaknessOf(error: Error): WeakCertificate | undefined {
  if (TOO_WEAK.test(error.message)) return 'insecure-sha1';
  return transportMessage(error).includes('x509: certificate relies on legacy Common Name field')
    ? 'missing-san'
    : undefined;
}

/** What is weak about certificates that a server showed and that were not looked at: its own, then the issuers. */
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

/** The object identifier of the algorithm a certificate is signed by; '' where it cannot be read. */
function signatureAlgorithm(certificate: Uint8Array): string {
  try {
    const [, algorithm] = readElements(readWhole(certificate, derTag.sequence));
    const [identifier] = readElements(expectTag(algorithm, derTag.sequence));
    return readOid(expectTag(identifier, derTag.oid));
  } catch {
    return '';
  }
}

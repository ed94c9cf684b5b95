import type { Certificate } from './certificate.js';
import type { CertificateMemory } from './certificate-memory.js';
import { loadCertificateReader } from './parse-certificate.js';

/**
 * The most that one connection may send: certificates, and bytes and elements of all of them together. Real chains have up to five
 * certificates.
 */
const MAX_CERTIFICATES = 16;
const MAX_BYTES = 131_072;
const MAX_ELEMENTS = 2048;

/**
 * Reads the certificates (DER) that the other side of a connection sent.
 * @param memory certificates that were parsed before
 * @throws Error for a certificate that cannot be parsed, or for too many of them.
 */
export async function readChain(
  chain: readonly Uint8Array[],
  memory?: CertificateMemory,
): Promise<readonly Certificate[]> {
  const bytes = chain.reduce((sum, der) => sum + der.length, 0);
  if (chain.length > MAX_CERTIFICATES || bytes > MAX_BYTES) throw new Error('the chain is too long');
  const { readCertificate } = await loadCertificateReader();
  const budget = { left: MAX_ELEMENTS };
  return chain.map((der) => memory?.find(der) ?? readCertificate(der, budget));
}

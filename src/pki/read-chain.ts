import { lengthOf } from '../values/join-bytes.js';
import type { Certificate } from './certificate.js';
import { loadCertificateReader } from './parse-certificate.js';

/**
 * The limits of the certificates that a peer may send on one connection: their number, and the bytes and elements of all of them together.
 * Real chains have up to five certificates.
 */
const MAX_CERTIFICATES = 16;
const MAX_BYTES = 131_072;
const MAX_ELEMENTS = 2048;

/**
 * Reads the certificates (DER) that the peer of a connection sent.
 * @param memory certificates that were parsed before
 * @throws Error for a certificate that cannot be parsed, and for too many certificates.
 */
export async function readChain(
  chain: readonly Uint8Array[],
  memory?: CertificateMemory,
): Promise<readonly Certificate[]> {
  if (chain.length > MAX_CERTIFICATES || lengthOf(chain) > MAX_BYTES) throw new Error('the chain is too long');
  const { readCertificate } = await loadCertificateReader();
  const budget = { left: MAX_ELEMENTS };
  return chain.map((der) => memory?.find(der) ?? readCertificate(der, budget));
}

// latin1 maps every byte to one character, so two strings are equal exactly when their bytes are.
const latin1 = new TextDecoder('latin1');

/** Certificates that were parsed before, by their bytes. The least recently used certificate is dropped first. */
export class CertificateMemory {
  readonly #size: number;
  readonly #certificates = new Map<string, Certificate>();

  /** @param size the maximum number of cached certificates. */
  constructor(size: number) {
    this.#size = size;
  }

  find(der: Uint8Array): Certificate | undefined {
    const key = latin1.decode(der);
    const found = this.#certificates.get(key);
    if (found && this.#certificates.delete(key)) this.#certificates.set(key, found);
    return found;
  }

  keep(certificate: Certificate): void {
    const key = latin1.decode(certificate.raw);
    this.#certificates.delete(key);
    this.#certificates.set(key, certificate);
    if (this.#certificates.size <= this.#size) return;
    for (const oldest of this.#certificates.keys()) {
      this.#certificates.delete(oldest);
      break;
    }
  }
}

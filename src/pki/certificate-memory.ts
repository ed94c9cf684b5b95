import type { Certificate } from './certificate.js';

// latin1 maps every byte to one character, so texts are equal exactly when their bytes are.
const latin1 = new TextDecoder('latin1');

/** Certificates that were parsed before, by their bytes. The least recently used are dropped first. */
export class CertificateMemory {
  readonly #size: number;
  readonly #certificates = new Map<string, Certificate>();

  /** @param size the most certificates that are kept. */
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

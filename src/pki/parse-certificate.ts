import { lengthOf } from '../values/join-bytes.js';
import type { Certificate } from './certificate.js';

/**
 * Imports the module that reads certificates. It is imported only when the first certificate is read, because its packages take 20 ms to
 * load.
 */
export const loadCertificateReader = () => import('./certificate-reader.js');

/**
 * Reads a DER certificate. Nothing is verified.
 * @throws DerError when it is not a certificate in strict DER.
 */
export async function parseCertificate(der: Uint8Array): Promise<Certificate> {
  return (await loadCertificateReader()).readCertificate(der);
}

/**
 * Reads the certificates of a PEM text, in order. A block may contain several certificates; blocks with another label or with headers are
 * skipped.
 * @throws DerError when the content of a CERTIFICATE block is not a certificate.
 */
export async function parseCertificates(pem: string): Promise<Certificate[]> {
  return (await loadCertificateReader()).readCertificates(pem);
}

/**
 * A certificate as Node represents it. Its `issuerCertificate` is the certificate that the peer sent next, even if that is not its issuer.
 */
export interface SentCertificate {
  readonly raw: Uint8Array;
  readonly issuerCertificate?: SentCertificate | undefined;
}

/**
 * Returns the DER of the certificates that the peer sent, in the order in which they were sent, the leaf first. It must be called only once
 * for a connection, because Node drops the issuers when they are first read. `getPeerCertificate(true)` is not used, because it leaves out
 * certificates that were sent in the wrong order and adds certificates that the TLS context trusts.
 * @param leaf the result of `getPeerX509Certificate()`
 */
export function sentCertificates(leaf: SentCertificate | undefined): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let certificate = leaf; certificate; certificate = certificate.issuerCertificate)
    chain.push(new Uint8Array(certificate.raw));
  return chain;
}

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
    const certificate = this.#certificates.get(key);
    if (certificate && this.#certificates.delete(key)) this.#certificates.set(key, certificate);
    return certificate;
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

import type { Certificate } from './certificate.js';

/** Reading certificates needs packages that take 20 ms to load: they load with the first certificate. */
export const loadCertificateReader = () => import('./certificate-reader.js');

/**
 * Reads a DER certificate. Nothing is verified.
 * @throws DerError when it is not a certificate in strict DER.
 */
export async function parseCertificate(der: Uint8Array): Promise<Certificate> {
  return (await loadCertificateReader()).readCertificate(der);
}

/**
 * The certificates of a PEM text, in order. A block may hold several; blocks with another label or with headers are passed over.
 * @throws DerError when a CERTIFICATE block holds something else.
 */
export async function parseCertificates(pem: string): Promise<Certificate[]> {
  return (await loadCertificateReader()).readCertificates(pem);
}

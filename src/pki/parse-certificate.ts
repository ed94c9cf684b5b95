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

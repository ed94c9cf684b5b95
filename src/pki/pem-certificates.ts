import { readElements } from './der/reader.js';
import { decodePem } from './pem.js';

/**
 * The DER of each certificate of a PEM text, in order, not read yet. A block may hold several; blocks with another label or
 * with headers are passed over.
 * @throws DerError when a block is not made of DER elements.
 */
export function pemCertificates(pem: string): Uint8Array[] {
  return decodePem(pem).flatMap(({ label, headers, bytes }) =>
    label === 'CERTIFICATE' && headers.size === 0 ? readElements(bytes).map(({ raw }) => raw) : [],
  );
}

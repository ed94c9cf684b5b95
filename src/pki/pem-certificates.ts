import { readElements } from './der/reader.js';
import { decodePem } from './pem.js';

/**
 * Returns the DER of each certificate of a PEM text, in order, without parsing it. A block may contain several certificates; blocks with
 * another label or with headers are skipped.
 * @throws DerError when a block does not consist of DER elements.
 */
export function pemCertificates(pem: string): Uint8Array[] {
  return decodePem(pem).flatMap(({ label, headers, bytes }) =>
    label === 'CERTIFICATE' && headers.size === 0 ? readElements(bytes).map(({ raw }) => raw) : [],
  );
}

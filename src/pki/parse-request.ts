import type { Signatures } from '../signatures/signatures.js';
import type { CertificateRequest } from './certificate-request.js';
import { DerError } from './der/reader.js';
import { keySignatureProblem } from './verify-signature.js';

/**
 * Reads the request in the first block of a PEM text; what is around it is ignored. Nothing is verified.
 * @throws DerError, worded like the upstream server's where that names the fault itself.
 */
export async function parseCertificateRequest(pem: string): Promise<CertificateRequest> {
  const { readRequest } = await import('./request-reader.js');
  return readRequest(pem);
}

/**
 * Whether a request is signed with the key it is for.
 * @returns what is wrong as the upstream server words it, or undefined.
 */
export function requestSignatureProblem(
  request: CertificateRequest,
  signatures?: Signatures,
): Promise<string | undefined> {
  return keySignatureProblem(request, request, { allowSha1: true, ...(signatures ? { signatures } : {}) });
}

/** What is wrong with a request in PEM form: its form, its content, its signature. Undefined when all is well. */
export async function certificateRequestProblem(pem: string, signatures?: Signatures): Promise<string | undefined> {
  let request: CertificateRequest;
  try {
    request = await parseCertificateRequest(pem);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
  return requestSignatureProblem(request, signatures);
}

import type { Signatures } from '../signatures/signatures.js';
import type { CertificateRequest } from './certificate-request.js';
import { DerError } from './der/reader.js';
import { keySignatureProblem } from './verify-signature.js';

/**
 * Reads the request in the first block of a PEM text; text around the block is ignored. Nothing is verified.
 * @throws DerError, in the upstream server's words when that names the fault itself.
 */
export async function parseCertificateRequest(pem: string): Promise<CertificateRequest> {
  const { readRequest } = await import('./request-reader.js');
  return readRequest(pem);
}

/**
 * Checks that a request is signed with the key that it is for.
 * @returns what is wrong, in the upstream server's words, or undefined.
 */
export function requestSignatureProblem(
  request: CertificateRequest,
  signatures?: Signatures,
): Promise<string | undefined> {
  return keySignatureProblem(request, request, { allowSha1: true, ...(signatures ? { signatures } : {}) });
}

/** Checks the form, the content and the signature of a request in PEM form. Returns what is wrong, or undefined. */
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

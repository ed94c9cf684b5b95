import type { Signatures } from '../signatures/signatures.js';
import type { CertificateRequest } from './certificate-request.js';
import { DerError } from './der/reader.js';
import { keySignatureProblem } from './verify-signature.js';

/** The maximum number of cached requests. `MOST_CHARACTERS` is the maximum length of a cached request. */
const MOST_KEPT = 32;
const MOST_CHARACTERS = 8_192;
/**
 * The requests that were read last. They are cached, because validation, admission, approval and signing read the same request within a
 * short time.
 */
const kept = new Map<string, CertificateRequest>();

/**
 * Reads the request in the first block of a PEM text; text around the block is ignored. Nothing is verified.
 * @throws DerError, with upstream's message where upstream reports the same fault.
 */
export async function parseCertificateRequest(pem: string): Promise<CertificateRequest> {
  const known = kept.get(pem);
  if (known) return known;
  const { readRequest } = await import('./request-reader.js');
  const request = readRequest(pem);
  if (pem.length > MOST_CHARACTERS) return request;
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest);
  kept.set(pem, request);
  return request;
}

/** The result of the last signature check of each request, with the implementation that made the check. */
const verdicts = new WeakMap<
  CertificateRequest,
  { readonly signatures: Signatures | undefined; readonly problem: Promise<string | undefined> }
>();

/**
 * Checks that a request is signed with the private key of its own public key.
 * @returns the message of an invalid signature as upstream reports it, or undefined.
 */
export function requestSignatureProblem(
  request: CertificateRequest,
  signatures?: Signatures,
): Promise<string | undefined> {
  let known = verdicts.get(request);
  if (!known || known.signatures !== signatures) {
    const problem = keySignatureProblem(request, request, { allowSha1: true, ...(signatures ? { signatures } : {}) });
    verdicts.set(request, (known = { signatures, problem }));
    // Only results are cached: if the check itself fails with an error, the next call checks again.
    problem.catch(() => verdicts.delete(request));
  }
  return known.problem;
}

/** Checks the form, the content and the signature of a request in PEM form. Returns an error message, or undefined. */
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

import type { Signatures } from '../signatures/signatures.js';
import type { CertificateRequest } from './certificate-request.js';
import { DerError } from './der/reader.js';
import { keySignatureProblem } from './verify-signature.js';

/** The number of requests that are kept, and the most characters of each. */
const MOST_KEPT = 32;
const MOST_CHARACTERS = 8_192;
/** The requests that were read last, because validation, admission, approval and signing read the same one within a short time. */
const kept = new Map<string, CertificateRequest>();

/**
 * Reads the request in the first block of a PEM text; text around the block is ignored. Nothing is verified.
 * @throws DerError, with the upstream server's message where that describes the fault itself.
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

/** The last verdict about the signature of each request, with the implementation that verified it. */
const verdicts = new WeakMap<
  CertificateRequest,
  { readonly signatures: Signatures | undefined; readonly problem: Promise<string | undefined> }
>();

/**
 * Checks that a request is signed with the key that it is for.
 * @returns what is wrong, in the upstream server's words, or undefined.
 */
export function requestSignatureProblem(
  request: CertificateRequest,
  signatures?: Signatures,
): Promise<string | undefined> {
  let known = verdicts.get(request);
  if (!known || known.signatures !== signatures) {
    const problem = keySignatureProblem(request, request, { allowSha1: true, ...(signatures ? { signatures } : {}) });
    verdicts.set(request, (known = { signatures, problem }));
    // Only a verdict is kept: if the verification itself fails, the next call verifies again.
    problem.catch(() => verdicts.delete(request));
  }
  return known.problem;
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

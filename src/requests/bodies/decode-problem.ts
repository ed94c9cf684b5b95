import { DecodeError } from '../../json/decode-error.js';

/**
 * Returns what is wrong with a body.
 * @throws every error that is not about the body, so that a fault of the server is not blamed on the caller
 */
export function decodeProblem(error: unknown): string {
  if (error instanceof DecodeError) return error.message;
  throw error;
}

import { DecodeError } from '../../json/decode-error.js';

/** What is wrong with a body. @throws every error that is not about the body, so that our own fault is not taken for the caller's */
export function decodeProblem(error: unknown): string {
  if (error instanceof DecodeError) return error.message;
  throw error;
}

import { DecodeError as SchemaDecodeError } from '../../schema/decode.js';
import { DecodeError } from '../../serialization/json/decode.js';

/** What is wrong with a body. @throws every error that is not about the body, so that a fault of ours is not told as the caller's */
export function decodeProblem(error: unknown): string {
  if (error instanceof DecodeError || error instanceof SchemaDecodeError) return error.message;
  throw error;
}

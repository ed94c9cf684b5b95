import { type ApiError, apiError } from '../meta/api-error.js';
import { DecodeError } from './json-decode.js';

/** What every protobuf document begins with: `k8s` and a zero (gap file 2.3). */
export const PROTOBUF_PREFIX: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/**
 * Refuses bytes that are no protobuf document.
 * @throws DecodeError with the texts of the gap file, section 2.3; to be framed by `unrecognized`
 */
export function checkProtobufPrefix(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (PROTOBUF_PREFIX.some((byte, i) => bytes[i] !== byte))
    throw new DecodeError(
      `provided data does not appear to be a protobuf message, expected prefix [${PROTOBUF_PREFIX.join(' ')}]`,
    );
  if (bytes.length === PROTOBUF_PREFIX.length) throw new DecodeError('empty body');
}

/** The 415 of a protobuf body that looks right but cannot be read yet. */
export function protobufNotSupported(): ApiError {
  return apiError.unsupportedMediaType(
    'protobuf bodies are not supported by this server yet: send application/json or application/yaml',
  );
}

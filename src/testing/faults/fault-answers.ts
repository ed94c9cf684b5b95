import type { ApiError } from '../../meta/api-error.js';
import type { ApiResponse, ByteStream } from '../../requests/api-request.js';

/** Encodes a failure as the server does for callers that accept JSON, which all do. */
export function refusal({ code, status }: ApiError): ApiResponse {
  const bytes = new TextEncoder().encode(`${JSON.stringify(status)}\n`);
  const seconds = status.details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: { 'Content-Type': 'application/json', ...(seconds > 0 ? { 'Retry-After': String(seconds) } : {}) },
    body: { type: 'bytes', chunks: [bytes], length: bytes.length },
  };
}

/** Makes an answer that breaks off before its first byte. */
export function brokenAnswer(why: string): ApiResponse {
  const stream: ByteStream = {
    take: () => [],
    onReadable: undefined,
    ended: true,
    broken: why,
    close: () => {},
  };
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { type: 'stream', stream, finite: true },
  };
}

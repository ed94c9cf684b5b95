import type { ApiError } from '../../meta/api-error.js';
import type { ApiResponse, ByteStream } from '../../requests/api-request.js';

/** A failure as the server answers it to callers that take JSON, which all do. */
export function refusal({ code, status }: ApiError): ApiResponse {
  const bytes = new TextEncoder().encode(`${JSON.stringify(status)}\n`);
  const seconds = status.details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: { 'Content-Type': 'application/json', ...(seconds > 0 ? { 'Retry-After': String(seconds) } : {}) },
    body: { type: 'bytes', chunks: [bytes], length: bytes.length },
  };
}

/** An answer of which nothing comes. */
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

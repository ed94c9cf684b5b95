import { namesGzip } from '../../serialization/accept-encoding.js';
import type { ApiResponse } from '../api-request.js';
import type { Exchange } from '../exchange.js';

/** Bodies longer than this, in bytes, may be sent compressed. */
const THRESHOLD = 128 * 1024;

/** Marks an answer for compression if its caller accepts gzip and it is long (spec 9.14). A finite stream counts as long. */
export function compressible(exchange: Exchange, response: ApiResponse): ApiResponse {
  const { body } = response;
  if (body.type === 'none' || (body.type === 'stream' && body.finite !== true)) return response;
  const bytes = body.type === 'bytes' ? body.length : Number.POSITIVE_INFINITY;
  if (!mayCompress(exchange, bytes)) return response;
  return { ...response, headers: { ...response.headers, Vary: 'Accept-Encoding' }, gzip: true };
}

/** Returns whether a body of this many bytes is long enough to compress, and whether the caller and the feature gate allow it. */
export function mayCompress({ request, environment }: Exchange, bytes: number): boolean {
  return bytes > THRESHOLD && environment.host.gates.APIResponseCompression && namesGzip(request.headers);
}

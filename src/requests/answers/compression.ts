import { namesGzip } from '../../serialization/accept-encoding.js';
import type { ApiResponse } from '../api-request.js';
import type { Exchange } from '../exchange.js';

/** What is longer may be sent compressed. */
const THRESHOLD = 128 * 1024;

/** An answer to be compressed where its caller asks for that, and it is long (spec 9.14). A stream that ends is long. */
export function compressible(exchange: Exchange, response: ApiResponse): ApiResponse {
  const { body } = response;
  if (body.type === 'none' || (body.type === 'stream' && body.finite !== true)) return response;
  const bytes = body.type === 'bytes' ? body.length : Number.POSITIVE_INFINITY;
  if (!mayCompress(exchange, bytes)) return response;
  return { ...response, headers: { ...response.headers, Vary: 'Accept-Encoding' }, gzip: true };
}

/** The same for so many bytes that are sent as they are. */
export function mayCompress({ request, environment }: Exchange, bytes: number): boolean {
  return bytes > THRESHOLD && environment.host.gates.APIResponseCompression && namesGzip(request.headers);
}

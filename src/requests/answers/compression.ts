import type { RequestHeaders } from '../../meta/request-headers.js';
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

/** Objects are compressed for those who say the bare word: how much they want it is not looked at. */
function namesGzip(headers: RequestHeaders): boolean {
  return (headers.get('accept-encoding') ?? '').split(',').some((each) => each.trim() === 'gzip');
}

/** The same for documents that another part of upstream sends: there the weight counts. */
export function acceptsGzip(headers: RequestHeaders): boolean {
  return (headers.get('accept-encoding') ?? '').split(',').some((each) => {
    const [coding = '', weight = ''] = each.split(';');
    return coding.trim().toLowerCase() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight);
  });
}

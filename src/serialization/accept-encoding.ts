import type { RequestHeaders } from '../meta/request-headers.js';

const HEADER = 'accept-encoding';

/** Returns whether a client lists plain `gzip` in Accept-Encoding; clauses with a weight do not match (spec 9.14). */
export function namesGzip(headers: RequestHeaders): boolean {
  return (headers.get(HEADER) ?? '').split(',').some((each) => each.trim() === 'gzip');
}

/**
 * Returns whether a client accepts gzip with any weight above 0. Upstream serves OpenAPI documents and metrics by this rule. For API
 * objects it uses the stricter rule of {@link namesGzip}.
 */
export function acceptsGzip(headers: RequestHeaders): boolean {
  return (headers.get(HEADER) ?? '').split(',').some((each) => {
    const [coding = '', weight = ''] = each.split(';');
    return coding.trim().toLowerCase() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight);
  });
}

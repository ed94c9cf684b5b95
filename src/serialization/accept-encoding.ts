import type { RequestHeaders } from '../meta/request-headers.js';

const HEADER = 'accept-encoding';

/** Whether a caller says the bare word: how much he wants it is not looked at (spec 9.14). */
export function namesGzip(headers: RequestHeaders): boolean {
  return (headers.get(HEADER) ?? '').split(',').some((each) => each.trim() === 'gzip');
}

/** The same where the weight counts: for documents that another part of upstream sends. */
export function acceptsGzip(headers: RequestHeaders): boolean {
  return (headers.get(HEADER) ?? '').split(',').some((each) => {
    const [coding = '', weight = ''] = each.split(';');
    return coding.trim().toLowerCase() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight);
  });
}

import { isFault, isMeant500 } from './meant-500s.mjs';

/** Returns what is wrong with a response; undefined if it is well formed and intended. */
export function problemOf({ method, path }, { status, headers = {}, body, failure }) {
  if (failure !== undefined) return failure;
  const length = headers['content-length'];
  if (method !== 'HEAD' && length !== undefined && Number(length) !== body.length)
    return `Content-Length ${length}, ${body.length} bytes`;
  if (method === 'HEAD' && body.length > 0) return `HEAD with a body of ${body.length} bytes`;
  const type = String(headers['content-type'] ?? '');
  const text = /json|text|yaml/.test(type) ? body.toString() : '';
  if (status >= 500 && isFault(text.slice(0, 4000))) return `a fault: ${text.slice(0, 300)}`;
  if (method === 'HEAD' || body.length === 0) return undefined;
  if (!type.startsWith('application/json') || path.includes('watch') || type.includes('as=')) return undefined;
  const value = parsed(text);
  if (value === undefined) return `no JSON: ${text.slice(0, 100)}`;
  if (status < 400) return undefined;
  if (value.kind !== 'Status' || value.code !== status)
    return `${status} with a body that is not its Status: ${text.slice(0, 200)}`;
  if (status === 500 && !isMeant500(String(value.message)))
    return `500 that is not meant: ${value.message?.slice(0, 300)}`;
  return undefined;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

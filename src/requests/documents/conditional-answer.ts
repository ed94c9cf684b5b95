import type { EncodedDocument } from '../../openapi/documents.js';
import type { ApiRequest } from '../api-request.js';
import type { RawResult } from '../result.js';

const NOTHING = new Uint8Array(0);

/** An answer without a body. */
export function emptyResult(status: number, headers: Readonly<Record<string, string>> = {}): RawResult {
  return { type: 'raw', status, headers, body: NOTHING };
}

/** A time as HTTP headers write it. */
export function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/** The document, or 304 when the caller has it: by its tag, or by its age when no tag is given. */
export function conditionalResult(
  { method, headers }: ApiRequest,
  { body, hash, made }: EncodedDocument,
  contentType: string,
  more: Readonly<Record<string, string>>,
): RawResult {
  const tag = `"${hash}"`;
  const known = headers.get('if-none-match');
  const since = headers.get('if-modified-since');
  const reads = method === 'GET' || method === 'HEAD';
  const seen =
    known === undefined
      ? since !== undefined && Math.floor(made / 1000) * 1000 <= Date.parse(since)
      : hasTag(known, tag);
  if (reads && seen) return emptyResult(304, { ...more, ETag: tag });
  return {
    type: 'raw',
    status: 200,
    headers: {
      ...more,
      'Content-Type': contentType,
      'Content-Length': String(body.length),
      ETag: tag,
      'Last-Modified': httpDate(made),
    },
    body,
  };
}

const hasTag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);

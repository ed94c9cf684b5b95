import type { EncodedDocument } from '../../openapi/document.js';
import { lengthOf, partOf } from '../../values/join-bytes.js';
import type { ApiRequest } from '../api-request.js';
import { emptyResult, type RawResult } from '../result.js';
import { type ByteRange, requestedRange } from './byte-range.js';

/** Formats a time as HTTP headers write it. */
export function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/**
 * Answers a conditional request for a document (RFC 9110, sections 13 and 14): with 304 if the caller has it, by its tag or, without a tag,
 * by its date; with 412 if it is not the version that the caller requires; with the requested part; or with the whole document.
 */
export function conditionalResult(
  { method, headers }: ApiRequest,
  { chunks, hash, createdAt }: EncodedDocument,
  contentType: string,
  more: Readonly<Record<string, string>>,
): RawResult {
  const tag = `"${hash}"`;
  const seconds = Math.floor(createdAt / 1000) * 1000;
  const reads = method === 'GET' || method === 'HEAD';
  const about = { ...more, ETag: tag, 'Last-Modified': httpDate(createdAt) };
  const [ifMatch, notAfter] = [headers.get('if-match'), headers.get('if-unmodified-since')];
  const another =
    ifMatch === undefined ? notAfter !== undefined && seconds > Date.parse(notAfter) : !hasTag(ifMatch, tag, true);
  if (another) return emptyResult(412, about);
  const [known, since] = [headers.get('if-none-match'), headers.get('if-modified-since')];
  const seen = known === undefined ? reads && since !== undefined && seconds <= Date.parse(since) : hasTag(known, tag);
  if (seen) return reads ? emptyResult(304, { ...more, ETag: tag }) : emptyResult(412, about);
  const size = lengthOf(chunks);
  const range = mayBePart(headers.get('if-range'), tag, seconds)
    ? requestedRange(headers.get('range'), size)
    : undefined;
  if (range?.problem !== undefined) return unsatisfiable(range, size, about);
  return {
    type: 'raw',
    status: range === undefined ? 200 : 206,
    headers: {
      ...more,
      'Accept-Ranges': 'bytes',
      'Content-Type': contentType,
      'Content-Length': String(range?.length ?? size),
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.start + range.length - 1}/${size}` }),
      ETag: tag,
      'Last-Modified': httpDate(createdAt),
    },
    body: range === undefined ? chunks : partOf(chunks, range.start, range.length),
  };
}

function unsatisfiable(
  { problem, isBeyond }: Extract<ByteRange, { problem: string }>,
  size: number,
  about: Readonly<Record<string, string>>,
): RawResult {
  const headers = {
    ...about,
    ...(isBeyond && { 'Content-Range': `bytes */${size}` }),
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  };
  return { type: 'raw', status: 416, headers, body: [new TextEncoder().encode(`${problem}\n`)] };
}

/** Returns whether a part may be sent: only if the document has not changed since the caller read the rest of it. */
function mayBePart(condition: string | undefined, tag: string, seconds: number): boolean {
  if (condition === undefined || condition.startsWith('"')) return (condition ?? tag) === tag;
  return Date.parse(condition) === seconds; // a weak tag is not a date either, so it never matches
}

/**
 * Returns whether a list of tags contains this one.
 * @param strictly if true, weak tags do not match
 */
const hasTag = (header: string, tag: string, strictly = false): boolean =>
  header.split(',').some((each) => {
    const one = each.trim();
    return one === '*' || (strictly ? one : one.replace(/^W\//, '')) === tag;
  });

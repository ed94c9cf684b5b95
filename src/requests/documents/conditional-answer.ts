import type { EncodedDocument } from '../../openapi/document.js';
import { lengthOf, partOf } from '../../values/join-bytes.js';
import type { ApiRequest } from '../api-request.js';
import { emptyResult, type RawResult } from '../result.js';

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

/** A part of a document, or the reason why it cannot be sent. */
type ByteRange =
  | { readonly start: number; readonly length: number; readonly problem?: never }
  | { readonly problem: string; readonly isBeyond: boolean };

const NUMBER = /^\d{1,15}$/;

/**
 * Returns the part that a `Range` header asks for (RFC 9110, section 14.2), or undefined for the whole document: without a header, or if it
 * asks for several parts, which a server need not support.
 * @param size of the document, in bytes
 */
function requestedRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined || header === '') return undefined;
  if (!header.startsWith('bytes=')) return INVALID;
  const specs = header
    .slice('bytes='.length)
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  const ranges = specs.map((spec) => readRange(spec, size));
  if (ranges.includes(INVALID)) return INVALID;
  const within = ranges.filter((range) => range !== BEYOND);
  if (within.length === 0) return ranges.length > 0 && size > 0 ? BEYOND : undefined;
  return within.length === 1 ? within[0] : undefined;
}

const INVALID: ByteRange = { problem: 'invalid range', isBeyond: false };
const BEYOND: ByteRange = { problem: 'invalid range: failed to overlap', isBeyond: true };

/** Parses `1-2`, `1-`, or `-2`, which means the last two bytes. */
function readRange(spec: string, size: number): ByteRange {
  const dash = spec.indexOf('-');
  if (dash < 0) return INVALID;
  const [first, last] = [spec.slice(0, dash).trim(), spec.slice(dash + 1).trim()];
  if (first === '') {
    if (!NUMBER.test(last)) return INVALID;
    const length = Math.min(Number(last), size);
    return { start: size - length, length };
  }
  if (!NUMBER.test(first)) return INVALID;
  const start = Number(first);
  if (start >= size) return BEYOND;
  if (last === '') return { start, length: size - start };
  if (!NUMBER.test(last) || Number(last) < start) return INVALID;
  return { start, length: Math.min(Number(last), size - 1) - start + 1 };
}

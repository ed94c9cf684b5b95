import type { EncodedDocument } from '../../openapi/document.js';
import { acceptsGzip } from '../../serialization/accept-encoding.js';
import { chooseMediaType } from '../../serialization/media-type.js';
import { lengthOf, partOf } from '../../values/join-bytes.js';
import type { ApiRequest } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import { proxyToService } from '../relay/aggregated-api.js';
import { emptyResult, type RawResult, type Result } from '../result.js';

const JSON_TYPE = 'application/json';
/** Returns the media types of a version's protobuf messages: the current spelling, and the older one. */
const protobufTypes = (version: 'v2' | 'v3') =>
  ['.v1.0', '@v1.0'].map((form) => `application/com.github.proto-openapi.spec.${version}${form}+protobuf`);
const [V2_MESSAGE = '', OLD_V2_MESSAGE = ''] = protobufTypes('v2');
const [V3_MESSAGE = '', OLD_V3_MESSAGE = ''] = protobufTypes('v3');
const V2 = '/openapi/v2';
const INDEX = '/openapi/v3';
/** The size in bytes above which the OpenAPI v2 document is compressed. */
const COMPRESSED_BYTES = 1400;
const YEAR = 365 * 24 * 3600 * 1000;

/** The OpenAPI paths that `GET /` lists. */
export const openApiPaths: readonly string[] = [V2, INDEX, `${INDEX}/`];

/** Answers paths under `/openapi/` for any method; undefined for unknown paths. */
export async function openApiRoute(exchange: Exchange): Promise<Result | undefined> {
  const { path } = exchange;
  if (path === V2) return answerV2(exchange);
  if (path === INDEX) return answerIndex(exchange);
  if (path.startsWith(`${INDEX}/`)) return answerV3(exchange, path.slice(INDEX.length + 1));
  return undefined;
}

/** Answers with the index of the OpenAPI v3 documents. Its media type is not negotiated: it is always sent as `text/plain`. */
async function answerIndex({ environment, registry }: Exchange): Promise<Result> {
  const documents = await environment.openApi();
  const { json } = await documents.index(environment.host.clock.now(), documentUrl, registry);
  return {
    type: 'raw',
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Last-Modified': httpDate(json.createdAt) },
    body: json.chunks,
  };
}

async function answerV3(exchange: Exchange, name: string): Promise<Result> {
  const { request, query, environment, registry } = exchange;
  const documents = await environment.openApi();
  const service = documents.isRemote(name) ? environment.apiServices.at(`/${name}`) : undefined;
  if (service) return await proxyToService(exchange, service);
  const now = environment.host.clock.now();
  const openApiDocument = documents.v3(name, now, registry);
  if (openApiDocument === undefined) return emptyResult(404);
  const headers = { Vary: 'Accept' };
  const accepted = chooseMediaType(request.headers.get('accept'), [JSON_TYPE, OLD_V3_MESSAGE, V3_MESSAGE]);
  if (accepted === undefined) return emptyResult(406, headers);
  const json = accepted === JSON_TYPE;
  const document = json ? (await openApiDocument).json : await (await openApiDocument).message();
  const type = json ? JSON_TYPE : V3_MESSAGE;
  const hash = query.first('hash') ?? '';
  if (hash === '') return conditionalResult(request, document, type, headers);
  if (hash !== document.hash)
    return emptyResult(301, { ...headers, ETag: `"${document.hash}"`, Location: documentUrl(name, document.hash) });
  return conditionalResult(request, document, type, {
    ...headers,
    'Cache-Control': 'public, immutable',
    Expires: httpDate(now + YEAR),
  });
}

async function answerV2({ request, environment, registry }: Exchange): Promise<Result> {
  const headers = { Vary: 'Accept-Encoding, Accept' };
  const type = chooseMediaType(request.headers.get('accept'), [JSON_TYPE, OLD_V2_MESSAGE, V2_MESSAGE]);
  if (type === undefined) return emptyResult(406, headers);
  const json = type === JSON_TYPE;
  const documents = await environment.openApi();
  const openApiDocument = await documents.v2(environment.host.clock.now(), registry);
  const document = json ? openApiDocument.json : await openApiDocument.message();
  const answer = conditionalResult(request, document, json ? JSON_TYPE : V2_MESSAGE, headers);
  // The feature gate APIResponseCompression does not apply here, because it covers only API objects.
  const whole = answer.status === 200 && lengthOf(answer.body) > COMPRESSED_BYTES;
  return whole && acceptsGzip(request.headers) ? { ...answer, gzip: true } : answer;
}

const documentUrl = (name: string, hash: string): string => `${INDEX}/${name}?hash=${hash}`;

/** Formats a time as HTTP headers write it. */
function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/**
 * Answers a conditional request for a document (RFC 9110, sections 13 and 14): with 304 if the caller has it (compared by ETag, or by date
 * if the request names no ETag), with 412 if a precondition fails, with 206 and the requested range, or with the whole document.
 */
function conditionalResult(
  { method, headers }: ApiRequest,
  { chunks, hash, createdAt }: EncodedDocument,
  contentType: string,
  more: Readonly<Record<string, string>>,
): RawResult {
  const tag = `"${hash}"`;
  // HTTP dates have a resolution of one second, so the time is rounded down for comparisons.
  const modified = Math.floor(createdAt / 1000) * 1000;
  const reads = method === 'GET' || method === 'HEAD';
  const about = { ...more, ETag: tag, 'Last-Modified': httpDate(createdAt) };
  const [ifMatch, notAfter] = [headers.get('if-match'), headers.get('if-unmodified-since')];
  const another =
    ifMatch === undefined ? notAfter !== undefined && modified > Date.parse(notAfter) : !hasTag(ifMatch, tag, true);
  if (another) return emptyResult(412, about);
  const [known, since] = [headers.get('if-none-match'), headers.get('if-modified-since')];
  const seen = known === undefined ? reads && since !== undefined && modified <= Date.parse(since) : hasTag(known, tag);
  if (seen) return reads ? emptyResult(304, { ...more, ETag: tag }) : emptyResult(412, about);
  const size = lengthOf(chunks);
  const range = mayBePart(headers.get('if-range'), tag, modified)
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

/**
 * Evaluates an `If-Range` header: a byte range may be sent only if the header is absent, or contains the document's current tag or date.
 */
function mayBePart(condition: string | undefined, tag: string, modified: number): boolean {
  if (condition === undefined || condition.startsWith('"')) return (condition ?? tag) === tag;
  return Date.parse(condition) === modified; // A weak tag cannot be parsed as a date, so it never matches.
}

/**
 * Returns whether the list of tags in a header contains `tag` or `*`.
 * @param strictly if true, weak tags do not match
 */
const hasTag = (header: string, tag: string, strictly = false): boolean =>
  header.split(',').some((each) => {
    const one = each.trim();
    return one === '*' || (strictly ? one : one.replace(/^W\//, '')) === tag;
  });

/** A byte range of a document, or the reason why it cannot be sent. */
type ByteRange =
  | { readonly start: number; readonly length: number; readonly problem?: never }
  | { readonly problem: string; readonly isBeyond: boolean };

const NUMBER = /^\d{1,15}$/;

/**
 * Returns the byte range that a `Range` header requests (RFC 9110, section 14.2). Returns undefined if the whole document is to be sent:
 * without the header, or if it requests several ranges, which a server need not support.
 * @param size the size of the document in bytes
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

/** Parses a range: `1-2`, `1-`, or `-2` for the last two bytes. */
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

import { type ApiError, apiError, isApiError } from '../../meta/api-error.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import type { Status } from '../../meta/status.js';
import { type MetaSchemaName, metaSchema } from '../../schema/meta-kinds.js';
import { namesGzip } from '../../serialization/accept-encoding.js';
import type { Chunks, Described, Pieces } from '../../serialization/format.js';
import { encodeJsonLine } from '../../serialization/json/encode.js';
import type { AnswerForm } from '../../serialization/media-type.js';
import { SLAB_BYTES } from '../../serialization/slabs.js';
import { lengthOf } from '../../values/join-bytes.js';
import { messageOf } from '../../values/message-of.js';
import { ParseError } from '../../values/parse-error.js';
import { utf8Length } from '../../values/utf8.js';
import { type ApiResponse, type ByteStream, CallerGoneError, type ResponseBody } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import { listHead, type Result } from '../result.js';
import { auditIdOf, noteAnswer, noteFailure } from '../steps/audit.js';
import { errorForm } from './negotiate-route.js';
import { statusKind, transformResult } from './transform.js';
import { watchStream } from './watch-stream.js';

/* Only this module converts results and errors to responses. The bodies of some results (`raw`, `relayed`) are encoded already. */

/** Returns the response with the result of a request. */
export function answerOf(exchange: Exchange, result: Result): ApiResponse {
  const response = encodeResult(exchange, result);
  noteAnswer(exchange, result);
  return withCommonHeaders(exchange, response);
}

/** Returns the response to a request that failed. */
export function failureOf(exchange: Exchange, error: unknown): ApiResponse {
  const known = asApiError(error, exchange);
  if (known === exchange.deadline.timeoutError) dropOwnHeaders(exchange);
  const response = encodeError(exchange, known);
  noteFailure(exchange, error, known);
  return withCommonHeaders(exchange, response);
}

/** The headers that do not depend on how a request was handled. */
const OUTER: ReadonlySet<string> = new Set(['Strict-Transport-Security', 'Connection']);

/**
 * Drops the warnings and the headers of a request that timed out. As in upstream, the 504 replaces whatever its steps have written, such as
 * the headers for browsers and those of the priority level.
 */
function dropOwnHeaders({ headers, warnings }: Exchange): void {
  warnings.clear();
  for (const name of Object.keys(headers)) if (!OUTER.has(name)) delete headers[name];
}

/** Converts a thrown value to an ApiError. An unexpected error is a fault of the server: it is logged and becomes a 500. */
function asApiError(error: unknown, { environment, request }: Exchange): ApiError {
  if (isApiError(error)) return error;
  if (error instanceof ParseError) return apiError.unknown(error.message);
  // The caller has disconnected, so this is not a fault of the server and is not logged.
  if (error instanceof CallerGoneError || request.signal?.aborted === true) return apiError.unknown(messageOf(error));
  environment.host.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return apiError.internal(messageOf(error));
}

/** Adds the headers of every response, and those that the steps of the pipeline have set. */
function withCommonHeaders(exchange: Exchange, response: ApiResponse): ApiResponse {
  const { warnings, info } = exchange;
  const common: Record<string, string | readonly string[]> = { 'Audit-Id': auditIdOf(exchange) };
  // A response has no Cache-Control if the request failed before it was parsed, as in upstream.
  if (info.verb !== '' || info.resourceRequest) common['Cache-Control'] = 'no-cache, private';
  Object.assign(common, exchange.headers);
  if (warnings.size > 0) common['Warning'] = warningHeaders(warnings);
  return { ...response, headers: Object.assign(common, response.headers) };
}

/** The results that consist of stored objects. */
type StoredResult = Extract<Result, { type: 'object' | 'list' }>;

function encodeResult(exchange: Exchange, result: Result): ApiResponse {
  const { form } = exchange;
  switch (result.type) {
    case 'raw':
      return {
        status: result.status,
        headers: result.headers,
        body: bytesBody(result.body),
        ...(result.gzip === true ? { gzip: true } : {}),
      };
    case 'relayed':
      return result;
    case 'watch': {
      const { contentType, ...body } = watchStream(exchange, result);
      return { status: 200, headers: { 'Content-Type': contentType }, body: { type: 'stream', ...body } };
    }
    case 'document':
      return compressible(
        exchange,
        document(200, result.document, describedByKind(result.document), {
          ...form,
          pretty: form.pretty || result.indented === true,
        }),
      );
    case 'status':
      return document(result.status, result.object, statusKind, form);
    case 'object':
    case 'list':
      return compressible(exchange, encodeStored(exchange, result));
  }
}

/** Encodes a result that consists of stored objects. Encodings of stored objects are shared between responses. */
function encodeStored(exchange: Exchange, result: StoredResult): ApiResponse {
  const { form } = exchange;
  const { format, name } = form.mediaType;
  const { definition } = result.resource;
  let encoded: Chunks | Pieces;
  if (form.transform) encoded = encodeTransformed(exchange, result, form.transform);
  else if (result.type === 'object') encoded = format.encodeObject(result.object, definition, form.pretty);
  else {
    const list = {
      head: listHead(result),
      items: result.items,
      itemsCarryKind: definition.listItemsCarryKind ?? false,
      byName: definition.decoding === 'structural',
      described: definition,
    };
    encoded = format.encodeList(list, form.pretty);
  }
  // A body that is encoded while it is read has no deadline, because the reader determines how long that takes.
  if ('pieces' in encoded) exchange.deadline.stop();
  return {
    status: result.type === 'list' ? 200 : result.status,
    headers: { 'Content-Type': name },
    body: 'pieces' in encoded ? lazyBody(encoded.pieces) : bytesBody(encoded),
  };
}

/** Encodes the Table or the PartialObjectMetadata to which a result is converted. */
function encodeTransformed(exchange: Exchange, result: StoredResult, transform: GroupVersionKind): Chunks | Pieces {
  const { mediaType, pretty } = exchange.form;
  const { format } = mediaType;
  const shown = transformResult(exchange, result, transform);
  if ('items' in shown) return format.encodeList(shown, pretty);
  if ('document' in shown) return format.encodeDocument(shown.document, shown.described, pretty);
  const { rows, ...head } = shown;
  const pieces = format.encodeElements?.(head, 'rows', rows, pretty);
  return pieces ?? format.encodeDocument({ ...head, rows: [...rows] }, undefined, pretty);
}

function encodeError(exchange: Exchange, error: ApiError): ApiResponse {
  const { status } = error;
  if (error === exchange.deadline.timeoutError) return encodeTimeout(status);
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const response = document(error.code, status, statusKind, errorForm(exchange));
  return retryAfter > 0
    ? { ...response, headers: { ...response.headers, 'Retry-After': String(retryAfter) } }
    : response;
}

/**
 * Encodes the 504 of a request that timed out. The body is always JSON labeled as `text/plain`, whatever media type was negotiated (spec
 * 1.9).
 */
function encodeTimeout({ kind: _kind, apiVersion: _apiVersion, ...status }: Status): ApiResponse {
  const body = bytesBody([encodeJsonLine({ ...status, details: {} })]);
  return { status: 504, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
}

/** Returns a response with a document that is encoded for this response only. */
function document(status: number, value: object, described: Described | undefined, form: AnswerForm): ApiResponse {
  const { format, name } = form.mediaType;
  const body = bytesBody(format.encodeDocument(value, described, form.pretty));
  return { status, headers: { 'Content-Type': name }, body };
}

/**
 * Finds the schema of a discovery document by its kind. The list of paths (`GET /`) has no kind, but it is only sent in formats that need
 * no schema.
 */
function describedByKind(value: object): Described | undefined {
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== 'string') return undefined;
  return {
    get schema() {
      return metaSchema(kind as MetaSchemaName);
    },
  };
}

function bytesBody(chunks: readonly Uint8Array[]): ResponseBody {
  const length = lengthOf(chunks);
  return length === 0 ? { type: 'none' } : { type: 'bytes', chunks, length };
}

/** Bodies of up to this many bytes are encoded at once and sent in one piece, with a Content-Length. */
const EAGER_BYTES = SLAB_BYTES / 2;

/**
 * Returns the body of a response that is encoded in pieces. A large body is encoded while it is read, so a slow reader costs the memory of
 * one piece and not of the whole body.
 */
export function lazyBody(pieces: Iterable<Uint8Array>): ResponseBody {
  const iterator = pieces[Symbol.iterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= EAGER_BYTES) {
    const { done, value } = iterator.next();
    if (done) return { type: 'bytes', chunks, length };
    chunks.push(value);
    length += value.length;
  }
  return { type: 'stream', stream: new PulledPieces(chunks, iterator), finite: true };
}

/** A stream that encodes the next piece whenever it is read, so its reader never has to wait. */
class PulledPieces implements ByteStream {
  onReadable: (() => void) | undefined;
  #first: readonly Uint8Array[];
  #rest: Iterator<Uint8Array> | undefined;

  constructor(first: readonly Uint8Array[], rest: Iterator<Uint8Array>) {
    this.#first = first;
    this.#rest = rest;
  }

  get ended(): boolean {
    return this.#rest === undefined;
  }

  take(): readonly Uint8Array[] {
    const first = this.#first;
    this.#first = [];
    if (first.length > 0) return first;
    const next = this.#rest?.next();
    if (next !== undefined && next.done !== true) return [next.value];
    this.#rest = undefined;
    return [];
  }

  close(): void {
    this.#first = [];
    this.#rest = undefined;
  }
}

/**
 * The maximum number of characters in all warnings of a response. If the warnings are longer, each is cut to `MAX_CUT` characters, and
 * those that still do not fit are left out (spec 8.11).
 */
const MAX_TOTAL = 4096;
const MAX_CUT = 256;
/**
 * The maximum number of Warning headers in a response; `MAX_BYTES` is the maximum size of all these headers together. Node's clients fail
 * on more than 128 headers over HTTP/2, and on more than 16 KiB of headers over HTTP/1.1.
 */
const MAX_LINES = 100;
const MAX_BYTES = 8192;
/** The number of bytes that a Warning header line of HTTP/1.1 contains besides its value. */
const AROUND = 'Warning: \r\n'.length;

/**
 * Returns the values of the header Warning. They are limited so that the headers of a response stay small however many warnings there are.
 */
export function warningHeaders(warnings: Iterable<string>): string[] {
  const all = [...warnings].filter((text) => text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));
  const fitted = fitting(all, MAX_TOTAL) ?? cutToFit(all);
  return firstLines(fitted.map((text) => `299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`));
}

/** Returns `texts` if their total length is at most `total`, else undefined. */
function fitting(texts: readonly string[], total: number): readonly string[] | undefined {
  let length = 0;
  for (const text of texts) if ((length += runes(text, total)) > total) return undefined;
  return texts;
}

// Cuts each warning to `MAX_CUT` characters. The last warning that is kept may exceed `MAX_TOTAL`, as in Kubernetes.
function cutToFit(texts: readonly string[]): string[] {
  const cutTexts: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length >= MAX_TOTAL) break;
    const cut = [...text.slice(0, 2 * MAX_CUT)].slice(0, MAX_CUT).join('');
    length += runes(cut, MAX_CUT);
    cutTexts.push(cut);
  }
  return cutTexts;
}

/** Returns as many of the first values as every client can read (`MAX_LINES`, `MAX_BYTES`). */
function firstLines(values: readonly string[]): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const value of values.slice(0, MAX_LINES)) {
    bytes += utf8Length(value) + AROUND;
    if (bytes > MAX_BYTES) break;
    lines.push(value);
  }
  return lines;
}

/**
 * Counts the characters of a text. A text with more than `2 * limit` UTF-16 units certainly has more than `limit` characters; for such a
 * text the number of units is returned, because it is cheaper to determine.
 */
const runes = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length);

/** The size in bytes above which a body may be sent compressed. */
const THRESHOLD = 128 * 1024;

/** Marks a response for compression if the caller accepts gzip and the body is long (spec 9.14). A finite stream counts as long. */
function compressible(exchange: Exchange, response: ApiResponse): ApiResponse {
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

import type { JsonValue } from '../../json/value.js';
import { type ApiError, apiError, isApiError } from '../../meta/api-error.js';
import { randomUuid } from '../../meta/random.js';
import type { ServedResource } from '../../registry/served-resource.js';
import { encodeList, encodeObject } from '../../serialization/encoding-cache.js';
import { encodeJsonLine, encodePretty, encodePrettyList, newline } from '../../serialization/json/encode.js';
import { JSON_MEDIA_TYPE, YAML_MEDIA_TYPE } from '../../serialization/media-type.js';
import { encodeYaml } from '../../serialization/yaml/encode.js';
import { ParseError } from '../../values/parse-error.js';
import { type ApiResponse, CallerGoneError, type ResponseBody } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import { listHead, type Result } from '../result.js';
import { lazyBody } from './lazy-body.js';
import { errorNegotiation, type Negotiated, negotiated } from './negotiate-route.js';
import { encodeProtobufResult, encodeStatus } from './protobuf-answer.js';
import { transformed } from './transform.js';
import { warningHeaders } from './warning-headers.js';
import { watchStream } from './watch-stream.js';

/** The only place where results and errors become bytes. */
export async function respond(exchange: Exchange, outcome: () => Promise<Result>): Promise<ApiResponse> {
  let response: ApiResponse;
  try {
    const result = await outcome();
    if (exchange.pause) await exchange.pause();
    response = encodeResult(exchange, result);
  } catch (error) {
    response = encodeError(exchange, asApiError(error, exchange));
  }
  return {
    status: response.status,
    headers: Object.assign(commonHeaders(exchange), response.headers),
    body: response.body,
  };
}

/** What is thrown and is not an ApiError is a fault of the server: it is logged and answered as one. */
function asApiError(error: unknown, { environment, request }: Exchange): ApiError {
  if (isApiError(error)) return error;
  if (error instanceof ParseError) return apiError.unknown(error.message);
  // The client is gone, and nothing is wrong with the server.
  if (error instanceof CallerGoneError || request.signal?.aborted === true)
    return apiError.unknown(error instanceof Error ? error.message : String(error));
  environment.host.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return apiError.internal(error instanceof Error ? error.message : String(error));
}

// Before a request is understood there is no Cache-Control (spec 20.4).
function commonHeaders(exchange: Exchange): Record<string, string | readonly string[]> {
  const { request, environment, warnings, headers } = exchange;
  const common: Record<string, string | readonly string[]> = {
    'Audit-Id': request.headers.get('audit-id') ?? randomUuid(environment.random),
  };
  if (exchange.info.verb !== '' || exchange.info.resourceRequest) common['Cache-Control'] = 'no-cache, private';
  Object.assign(common, headers);
  if (warnings.size > 0) common['Warning'] = warningHeaders(warnings);
  return common;
}

function encodeResult(exchange: Exchange, result: Result): ApiResponse {
  if (negotiated(exchange).format === 'protobuf' && result.type !== 'raw' && result.type !== 'watch')
    return protobuf(exchange, 'status' in result ? result.status : 200, encodeProtobufResult(exchange, result));
  switch (result.type) {
    case 'raw':
      return { status: result.status, headers: result.headers, body: bytesBody([result.body]) };
    case 'watch':
      return {
        status: 200,
        headers: { 'Content-Type': streamType(exchange) },
        body: { type: 'stream', stream: watchStream(exchange, result) },
      };
    case 'document': {
      const form = negotiated(exchange);
      return encodeValue(200, result.document, { ...form, pretty: result.indented === true && form.format === 'json' });
    }
    case 'status':
      return encodeValue(result.status, result.object, negotiated(exchange));
    case 'object': {
      const form = negotiated(exchange);
      if (form.transform) return encodeValue(result.status, transformed(exchange, result, form.transform), form);
      if (form.format === 'json' && !form.pretty) return json(result.status, encodeObject(result.object).chunks);
      return encodeValue(result.status, result.object, form);
    }
    case 'list': {
      const form = negotiated(exchange);
      if (form.transform) return encodeValue(200, transformed(exchange, result, form.transform), form);
      if (form.format === 'yaml') return encodeValue(200, { ...listHead(result), items: [...itemsOf(result)] }, form);
      exchange.deadline.stop();
      const body = form.pretty ? lazyBody(prettyList(result)) : compactList(result);
      return { status: 200, headers: { 'Content-Type': JSON_MEDIA_TYPE }, body };
    }
  }
}

type ListResult = Extract<Result, { type: 'list' }>;

function compactList(result: ListResult): ResponseBody {
  const list = encodeList(listHead(result), result.items, { itemsCarryKind: carriesKind(result.resource) });
  return lazyBody(asLine(list), list.length + newline.length);
}

function* asLine(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void, void> {
  yield* chunks;
  yield newline;
}

const prettyList = (result: ListResult) => encodePrettyList(listHead(result), 'items', itemsOf(result));

/** As they appear in a list. */
function itemsOf({ resource, items }: ListResult): readonly object[] {
  return carriesKind(resource) ? items : items.map(({ kind: _kind, apiVersion: _version, ...item }) => item);
}

const carriesKind = ({ definition }: ServedResource) => definition.listItemsCarryKind ?? false;

function encodeError(exchange: Exchange, error: ApiError): ApiResponse {
  const { status } = error;
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const form = errorNegotiation(exchange);
  const response =
    form.format === 'protobuf'
      ? protobuf(exchange, error.code, encodeStatus(status))
      : encodeValue(error.code, status, form);
  return retryAfter > 0
    ? { ...response, headers: { ...response.headers, 'Retry-After': String(retryAfter) } }
    : response;
}

/** A value in the negotiated form. */
function encodeValue(status: number, value: object, form: Negotiated): ApiResponse {
  if (form.format === 'yaml') return withType(status, YAML_MEDIA_TYPE, [encodeYaml(value as JsonValue)]);
  return json(status, [form.pretty ? encodePretty(value) : encodeJsonLine(value)]);
}

const protobuf = ({ environment }: Exchange, status: number, document: Uint8Array) =>
  withType(status, environment.dialect.protobufMediaType, [document]);

const json = (status: number, chunks: readonly Uint8Array[]) => withType(status, JSON_MEDIA_TYPE, chunks);

function withType(status: number, type: string, chunks: readonly Uint8Array[]): ApiResponse {
  return { status, headers: { 'Content-Type': type }, body: bytesBody(chunks) };
}

function bytesBody(chunks: readonly Uint8Array[]): ResponseBody {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length === 0 ? { type: 'none' } : { type: 'bytes', chunks, length };
}

function streamType(exchange: Exchange): string {
  return negotiated(exchange).contentType ?? JSON_MEDIA_TYPE;
}

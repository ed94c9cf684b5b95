import { acceptsGzip } from '../../serialization/accept-encoding.js';
import { chooseMediaType } from '../../serialization/media-type.js';
import { lengthOf } from '../../values/join-bytes.js';
import type { Exchange } from '../exchange.js';
import { emptyResult, type Result } from '../result.js';
import { proxyToService } from '../steps/proxy-to-aggregated.js';
import { conditionalResult, httpDate } from './conditional-answer.js';

const JSON_TYPE = 'application/json';
/** Returns the media types of a version's protobuf messages: the current spelling, and the older one. */
const protobufTypes = (version: 'v2' | 'v3') =>
  ['.v1.0', '@v1.0'].map((form) => `application/com.github.proto-openapi.spec.${version}${form}+protobuf`);
const [V2_MESSAGE = '', OLD_V2_MESSAGE = ''] = protobufTypes('v2');
const [V3_MESSAGE = '', OLD_V3_MESSAGE = ''] = protobufTypes('v3');
const V2 = '/openapi/v2';
const INDEX = '/openapi/v3';
/** The size in bytes above which the document of version 2 is compressed. */
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

/** Answers with the index. It is not negotiated: it is always sent as `text/plain`. */
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
  const proxied = documents.isRemote(name)
    ? proxyToService(exchange, environment.apiServices.at(`/${name}`))
    : undefined;
  if (proxied) return await proxied;
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
  // The feature gate for compression does not apply here, as it covers only API objects.
  const whole = answer.status === 200 && lengthOf(answer.body) > COMPRESSED_BYTES;
  return whole && acceptsGzip(request.headers) ? { ...answer, gzip: true } : answer;
}

const documentUrl = (name: string, hash: string): string => `${INDEX}/${name}?hash=${hash}`;

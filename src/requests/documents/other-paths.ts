import { discoverySchema } from '../../discovery/discovery-schema.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { parseAccept } from '../../serialization/accept.js';
import { JSON_MEDIA_TYPE } from '../../serialization/media-type.js';
import { encodeProtobuf } from '../../serialization/protobuf/documents.js';
import { negotiateDocument } from '../answers/negotiate-route.js';
import type { Exchange } from '../exchange.js';
import { splitPath } from '../request-info.js';
import type { Result } from '../result.js';
import { issuerDocument, issuerPaths } from './issuer-documents.js';
import { openApiPaths, openApiRoute } from './openapi-route.js';

/** Everything other than resources: discovery, health, OpenAPI, version, the index. Undefined when nothing is there. */
export async function otherPath(exchange: Exchange): Promise<Result | undefined> {
  const { path, environment, query, info, registry } = exchange;
  const { health } = environment;
  const simple = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (path.startsWith('//')) return undefined;
  if (path === '/' || path === '/index.html')
    return { type: 'document', document: { paths: indexPaths(exchange) }, indented: true };
  if (simple === '/version' || path.startsWith('/version/')) return version(exchange, simple);
  if (path.startsWith('/openapi/')) return openApiRoute(exchange);
  const healthy = health.answer(path, query);
  if (healthy) return healthy;
  const ofIssuer = await issuerDocument(exchange, simple);
  if (ofIssuer) return ofIssuer;

  const segments = splitPath(path);
  const [root, group = '', groupVersion] = segments;
  if (root === 'api') {
    if (segments.length === 1) return coreRoot(exchange);
    if (registry.groups.has('')) return resourceList(exchange, '', group, segments.length === 2);
  }
  if (root === 'apis') {
    if (segments.length === 1) return groupsRoot(exchange);
    if (!registry.groups.has(group)) return undefined;
    if (groupVersion === undefined) return groupDocument(exchange, group);
    return resourceList(exchange, group, groupVersion, segments.length === 3);
  }
  if (info.resourceRequest) throw apiError.noSuchResource();
  return undefined;
}

/** Router-made documents take only GET; groups' own handlers take anything (as recorded). */
function onlyGet({ request }: Exchange): void {
  if (request.method !== 'GET') throw apiError.methodNotAllowed();
}

function version(exchange: Exchange, path: string): Result {
  if (path !== '/version') throw apiError.noSuchResource();
  onlyGet(exchange);
  negotiateDocument(exchange, 'router', ['application/json']);
  return { type: 'document', document: exchange.environment.version, indented: true };
}

async function coreRoot(exchange: Exchange): Promise<Result> {
  onlyGet(exchange);
  const aggregated = await aggregatedResult(exchange, 'api');
  if (aggregated) return aggregated;
  negotiateDocument(exchange, 'router');
  return {
    type: 'document',
    document: exchange.environment.discovery.coreVersions(exchange.request.host ?? '', exchange.registry),
  };
}

async function groupsRoot(exchange: Exchange): Promise<Result> {
  const aggregated = await aggregatedResult(exchange, 'apis');
  if (aggregated) return aggregated;
  negotiateDocument(exchange, 'handler');
  return { type: 'document', document: exchange.environment.discovery.groupList(exchange.registry) };
}

function groupDocument(exchange: Exchange, group: string): Result | undefined {
  const document = exchange.environment.discovery.group(group, exchange.registry);
  if (!document) return undefined;
  negotiateDocument(exchange, 'handler');
  return { type: 'document', document };
}

async function resourceList(exchange: Exchange, group: string, groupVersion: string, whole: boolean): Promise<Result> {
  const document = whole
    ? await exchange.environment.discovery.resourceList(group, groupVersion, exchange.registry)
    : undefined;
  if (!document) throw apiError.noSuchResource();
  onlyGet(exchange);
  negotiateDocument(exchange, 'router');
  return { type: 'document', document };
}

/** The aggregated form, when the first clause of Accept that fits asks for it. */
async function aggregatedResult(
  { request, environment, registry }: Exchange,
  root: 'api' | 'apis',
): Promise<Result | undefined> {
  const accept = request.headers.get('accept');
  if (accept === undefined) return undefined;
  const group = groupOf(environment.dialect, 'apidiscovery');
  for (const clause of parseAccept(accept)) {
    const as = clause.parameters.get('as');
    const v = clause.parameters.get('v');
    const name = `${clause.type}/${clause.subtype}`;
    const json = name === JSON_MEDIA_TYPE;
    const protobuf = name === environment.dialect.protobufMediaType;
    if (as === undefined && (json || protobuf || clause.subtype === '*')) return undefined;
    if (
      (!json && !protobuf) ||
      as !== 'APIGroupDiscoveryList' ||
      clause.parameters.get('g') !== group ||
      (v !== 'v2' && v !== 'v2beta1')
    )
      continue;
    const { document, body, etag } = await environment.discovery.aggregated(root, v, registry);
    const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
    if (request.headers.get('if-none-match') === etag)
      return { type: 'raw', status: 304, headers, body: new Uint8Array(0) };
    const contentType = `${name};g=${group};v=${v};as=APIGroupDiscoveryList`;
    const encoded = json ? body : encodeProtobuf(document, discoverySchema(v));
    return { type: 'raw', status: 200, headers: { ...headers, 'Content-Type': contentType }, body: encoded };
  }
  return undefined;
}

/** What `GET /` lists: every path that answers, sorted. */
function indexPaths({ environment, registry }: Exchange): string[] {
  const { health } = environment;
  const groups = [...registry.groups].flatMap(([group, versions]) =>
    group === ''
      ? ['/api', ...versions.map((version) => `/api/${version}`)]
      : [`/apis/${group}`, ...versions.map((each) => `/apis/${group}/${each}`)],
  );
  return [
    ...new Set([
      ...groups,
      '/apis',
      '/apis/',
      ...health.paths(),
      ...openApiPaths,
      ...issuerPaths(environment),
      '/version',
    ]),
  ].sort();
}

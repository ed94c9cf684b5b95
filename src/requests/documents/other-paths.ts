import { DiscoveryDocuments } from '../../discovery/discovery.js';
import { discoverySchema } from '../../discovery/discovery-schema.js';
import { versionDocument } from '../../discovery/version.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { ResourceRegistry } from '../../registry/resource-registry.js';
import { isPlainAccept, negotiateTransform } from '../../serialization/media-type.js';
import { lengthOf } from '../../values/join-bytes.js';
import { VERSION } from '../../version.js';
import { checkDocument, negotiateDocument, withIndentation } from '../answers/negotiate-route.js';
import { COMPRESSION_THRESHOLD, mayCompress } from '../answers/respond.js';
import type { RequestEnvironment } from '../environment.js';
import type { Exchange } from '../exchange.js';
import { measuredPath } from '../measures/request-labels.js';
import { splitPath } from '../request-info.js';
import { emptyResult, notFound, type Result, textResult } from '../result.js';
import { ISSUER_PATHS, issuerDocument } from './issuer-documents.js';
import { openApiPaths, openApiRoute } from './openapi-route.js';
import { addressesByClient } from './server-addresses.js';

/**
 * Answers every path that is not a resource: discovery, health, OpenAPI, version, the list of paths. Returns undefined for unknown paths.
 */
export async function otherPath(exchange: Exchange): Promise<Result | undefined> {
  const { path, environment, query, info, registry } = exchange;
  if (path.startsWith('//')) return undefined;
  const segments = splitPath(path);
  const [root, group = '', groupVersion] = segments;
  if (root === 'api') {
    if (segments.length === 1) return coreRoot(exchange);
    if (registry.groups.has('')) return resourceList(exchange, '', group, segments.length === 2);
  }
  if (root === 'apis') {
    if (segments.length === 1) return groupsRoot(exchange);
    if (groupVersion === undefined) return groupDocument(exchange, group);
    if (!registry.groups.has(group)) return undefined;
    return resourceList(exchange, group, groupVersion, segments.length === 3);
  }

  const simple = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (path === '/' || path === '/index.html')
    return { type: 'document', document: { paths: indexPaths(exchange) }, indented: true };
  if (simple === '/version' || path.startsWith('/version/')) return versionResult(exchange, simple);
  if (path.startsWith('/openapi/')) return openApiRoute(exchange);
  if (path.startsWith(FLOW_CONTROL)) return flowControlTable(exchange);
  const healthy = environment.health().answer(path, query);
  if (healthy) {
    // Only requests to the health endpoints are counted in the metrics, not those to single checks (such as `/healthz/ping`).
    if (environment.meter && path.lastIndexOf('/') === 0) exchange.measured = measuredPath(path);
    return healthy;
  }
  const metrics = environment.metrics.get(path);
  if (metrics) return metrics.answer(exchange.request);
  if (ISSUER_PATHS.includes(simple) && environment.accountTokens.discoverable)
    return await issuerDocument(exchange, simple);
  if (info.resourceRequest) throw apiError.noSuchResource();
  return undefined;
}

const FLOW_CONTROL = '/debug/api_priority_and_fairness/';

/**
 * Serves the debug tables of API Priority and Fairness: its waiting and executing requests. As in upstream, any method and media type is
 * accepted.
 */
function flowControlTable({ path, query, environment }: Exchange): Result | undefined {
  const text = environment.flowControl?.dump(path.slice(FLOW_CONTROL.length), query);
  return text === undefined ? undefined : textResult(200, text, false);
}

/**
 * Refuses methods other than GET. It is called for documents that upstream's router serves; for the others (`/apis`, `/apis/<group>` and
 * `/apis/<group>/<version>` of custom resources), upstream accepts any method.
 */
function onlyGet({ request }: Exchange): void {
  if (request.method !== 'GET') throw apiError.methodNotAllowed();
}

function versionResult(exchange: Exchange, path: string): Result {
  if (path !== '/version') throw apiError.noSuchResource();
  onlyGet(exchange);
  // Only the router looks at the headers: the handler writes JSON, whatever else they ask for.
  checkDocument(exchange, ['application/json']);
  const document = versionDocument(VERSION, exchange.environment.reportedVersion);
  return { type: 'document', document, indented: true };
}

async function coreRoot(exchange: Exchange): Promise<Result> {
  onlyGet(exchange);
  checkDocument(exchange);
  const aggregated = await aggregatedResult(exchange, 'api');
  if (aggregated) return aggregated;
  negotiateDocument(exchange, 'handler');
  const versions = exchange.registry.groups.get('') ?? [];
  const document = { kind: 'APIVersions', versions, serverAddressByClientCIDRs: addressesByClient(exchange) };
  return { type: 'document', document };
}

async function groupsRoot(exchange: Exchange): Promise<Result> {
  const aggregated = await aggregatedResult(exchange, 'apis');
  if (aggregated) return aggregated;
  negotiateDocument(exchange, 'handler');
  return { type: 'document', document: discoveryOf(exchange.environment).groupList(exchange.registry) };
}

function groupDocument(exchange: Exchange, group: string): Result | undefined {
  const document = discoveryOf(exchange.environment).group(group, exchange.registry);
  if (!document) return undefined;
  negotiateDocument(exchange, 'handler');
  return { type: 'document', document };
}

async function resourceList(exchange: Exchange, group: string, groupVersion: string, whole: boolean): Promise<Result> {
  const discovery = discoveryOf(exchange.environment);
  const document = whole ? await discovery.resourceList(group, groupVersion, exchange.registry) : undefined;
  if (!document) {
    if (!exchange.registry.isBuiltIn(group)) return notFound();
    throw apiError.noSuchResource();
  }
  if (exchange.registry.isBuiltIn(group)) {
    onlyGet(exchange);
    negotiateDocument(exchange, 'router');
  } else negotiateDocument(exchange, 'handler');
  return { type: 'document', document };
}

/** Returns the discovery documents of a server. They are created on first use. */
function discoveryOf({ registry, apiServices, host }: RequestEnvironment): DiscoveryDocuments {
  let documents = DISCOVERY.get(registry);
  if (!documents) {
    documents = new DiscoveryDocuments((snapshot) => apiServices.groups(snapshot), host.gates.StorageVersionHash);
    DISCOVERY.set(registry, documents);
  }
  return documents;
}
const DISCOVERY = new WeakMap<ResourceRegistry, DiscoveryDocuments>();

const DISCOVERY_LIST = 'APIGroupDiscoveryList';
const isDiscoveryVersion = (version: string | undefined): version is 'v2' | 'v2beta1' =>
  version === 'v2' || version === 'v2beta1';

/** Answers with aggregated discovery if the first matching clause of the Accept header requests it; else returns undefined. */
async function aggregatedResult(exchange: Exchange, root: 'api' | 'apis'): Promise<Result | undefined> {
  const { request, environment, registry, form } = exchange;
  const { dialect } = environment.host;
  const accept = request.headers.get('accept');
  // Only the parameters of an Accept header can request aggregated discovery.
  if (isPlainAccept(accept, form.mediaType)) return undefined;
  const chosen = negotiateTransform(accept, {
    allowed: environment.mediaTypes,
    transforms: (wanted, { format }) =>
      wanted.group === groupOf(dialect, 'apidiscovery') &&
      wanted.kind === DISCOVERY_LIST &&
      isDiscoveryVersion(wanted.version) &&
      format.transforms.has(DISCOVERY_LIST),
  });
  const { group = '', version } = chosen?.transform ?? {};
  if (chosen === undefined || !isDiscoveryVersion(version)) return undefined;
  const { format, name } = chosen.mediaType;
  const { document, etag, encodings } = await discoveryOf(environment).aggregated(root, version, registry);
  const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
  if (request.headers.get('if-none-match') === etag) return emptyResult(304, headers);
  const contentType = `${name};g=${group};v=${version};as=${DISCOVERY_LIST}`;
  const { pretty } = withIndentation(exchange, chosen);
  const encode = () => format.encodeObject(document, { schema: discoverySchema(version) }, pretty);
  let body = pretty ? encode() : encodings.get(format);
  if (body === undefined) {
    body = Object.freeze(encode());
    encodings.set(format, body);
  }
  const gzip = lengthOf(body) > COMPRESSION_THRESHOLD && mayCompress(exchange);
  const vary = gzip ? { Vary: 'Accept, Accept-Encoding' } : {};
  return { type: 'raw', status: 200, headers: { ...headers, ...vary, 'Content-Type': contentType }, body, gzip };
}

/** Returns the paths that `GET /` lists: all paths that the server serves, sorted. */
function indexPaths({ environment, registry }: Exchange): string[] {
  const groups = [...registry.groups, ...discoveryOf(environment).served(registry).listed].flatMap(
    ([group, versions]) =>
      group === ''
        ? ['/api', ...versions.map((version) => `/api/${version}`)]
        : [`/apis/${group}`, ...versions.map((each) => `/apis/${group}/${each}`)],
  );
  return [
    ...new Set([
      ...groups,
      '/apis',
      '/apis/',
      ...environment.health().paths(),
      ...environment.metrics.keys(),
      ...openApiPaths,
      ...(environment.accountTokens.discoverable ? ISSUER_PATHS : []),
      '/version',
    ]),
  ].sort();
}

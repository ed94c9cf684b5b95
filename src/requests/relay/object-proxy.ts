import { handlerBackend } from '../../aggregation/backends.js';
import type { OutboundTls } from '../../meta/fetch.js';
import { resolveSegments } from '../../outbound/path-segments.js';
import type { RelayDestination } from '../../registry/resource-definition.js';
import type { Exchange } from '../exchange.js';
import { PARTS_BEFORE_PATH, splitPath } from '../request-info.js';
import type { Result } from '../result.js';
import { forward } from './forward.js';
import { escapePath, unescapeBytes } from './outgoing-url.js';

/** The TLS options are shared objects, because connections are pooled by the identity of their TLS options. */
const ANY_CERTIFICATE: OutboundTls = Object.freeze({ insecureSkipVerify: true });
const PLAIN: OutboundTls = Object.freeze({});

/**
 * Forwards a request for the subresource `proxy` of a pod, service or node to the backend of that object (spec 24.7).
 * @throws ApiError 405, 413; 500 and 503 if the backend cannot be reached.
 */
export async function proxyToObject(
  exchange: Exchange,
  { origin, handler, isTarget = false }: RelayDestination,
): Promise<Result> {
  const { request, info, environment } = exchange;
  const path = unescapeBytes(request.path);
  const segments = splitPath(path);
  // The index of the first segment that is forwarded to the backend.
  const at = segments.length - Math.max(0, info.parts.length - PARTS_BEFORE_PATH);
  const { method } = request;
  const { backends } = environment;
  const rest = pathBehind(segments.slice(at), path.endsWith('/'));
  if (rest === '' && (method === 'GET' || method === 'HEAD')) {
    const query = request.query === '' ? '' : `?${request.query}`;
    return {
      type: 'relayed',
      status: 301,
      headers: { Location: [`${escapePath(path)}/${query}`] },
      body: { type: 'none' },
    };
  }
  const tls = origin.startsWith('https:') ? ANY_CERTIFICATE : PLAIN;
  const backend = handler ? handlerBackend(handler, origin) : backends.at(origin, tls);
  return await forward(exchange, {
    ...backend,
    path: rest === '' ? '/' : rest,
    namesUser: false,
    isTarget,
    proxiedAt: {
      host: origin.slice(origin.indexOf('://') + 3),
      callersHost: request.host ?? '',
      prefix: escapePath(`/${segments.slice(0, at).join('/')}`),
    },
  });
}

/** Joins the segments of the forwarded path; empty segments and dot segments are removed. */
function pathBehind(parts: readonly string[], endsWithSlash: boolean): string {
  const kept = resolveSegments(parts);
  if (kept.length === 0) return endsWithSlash || parts.length > 0 ? '/' : '';
  return `/${kept.join('/')}${endsWithSlash ? '/' : ''}`;
}

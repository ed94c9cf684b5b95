import { groupOf } from '../../meta/dialect.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import { PATCH_MEDIA_TYPES } from '../../patch/media-types.js';
import {
  checkRouteAccept,
  checkRouteContentType,
  isPlainAccept,
  isPretty,
  type MediaFormat,
  type MediaType,
  mediaTypesOf,
  type NegotiatedMediaType,
  negotiate,
  negotiateError,
  negotiateStream,
  routeMediaTypes,
} from '../../serialization/media-type.js';
import type { Exchange } from '../exchange.js';
import type { Route } from '../route.js';

/** The form in which an answer is to be written. */
export interface Negotiated {
  readonly format: MediaFormat;
  readonly pretty: boolean;
  readonly transform?: GroupVersionKind;
  /** Full Content-Type where it is not the plain media type. */
  readonly contentType?: string;
}

const chosen = new WeakMap<Exchange, Negotiated>();
const PATCHES: readonly string[] = Object.values(PATCH_MEDIA_TYPES);
const PLAIN: Negotiated = { format: 'json', pretty: false };
// The form when Accept allows no form of an error (spec 9.4).
const FALLBACK: Negotiated = { format: 'json', pretty: true };

/** The form chosen for an exchange; plain JSON when nothing was negotiated. */
export function negotiated(exchange: Exchange): Negotiated {
  return chosen.get(exchange) ?? PLAIN;
}

/**
 * The router's checks of a resource's route, then the handler's choice of the answer's form.
 * @throws ApiError 415, 406.
 */
export function negotiateRoute(exchange: Exchange, route: Route): void {
  const { request, environment } = exchange;
  const { definition } = route.store.resource;
  const types = mediaTypesOf(environment.dialect);
  const [json] = types;
  const routed = definition.decoding === 'typed' && request.body?.type !== 'object';
  if (routed && route.action === 'patch') checkRouteContentType(request.headers.get('content-type'), PATCHES);
  const accept = request.headers.get('accept');
  if (json && isPlainAccept(accept)) {
    remember(exchange, { mediaType: json, pretty: false });
    return;
  }
  if (routed) {
    const watches = (route.action === 'list' || route.action === 'watch') && route.store.resource.verbs.has('watch');
    checkRouteAccept(accept, routeMediaTypes(types, watches));
  }
  const meta = groupOf(environment.dialect, 'meta');
  const subresource = definition.subresources?.[route.subresource];
  const tableless = subresource !== undefined && 'table' in subresource && subresource.table === false;
  const isVirtual = definition.virtual !== undefined || route.action === 'connect';
  const transforms = (transform: GroupVersionKind, mediaType: MediaType): boolean =>
    !isVirtual &&
    transform.group === meta &&
    isTransform(transform, mediaType) &&
    !(transform.kind === 'Table' && tableless);
  const first = negotiate(accept, {
    allowed: types,
    transforms,
    ...(route.action === 'watch' ? { stream: 'watch' as const } : {}),
  });
  const result = route.action === 'watch' ? negotiateStream(accept, { allowed: types, transforms }) : first;
  remember(exchange, result, route.action === 'watch');
}

function isTransform({ kind, version }: GroupVersionKind, { format }: MediaType): boolean {
  if (version !== 'v1' && version !== 'v1beta1') return false;
  if (kind === 'Table') return format !== 'protobuf';
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
}

/**
 * Chooses the form of a document other than an API object.
 * @param by who checks: the router and the group's own handler refuse with different words.
 * @throws ApiError 406.
 */
export function negotiateDocument(exchange: Exchange, by: 'router' | 'handler', only?: readonly string[]): void {
  const accept = exchange.request.headers.get('accept');
  const types = mediaTypesOf(exchange.environment.dialect).filter(({ name }) => only?.includes(name) ?? true);
  if (by === 'router') checkRouteAccept(accept, routeMediaTypes(types, false));
  remember(exchange, negotiate(accept, { allowed: types }));
}

/** Chooses the form of an error; what was negotiated before does not count. */
export function errorNegotiation(exchange: Exchange): Negotiated {
  const { request, environment } = exchange;
  const found = negotiateError(request.headers.get('accept'), mediaTypesOf(environment.dialect));
  if (!found) return FALLBACK;
  return { format: found.mediaType.format, pretty: pretty(exchange, found) };
}

function remember(exchange: Exchange, found: NegotiatedMediaType, watches = false): void {
  const { format, name } = found.mediaType;
  if (format === 'json' && !found.transform && !pretty(exchange, found)) return;
  chosen.set(exchange, {
    format,
    pretty: pretty(exchange, found),
    ...(found.transform ? { transform: found.transform } : {}),
    ...(watches && format === 'protobuf' ? { contentType: `${name};stream=watch` } : {}),
  });
}

function pretty({ query, request }: Exchange, found: NegotiatedMediaType): boolean {
  return isPretty(found, query.first('pretty'), request.headers.get('user-agent'));
}

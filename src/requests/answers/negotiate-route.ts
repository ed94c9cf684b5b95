import { groupOf } from '../../meta/dialect.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import { PATCH_MEDIA_TYPES } from '../../patch/media-types.js';
import {
  type AnswerForm,
  checkRouteAccept,
  checkRouteContentType,
  isPlainAccept,
  isPretty,
  type MediaType,
  type Negotiation,
  negotiate,
  routeMediaTypes,
  tryNegotiate,
} from '../../serialization/media-type.js';
import type { ApiRequest } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import type { Route } from '../route.js';

const PATCHES: readonly string[] = Object.values(PATCH_MEDIA_TYPES);

/**
 * Checks the media types of a request as upstream's router does. Custom resources are not checked, because upstream serves them without a
 * router.
 * @throws ApiError 415, 406.
 */
export function checkRoute({ request, environment, form }: Exchange, { store, action }: Route): void {
  if (store.resource.definition.decoding !== 'typed' || request.body?.type === 'object') return;
  if (action === 'patch') checkRouteContentType(request.headers.get('content-type'), PATCHES, declaresNoBody(request));
  const accept = request.headers.get('accept');
  if (isPlainAccept(accept, form.mediaType)) return;
  const watches = action === 'list' || action === 'watch';
  checkRouteAccept(accept, routeMediaTypes(environment.mediaTypes, watches), environment.host.dialect);
}

/** Returns whether a request announces no bytes of a body. A body in chunks has no announced length, so it counts as empty. */
const declaresNoBody = ({ body, headers }: ApiRequest): boolean =>
  body === undefined || headers.get('transfer-encoding') !== undefined;

/**
 * Negotiates the media type of the response and its conversion to a Table or PartialObjectMetadata, as upstream's handlers do. Whether a
 * watch can be sent in the media type is checked when the watch is open, because other errors take precedence.
 * @throws ApiError 406.
 */
export function negotiateRoute(exchange: Exchange, route: Route): void {
  const { request, environment, form } = exchange;
  const accept = request.headers.get('accept');
  if (isPlainAccept(accept, form.mediaType)) {
    exchange.form = withIndentation(exchange, form);
    return;
  }
  const { definition } = route.store.resource;
  const able: Negotiation = {
    allowed: environment.mediaTypes,
    transforms: transformsOf(exchange, route),
    // As in upstream, the scale of a custom resource is sent in the formats of the resource, although its own kind has a protobuf form.
    asItIs: ({ format }) => format.writes?.(definition) ?? true,
    serverVersion: 'v1',
  };
  exchange.form = withIndentation(exchange, negotiate(accept, able));
}

const TRANSFORMS: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Returns a predicate for the kinds (Table, PartialObjectMetadata) to which the response of a route can be converted. */
function transformsOf({ environment }: Exchange, { store, subresource: name, action }: Route) {
  const { definition } = store.resource;
  const subresource = definition.subresources?.[name];
  const tableless = subresource !== undefined && 'table' in subresource && subresource.table === false;
  const isCreated = (definition.virtual && 'create' in definition.virtual) || action === 'createSubresource';
  const meta = groupOf(environment.host.dialect, 'meta');
  return ({ group, version, kind }: GroupVersionKind, { format }: MediaType): boolean =>
    group === meta &&
    (version === 'v1' || version === 'v1beta1') &&
    TRANSFORMS.has(kind) &&
    format.transforms.has(kind) &&
    // Objects of kinds that are only created and never stored have metadata but no columns, so they cannot be converted to a Table.
    !(kind === 'Table' && (tableless || isCreated));
}

/**
 * Negotiates the media type of a document that is not an API object.
 * @param by the part of upstream that negotiates this document: its router and its group handlers refuse with different error messages.
 * @throws ApiError 406.
 */
export function negotiateDocument(exchange: Exchange, by: 'router' | 'handler'): void {
  if (by === 'router') checkDocument(exchange);
  const { request, environment, form } = exchange;
  const accept = request.headers.get('accept');
  const isPlain = isPlainAccept(accept, form.mediaType);
  exchange.form = withIndentation(exchange, isPlain ? form : negotiate(accept, { allowed: environment.mediaTypes }));
}

/**
 * Checks the media types of a request for a document as upstream's router does. The request may have one of the types of the document as
 * its Content-Type, although a GET has no body.
 * @param offered the media types in which the router offers the document. JSON must be one of them. Default: those of the server.
 * @throws ApiError 415, 406.
 */
export function checkDocument({ request, environment, form }: Exchange, offered?: readonly string[]): void {
  const contentType = request.headers.get('content-type');
  const accept = request.headers.get('accept');
  if (!contentType && isPlainAccept(accept, form.mediaType)) return;
  const types = offered ?? routeMediaTypes(environment.mediaTypes, false);
  if (contentType) checkRouteContentType(contentType, types, declaresNoBody(request));
  checkRouteAccept(accept, types, environment.host.dialect);
}

/** Chooses the media type of an error response from the Accept header alone, independently of what was negotiated for the result. */
export function errorForm(exchange: Exchange): AnswerForm {
  const { request, environment } = exchange;
  const types = environment.mediaTypes;
  const found = tryNegotiate(request.headers.get('accept'), { allowed: types });
  // If the Accept header matches no media type of the server, the error is sent as indented JSON, as in upstream, because a failed
  // negotiation must not hide it.
  return found ? withIndentation(exchange, found) : { mediaType: types[0], pretty: true };
}

/** Returns whether the Accept header permits a Status. If it does not, an error is sent as JSON all the same. */
export const acceptsStatus = ({ request, environment }: Exchange): boolean =>
  tryNegotiate(request.headers.get('accept'), { allowed: environment.mediaTypes }) !== undefined;

/** Sets `pretty`: the query and the user agent decide whether the response is indented. */
export function withIndentation({ query, request }: Exchange, found: AnswerForm): AnswerForm {
  const pretty = isPretty(found, query.first('pretty'), request.headers.get('user-agent'));
  return pretty === found.pretty ? found : { ...found, pretty };
}

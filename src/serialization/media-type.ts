import { apiError } from '../meta/api-error.js';
import type { Dialect } from '../meta/dialect.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import { readBooleanText } from '../values/boolean-text.js';
import { type AcceptClause, parseAccept } from './accept.js';
import type { EventFormat, Format } from './format.js';
import { formats } from './formats.js';

const STREAM_SUFFIX = ';stream=watch';

/** A format and the name of its media type in an API dialect. */
export interface MediaType {
  readonly format: Format;
  /** The media type in headers and messages, such as `application/json`. */
  readonly name: string;
}

/** Returns the media types of a server, in order of preference. */
export function mediaTypesOf(dialect: Dialect): readonly [MediaType, ...MediaType[]] {
  let types = spoken.get(dialect);
  if (types === undefined) {
    const mediaTypeOf = (format: Format): MediaType => ({ format, name: format.mediaType(dialect) });
    const [first, ...more] = formats;
    types = [mediaTypeOf(first), ...more.map(mediaTypeOf)];
    spoken.set(dialect, types);
  }
  return types;
}

const spoken = new WeakMap<Dialect, readonly [MediaType, ...MediaType[]]>();

/**
 * Returns whether an Accept header is absent or consists of just this media type or the wildcard for all types. Nearly all requests have
 * such a header, so it is not parsed.
 */
export function isPlainAccept(accept: string | undefined, { name }: MediaType): boolean {
  return accept === undefined || accept === '' || accept === '*/*' || accept === name;
}

export interface Negotiation {
  /** The media types that the handler supports, in order of preference. */
  readonly allowed: readonly MediaType[];
  /** Returns whether a response can be converted to the kind that `as`, `g` and `v` of an Accept clause name. Default: never. */
  readonly transforms?: (transform: GroupVersionKind, mediaType: MediaType) => boolean;
  /** Returns whether a response can be encoded without conversion. Default: always. */
  readonly asItIs?: (mediaType: MediaType) => boolean;
  /** The version that clauses may name with `sv`. Default: a clause with `sv` does not match. */
  readonly serverVersion?: string;
}

/** How a response is encoded: the media type, the indentation, and the kind to which the response is converted, if any. */
export interface AnswerForm {
  readonly mediaType: MediaType;
  /**
   * Whether the matching clause of the Accept header has the parameter `pretty=1`. {@link isPretty} also considers the query and the user
   * agent.
   */
  readonly pretty: boolean;
  readonly transform?: GroupVersionKind;
}

const ANY: readonly string[] = ['*/*'];
const ANY_OR_APPLICATION: readonly string[] = [...ANY, 'application/*'];

/**
 * Checks an Accept header as a route does before its handler runs. The header must literally contain one of the media types, the wildcard
 * for all types, or the wildcard for `application` types if the API dialect accepts that (spec 19.22).
 * @param produces all media types of the route, including the stream types of {@link routeMediaTypes}
 * @throws ApiError 406 with the available representations
 */
export function checkRouteAccept(
  accept: string | undefined,
  produces: readonly string[],
  { rulings }: Pick<Dialect, 'rulings'>,
): void {
  if (accept === undefined || accept === '') return;
  const wildcards = rulings.acceptsTypeWildcard ? ANY_OR_APPLICATION : ANY;
  if (namesAny(accept, [...wildcards, ...produces])) return;
  throw apiError.notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${produces.join(', ')}`, {});
}

/**
 * Checks the Content-Type of a request as a route does before its handler runs.
 * @param isEmpty whether the request announces no bytes of a body. As in upstream, the route is then refused because of its response.
 * @throws ApiError 415, or 406 with `isEmpty`, for a type that the route does not consume
 */
export function checkRouteContentType(
  contentType: string | undefined,
  consumes: readonly string[],
  isEmpty = false,
): void {
  if (namesAny(contentType || 'application/octet-stream', consumes)) return;
  if (isEmpty) throw apiError.notAcceptable('406: Not Acceptable\n\nAvailable representations: ', {});
  throw apiError.unsupportedMediaType('415: Unsupported Media Type', {});
}

/** Returns whether a header names one of the types; parameters are ignored, and case matters. */
function namesAny(header: string, types: readonly string[]): boolean {
  return (
    types.includes(header) || header.split(',').some((part) => types.includes((part.split(';', 1)[0] ?? '').trim()))
  );
}

/** Returns the names of a route's media types. If the route can watch, they include the stream types (`;stream=watch`). */
export function routeMediaTypes(types: readonly MediaType[], watches: boolean): string[] {
  const names = types.map((type) => type.name);
  return watches ? [...names, ...streamMediaTypes(types)] : names;
}

const streamMediaTypes = (types: readonly MediaType[]) =>
  types.filter((type) => type.format.stream).map((type) => type.name + STREAM_SUFFIX);

/**
 * Chooses the media type of a response: that of the first clause that matches, in order of quality.
 * @throws ApiError 406 with the accepted media types
 */
export function negotiate(accept: string | undefined, negotiation: Negotiation): AnswerForm {
  const chosen = tryNegotiate(accept, negotiation);
  if (chosen === undefined) throw notAcceptable(negotiation.allowed.map((type) => type.name));
  return chosen;
}

/**
 * Returns the format of the events of a watch.
 * @throws ApiError 406 with the stream types, if the media type has none
 */
export function streamFormat({ format }: MediaType, allowed: readonly MediaType[]): EventFormat {
  if (format.stream === undefined) throw notAcceptable(streamMediaTypes(allowed));
  return format.stream;
}

/**
 * Returns the media type and the kind if an Accept header requests a document as another kind. Clauses that request the document itself are
 * ignored, even if they come first.
 */
export function negotiateTransform(
  accept: string | undefined,
  negotiation: Required<Pick<Negotiation, 'allowed' | 'transforms'>>,
): Required<AnswerForm> | undefined {
  const chosen = tryNegotiate(accept, { ...negotiation, asItIs: () => false });
  return chosen?.transform && { ...chosen, transform: chosen.transform };
}

/**
 * Chooses among names of media types. The first clause, in order of quality, that matches a name or is a wildcard decides. Returns
 * undefined if no clause matches.
 */
export function chooseMediaType<T extends string>(accept: string | undefined, names: readonly T[]): T | undefined {
  for (const clause of parseAccept(accept || '*/*')) {
    for (const name of names) {
      const [type, subtype] = name.split('/');
      if ((clause.type === type || clause.type === '*') && (clause.subtype === subtype || clause.subtype === '*'))
        return name;
    }
  }
  return undefined;
}

const notAcceptable = (types: readonly string[]) =>
  apiError.notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);

/** Chooses the media type of a response as {@link negotiate} does; undefined if the header accepts none of the media types. */
export function tryNegotiate(accept: string | undefined, negotiation: Negotiation): AnswerForm | undefined {
  const [first] = negotiation.allowed;
  if (first !== undefined && isPlainAccept(accept, first)) return { mediaType: first, pretty: false };
  for (const clause of parseAccept(accept ?? '')) {
    for (const mediaType of negotiation.allowed) {
      if (!matches(clause, mediaType)) continue;
      const chosen = fitClause(clause, mediaType, negotiation);
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

function matches({ type, subtype }: AcceptClause, { name }: MediaType): boolean {
  if (subtype === '*') return type === '*' || name.startsWith(`${type}/`);
  return name === `${type}/${subtype}`;
}

function fitClause(
  { parameters }: AcceptClause,
  mediaType: MediaType,
  negotiation: Negotiation,
): AnswerForm | undefined {
  const stream = parameters.get('stream') ?? '';
  // As in upstream, `stream=watch` matches for every response, not only for that of a watch.
  if (stream !== '' && (!mediaType.format.stream || stream !== 'watch')) return undefined;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && serverVersion !== negotiation.serverVersion) return undefined;
  const pretty = parameters.get('pretty') === '1';
  if (!parameters.has('as') && !parameters.has('g') && !parameters.has('v'))
    return negotiation.asItIs?.(mediaType) === false ? undefined : { mediaType, pretty };
  const transform = {
    group: parameters.get('g') ?? '',
    version: parameters.get('v') ?? '',
    kind: parameters.get('as') ?? '',
  };
  return negotiation.transforms?.(transform, mediaType) ? { mediaType, pretty, transform } : undefined;
}

/**
 * Returns whether a response is indented: if the Accept clause requests it, or else if the query parameter `pretty` is true. Without
 * either, responses to browsers, curl and wget are indented. Only JSON is indented, and never a watch.
 * @param query the value of the query parameter `pretty`, if present
 */
export function isPretty(chosen: AnswerForm, query: string | undefined, userAgent: string | undefined): boolean {
  if (!chosen.mediaType.format.indents) return false;
  if (chosen.pretty) return true;
  if (query !== undefined && query !== '') return readBooleanText(query) === true;
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '');
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TYPE = new RegExp(`\\s*(${TOKEN}(?:/${TOKEN})?)\\s*`, 'y');
const PARAMETER = new RegExp(`;\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")\\s*`, 'y');
const END = /;?\s*$/y;

/**
 * Returns the media type of a Content-Type header, in lower case and without parameters; undefined if it is malformed or repeats a
 * parameter with another value.
 */
export function parseContentType(header: string): string | undefined {
  const type = matchAt(TYPE, header, 0);
  if (type === null) return undefined;
  // Parameters are matched one by one. A single regular expression for all parameters could take very long, because it would try every way
  // to assign white space to them.
  let at = TYPE.lastIndex;
  const values = new Map<string, string>();
  for (;;) {
    const [, parameter, value = ''] = matchAt(PARAMETER, header, at) ?? [];
    if (parameter === undefined) break;
    const name = parameter.toLowerCase();
    // A parameter may be repeated, but not with another value.
    if ((values.get(name) ?? value) !== value) return undefined;
    values.set(name, value);
    at = PARAMETER.lastIndex;
  }
  return matchAt(END, header, at) === null ? undefined : type[1]?.toLowerCase();
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

/**
 * Returns the media type of a request body; the first allowed one if there is no Content-Type.
 * @throws ApiError 415 with the accepted media types
 */
export function requestMediaType(contentType: string | undefined, allowed: readonly MediaType[]): MediaType {
  const sent = contentType || allowed[0]?.name || '';
  // Almost every request sends just the name of a media type, which need not be parsed.
  for (const mediaType of allowed) if (mediaType.name === sent) return mediaType;
  const parsed = parseContentType(sent);
  const mediaType = allowed.find(({ name }) => name === parsed);
  if (mediaType !== undefined) return mediaType;
  throw apiError.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${allowed.map((type) => type.name).join(', ')}`,
  );
}

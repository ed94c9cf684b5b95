import { parseBoolean, parseInt64, type Query } from '../meta/query.js';
import { parseFieldSelector } from '../selectors/field-selector.js';
import { parseLabelSelector } from '../selectors/label-selector.js';

/** The attributes of a request that follow from its URL and method (spec 1.4). Strings are '' if they do not apply. */
export interface RequestInfo {
  /** Whether the request is about a resource rather than another path. */
  readonly resourceRequest: boolean;
  /** The percent-decoded path. */
  readonly path: string;
  /** The API verb; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The segments of the path from the resource on. */
  readonly parts: readonly string[];
  /** Whether the path goes through `namespaces/<name>/` to a resource in that namespace. */
  readonly inNamespace: boolean;
  /** The first segment if it is an action: `/watch/…`, the old form of a watch, or `/proxy/…`, which has no handler. */
  readonly special: 'watch' | 'proxy' | '';
}

const SLASH = 0x2f;
// Segments after /namespaces/<name>/ that are subresources of the namespace, not resources in it.
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * Parses the path and method of a request.
 * @param path the percent-decoded path
 * @param url the path as it was sent, with the query, for the message of an error
 * @throws Error for an incomplete path after `watch` or `proxy`; the response is plain text with status 500.
 */
export function parseRequestInfo(method: string, path: string, query: Query, url = path): RequestInfo {
  const segments = splitPath(path);
  const [prefix] = segments;
  const grouped = prefix === 'apis';
  if (segments.length < (grouped ? 4 : 3) || (prefix !== 'api' && !grouped)) return nonResourceInfo(method, path);
  const group = grouped ? (segments[1] ?? '') : '';
  // The index of the first segment that is not parsed yet.
  let at = grouped ? 3 : 2;
  const version = segments[at - 1] ?? '';

  let verb: string = verbOfMethod(method);
  const action = segments[at];
  const special = action === 'watch' || action === 'proxy' ? action : '';
  if (special !== '') {
    if (segments.length < at + 2) throw new Error(`unable to determine kind and namespace from url, ${url}`);
    verb = special;
    at++;
  }
  let namespace = '';
  let inNamespace = false;
  if (segments[at] === 'namespaces' && segments.length > at + 1) {
    namespace = segments[at + 1] ?? '';
    inNamespace = segments.length > at + 2 && !NAMESPACE_SUBRESOURCES.has(segments[at + 2] ?? '');
    if (inNamespace) at += 2;
  }
  const resource = segments[at] ?? '';
  const pathName = segments[at + 1] ?? '';
  const subresource = segments[at + 2] ?? '';
  // Only lists and watches are authorized by name; deletecollection and the old `/watch/…` paths are not (spec 1.4).
  const name = pathName === '' && verb === 'get' ? selectedByName(query) : pathName;
  if (pathName === '' && verb === 'get') verb = parseBoolean(query.first('watch')) ? 'watch' : 'list';
  if (pathName === '' && verb === 'delete') verb = 'deletecollection';
  return {
    resourceRequest: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource: verb === 'proxy' ? '' : subresource,
    name,
    parts: segments.slice(at),
    inNamespace,
    special,
  };
}

const LONG_VERBS: ReadonlySet<string> = new Set(['watch', 'proxy']);
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The classes of requests, each with its own limit. */
export type RequestKind = 'mutating' | 'readOnly';
export const requestKind = ({ verb }: RequestInfo): RequestKind => (READING.has(verb) ? 'readOnly' : 'mutating');

/** Returns whether a request is long-running: it stays open until its caller closes it. */
export function isLongRunning({ resourceRequest, verb, subresource }: RequestInfo): boolean {
  return resourceRequest && (LONG_VERBS.has(verb) || LONG_SUBRESOURCES.has(subresource));
}

/** Returns the info of a path that is not a resource; its verb is the method. */
export function nonResourceInfo(method: string, path: string): RequestInfo {
  return {
    resourceRequest: false,
    path,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    inNamespace: false,
    special: '',
  };
}

/** The number of segments before the path that a proxy forwards: the resource, the name and `proxy`. */
export const PARTS_BEFORE_PATH = 3;

/** Splits a path into segments, ignoring leading and trailing slashes. */
export function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === SLASH) start++;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--;
  const segments: string[] = [];
  if (start === end) return segments;
  // This loop takes a third of the time that `split` takes for a path, which has few segments.
  for (let next = path.indexOf('/', start); next !== -1 && next < end; next = path.indexOf('/', start)) {
    segments.push(path.slice(start, next));
    start = next + 1;
  }
  segments.push(path.slice(start, end));
  return segments;
}

/**
 * Returns the name that a field selector requires. A request for a collection with such a selector is authorized for that name (spec 1.4).
 */
function selectedByName(query: Query): string {
  const selector = query.first('fieldSelector');
  if (selector === undefined || selector === '') return '';
  try {
    // As in upstream, a parameter that cannot be parsed has the effect that all list options count as empty.
    for (const name of ['timeoutSeconds', 'limit']) parseInt64(query.first(name));
    parseLabelSelector(query.first('labelSelector') ?? '');
    const found = parseFieldSelector(selector).requirements.find(
      (r) => r.field === 'metadata.name' && r.operator === '=',
    );
    return found && /^[^/%]+$/.test(found.value) && found.value !== '.' && found.value !== '..' ? found.value : '';
  } catch {
    return '';
  }
}

/** The verbs on resources that authorizers decide on. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

// This is a Map because callers choose the method: an object would also find `constructor`.
const OF_METHOD: ReadonlyMap<string, Verb> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Returns the verb of a method on one object; '' for methods that the API does not have. */
export const verbOfMethod = (method: string): Verb | '' => OF_METHOD.get(method) ?? '';

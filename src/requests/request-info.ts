import { parseFieldSelector } from '../meta/field-selector.js';
import type { Query } from '../meta/query.js';
import { parseBoolean } from '../meta/query.js';

/** What a URL and method ask for (gap file 4.1). Strings are '' where they do not apply. */
export interface RequestInfo {
  /** Whether it is about a resource rather than another path. */
  readonly resourceRequest: boolean;
  /** Percent-decoded. */
  readonly path: string;
  /** API verb; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Segments from the resource on. */
  readonly parts: readonly string[];
  /** The path goes through `namespaces/<name>/` to a resource in it. */
  readonly inNamespace: boolean;
  /** The old form `/watch/…` of a watch. */
  readonly watchPath: boolean;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
// Third segments after /namespaces/<name>/ that are the namespace's own, not resources in it.
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** @throws Error when a special path lacks what it is about: answered as text, status 500. */
export function parseRequestInfo(method: string, path: string, query: Query): RequestInfo {
  const none = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '', parts: [], inNamespace: false, watchPath: false };
  const other: RequestInfo = { ...none, resourceRequest: false, path, verb: method.toLowerCase() };
  const segments = splitPath(path);
  if (segments.length < 3) return other;
  const [prefix = '', ...rest] = segments;
  if (prefix !== 'api' && prefix !== 'apis') return other;
  if (prefix === 'apis' && rest.length < 3) return other;
  const group = prefix === 'apis' ? (rest.shift() ?? '') : '';
  const version = rest.shift() ?? '';

  let verb = VERBS[method] ?? '';
  const special = rest[0] === 'watch' || rest[0] === 'proxy';
  if (special) {
    if (rest.length < 2) throw new Error(`unable to determine kind and namespace from url, ${path}`);
    verb = rest.shift() ?? '';
  }
  let namespace = '';
  let inNamespace = false;
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? '';
    inNamespace = rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '');
    if (inNamespace) rest.splice(0, 2);
  }
  const [resource = '', givenName = '', subresource = ''] = rest;
  const selectedName = givenName === '' ? selectedByName(verb, query) : '';
  if (givenName === '' && verb === 'get') verb = parseBoolean(query.first('watch')) ? 'watch' : 'list';
  if (givenName === '' && verb === 'delete') verb = 'deletecollection';
  return {
    resourceRequest: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource: verb === 'proxy' ? '' : subresource,
    name: givenName === '' ? selectedName : givenName,
    parts: rest,
    inNamespace,
    watchPath: special && verb === 'watch',
  };
}

/** Non-empty ends: leading and trailing slashes do not count. */
export function splitPath(path: string): string[] {
  const trimmed = path.replace(/^\/+/, '').replace(/\/+$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

/** A collection asked for by one name is authorized by that name (gap file 4.1). */
function selectedByName(verb: string, query: Query): string {
  if (verb !== 'get' && verb !== 'watch' && verb !== 'delete') return '';
  const selector = query.first('fieldSelector');
  if (selector === undefined || selector === '') return '';
  try {
    const found = parseFieldSelector(selector).requirements.find((r) => r.field === 'metadata.name' && r.operator === '=');
    return found && /^[^/%]+$/.test(found.value) && found.value !== '.' && found.value !== '..' ? found.value : '';
  } catch {
    return '';
  }
}

import { parseQuery } from '../../meta/query.js';
import type { ApiRequest } from '../../requests/api-request.js';
import { nonResourceInfo, parseRequestInfo, type RequestInfo } from '../../requests/request-info.js';

/** The target of a request; members are '' if they do not apply. */
export interface RequestTarget {
  /** One of `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** The plural name, with the subresource: `pods`, `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly userAgent: string;
}

/**
 * Selects requests: those whose members equal all given ones (or one element of a list), or those for which a function returns true. `{}`
 * selects all.
 */
export type RequestFilter =
  | { readonly [M in keyof RequestTarget]?: string | readonly string[] }
  | ((request: RequestTarget) => boolean);

export function targetOf({ method, path, query, headers }: ApiRequest): RequestTarget {
  const { verb, group, version, resource, subresource, namespace, name } = infoOf(method, path, query);
  return {
    verb,
    group,
    version,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    path,
    userAgent: headers.get('user-agent') ?? '',
  };
}

function infoOf(method: string, path: string, query: string): RequestInfo {
  try {
    return parseRequestInfo(method, path, parseQuery(query));
  } catch {
    return nonResourceInfo(method, path); // an incomplete path, which the server refuses
  }
}

export function selects(filter: RequestFilter, target: RequestTarget): boolean {
  if (typeof filter === 'function') return filter(target);
  return Object.entries(filter).every(([member, wanted]) => {
    const value = target[member as keyof RequestTarget]; // the type of the filter allows only these members
    return typeof wanted === 'string' ? wanted === value : wanted === undefined || wanted.includes(value);
  });
}

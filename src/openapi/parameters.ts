/** A query or path parameter of an operation. */
export interface Parameter {
  /** Distinguishes parameters of the same name, for example the field managers of writes and of patches. */
  readonly key: string;
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const QUERY_PARAMETERS = {
  allowWatchBookmarks: [
    'boolean',
    'For watches: whether the server may send bookmarks, which contain only a resourceVersion.',
  ],
  continue: ['string', 'The continue token of the previous page of a list.'],
  dryRun: ['string', 'All processes the request without storing the result.'],
  fieldManager: ['string', 'The manager that owns the written fields, at most 128 printable characters.'],
  fieldSelector: ['string', 'Selects objects by their fields. Default: all objects.'],
  fieldValidation: ['string', 'The treatment of unknown and duplicate fields: Ignore, Warn (the default) or Strict.'],
  force: ['boolean', 'For an apply: whether to take over fields of other managers.'],
  gracePeriodSeconds: ['integer', 'The grace period in seconds; 0 deletes at once. Default: that of the kind.'],
  labelSelector: ['string', 'Selects objects by their labels. Default: all objects.'],
  limit: ['integer', 'The maximum number of objects in a page of a list. Default: no maximum.'],
  orphanDependents: ['boolean', 'Deprecated, use propagationPolicy: whether dependents are kept.'],
  pretty: ['string', 'Whether the response is indented. Default: true for browsers, curl and wget.'],
  propagationPolicy: ['string', 'The treatment of dependents: Orphan, Background or Foreground.'],
  resourceVersion: [
    'string',
    'The version of a read, subject to resourceVersionMatch, or the version after which a watch starts.',
  ],
  resourceVersionMatch: ['string', 'How resourceVersion applies to a list: Exact or NotOlderThan.'],
  sendInitialEvents: ['boolean', 'For watches: whether to send the existing objects first, followed by a bookmark.'],
  timeoutSeconds: ['integer', 'The maximum duration of a list or watch in seconds.'],
  watch: ['boolean', 'Whether to send changes as they happen instead of a list.'],
} as const satisfies Readonly<Record<string, readonly [Parameter['type'], string]>>;

/** Name of a query parameter that the server reads (spec 3.2). */
export type QueryParameterName = keyof typeof QUERY_PARAMETERS;

const query = Object.fromEntries(
  Object.entries(QUERY_PARAMETERS).map(([name, [type, description]]) => [
    name,
    { key: name, name, in: 'query', type, description },
  ]),
) as Readonly<Record<QueryParameterName, Parameter>>; // QUERY_PARAMETERS has exactly these names, so the cast is safe.

const pick = (...names: readonly QueryParameterName[]): readonly Parameter[] => names.map((name) => query[name]);

export const PRETTY: Parameter = query.pretty;

const LIST_NAMES = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
] as const;
const DELETE_NAMES = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'] as const;
const COLLECTION_NAMES = LIST_NAMES.filter((name) => name !== 'allowWatchBookmarks' && name !== 'watch');

/** Query parameters by action. All actions also accept `pretty`. */
export const PARAMETERS_OF = {
  read: pick('resourceVersion'),
  list: pick(...LIST_NAMES),
  write: pick('dryRun', 'fieldManager', 'fieldValidation'),
  patch: [
    query.dryRun,
    {
      ...query.fieldManager,
      key: 'fieldManager-patch',
      description: `${query.fieldManager.description} Required for an apply.`,
    },
    query.fieldValidation,
    query.force,
  ],
  delete: pick(...DELETE_NAMES),
  deletecollection: pick(...COLLECTION_NAMES, ...DELETE_NAMES),
} as const satisfies Readonly<Record<string, readonly Parameter[]>>;

export const NAMESPACE: Parameter = {
  key: 'namespace',
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'Namespace of the object.',
};

/** Returns the path parameter for the name of an object. */
export function nameParameter(kind: string): Parameter {
  return { key: `name-${kind}`, name: 'name', in: 'path', type: 'string', description: `Name of the ${kind}.` };
}

/** Returns the path parameter for the part of the path after `proxy/`. */
export function pathParameter(kind: string): Parameter {
  return { key: `path-of-${kind}`, name: 'path', in: 'path', type: 'string', description: 'The path after the proxy.' };
}

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
    'Watch only: whether bookmarks may be sent, which tell revisions without an object.',
  ],
  continue: ['string', 'Where the next page of a list starts: what the page before it said.'],
  dryRun: ['string', 'All: do everything but store the outcome.'],
  fieldManager: ['string', 'Who owns what is written: printable, at most 128 bytes.'],
  fieldSelector: ['string', 'Only objects with these fields. Default all.'],
  fieldValidation: ['string', 'What happens to unknown and duplicate fields: Ignore, Warn (the default) or Strict.'],
  force: ['boolean', 'Apply only: take over fields that others own.'],
  gracePeriodSeconds: [
    'integer',
    'Seconds until the deletion takes effect; 0 is at once. Default: what the kind says.',
  ],
  labelSelector: ['string', 'Only objects with these labels. Default all.'],
  limit: ['integer', 'How many objects a page of a list holds at most. Default all.'],
  orphanDependents: ['boolean', 'Old form of propagationPolicy: whether dependents stay.'],
  pretty: ['string', 'Whether the answer is indented. Default: for tools that people read.'],
  propagationPolicy: ['string', 'What happens to dependents: Orphan, Background or Foreground.'],
  resourceVersion: ['string', 'The revision to read at or after, as resourceVersionMatch says; where a watch starts.'],
  resourceVersionMatch: ['string', 'How resourceVersion counts in a list: Exact or NotOlderThan.'],
  sendInitialEvents: ['boolean', 'Watch only: whether the objects there are come first, and a bookmark after them.'],
  timeoutSeconds: ['integer', 'Seconds until a list or watch ends.'],
  watch: ['boolean', 'Whether changes are sent as they happen, rather than a list.'],
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
      description: `${query.fieldManager.description} Apply needs it.`,
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
  return { key: `name-${kind}`, name: 'name', in: 'path', type: 'string', description: `name of the ${kind}` };
}

/** Returns the path parameter for the part of the path after `proxy/`. */
export function pathParameter(kind: string): Parameter {
  return { key: `path-of-${kind}`, name: 'path', in: 'path', type: 'string', description: 'Path there.' };
}

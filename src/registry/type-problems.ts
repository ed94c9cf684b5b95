import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { type ApiError, apiError } from '../meta/api-error.js';
import { citation, type Dialect } from '../meta/dialect.js';
import { fieldError } from '../meta/field-error.js';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { TypeMeta } from '../meta/type-meta.js';
import { quote } from '../values/quote.js';
import type { KnownKinds } from './request-context.js';
import type { ServedResource } from './served/served-resource.js';

/** Returns the 400 for a body of the right kind in another version. */
export function wrongVersion({ apiVersion }: ServedResource, bodyVersion: string): ApiError {
  return apiError.badRequest(
    `the API version in the data (${bodyVersion}) does not match the expected API version (${apiVersion})`,
  );
}

// These kinds of meta/v1 are registered in version v1 of the core group, too.
const META_KINDS: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
]);

/** The Go source position of the `runtime.Scheme` in which upstream registers the built-in kinds. Messages quote it. */
const BUILT_IN_SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

/** Returns why an object of another kind cannot be converted to the resource's kind; undefined for another version of the same kind. */
export function conversionProblem(
  kinds: KnownKinds,
  { gvk, definition, dialect, scheme }: ServedResource,
  bodyKind: GroupVersionKind,
): string | undefined {
  const item = bodyKind.kind.endsWith('List') ? bodyKind.kind.slice(0, -'List'.length) : bodyKind.kind;
  const isBuiltIn =
    kinds.knowsKind(bodyKind.group, bodyKind.version, item) ||
    (bodyKind.group === '' && bodyKind.version === 'v1' && META_KINDS.has(bodyKind.kind)) ||
    (bodyKind.kind === 'List' && bodyKind.group === '');
  const isKnown =
    (scheme === undefined && isBuiltIn) ||
    (bodyKind.kind === gvk.kind && definition.knownVersions?.includes(formatGroupVersion(bodyKind)) === true);
  if (!isKnown) return unknownKind(bodyKind.kind, formatGroupVersion(bodyKind), scheme ?? BUILT_IN_SCHEME, dialect);
  if (bodyKind.kind === gvk.kind) return undefined;
  const internal = internalType(definition.groupStem ?? '', gvk.kind);
  return `converting (${bodyKind.version}.${bodyKind.kind}) to (${internal}): unknown conversion`;
}

/** Returns the Go type of a kind's internal version: its package has the name of the first label of the group. */
const internalType = (group: string, kind: string): string => `${group.split('.', 1)[0] || 'core'}.${kind}`;

/** The Go type in which upstream holds a custom resource. */
export const UNSTRUCTURED = '*unstructured.Unstructured';

/**
 * Returns the Go type in which upstream holds the response of a resource, as messages print it. Custom resources have no type of their own,
 * and the scale of one is held in the version in which it is served.
 */
export function heldType(
  { definition, gvk }: ServedResource,
  held: 'list' | Pick<ApiObject, 'apiVersion' | 'kind'>,
): string {
  const isCustom = definition.decoding === 'structural';
  if (held === 'list')
    return isCustom
      ? '*unstructured.UnstructuredList'
      : `*${internalType(definition.groupStem ?? '', definition.listKind)}`;
  if (held.kind === gvk.kind) return isCustom ? UNSTRUCTURED : `*${internalType(definition.groupStem ?? '', gvk.kind)}`;
  const { group, version } = parseGroupVersion(held.apiVersion) ?? { group: '', version: '' };
  return `*${isCustom ? `${version}.${held.kind}` : internalType(group, held.kind)}`;
}

/**
 * Returns the message about a kind that is not registered.
 * @param scheme the Go source position of the `runtime.Scheme` that upstream's message quotes
 */
export function unknownKind(kind: string, apiVersion: string, scheme: string, dialect: Dialect): string {
  const where = citation(dialect, ` in scheme ${quote(scheme)}`);
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)}${where}`;
}

/** Returns the message about a custom resource without `kind`; `text` is the document as JSON. */
export const missingKind = (text: string) => `Object 'Kind' is missing in '${text}'`;

/**
 * Returns the 422 for a custom resource whose kind or version differs from the resource's. The details of the error contain the kind of the
 * document (spec 9.6). Returns undefined when both match.
 * @param subresource what the document writes. Only a write of the object itself is refused: a status is stored with the type that the
 * object has. Default: the object itself
 */
export function otherType(
  { gvk, apiVersion }: ServedResource,
  typeMeta: TypeMeta,
  document: JsonValue,
  subresource = '',
): ApiError | undefined {
  if (subresource !== '') return undefined;
  const errors = [
    ...(typeMeta.kind === gvk.kind ? [] : [fieldError.invalid('kind', typeMeta.kind, `must be ${gvk.kind}`)]),
    ...(typeMeta.apiVersion === apiVersion
      ? []
      : [fieldError.invalid('apiVersion', typeMeta.apiVersion, `must be ${apiVersion}`)]),
  ];
  if (errors.length === 0) return undefined;
  const group = parseGroupVersion(typeMeta.apiVersion)?.group ?? '';
  return apiError.invalid({ group, kind: typeMeta.kind }, nameIn(document), errors);
}

/** A decoded body. */
export interface DecodedObject {
  readonly object: ApiObject;
  /**
   * The 422 for a custom resource of another kind; undefined for the right kind. As in upstream, validation reports it, so an absent object
   * and a missing or stale resourceVersion are reported first.
   */
  readonly otherKind?: ApiError | undefined;
}

/** The members that a custom resource has in every version. */
const COMMON_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns which fields of a custom resource's document are reported as unknown. As in upstream, the document is pruned by the schema of the
 * kind and version that it states itself, before they are compared with those of the resource. In a version that the definition does not
 * have, everything but the metadata is unknown. A document of another kind is not pruned, so only its metadata can have unknown fields.
 * @param unknownFields the fields that are unknown in the schema of the resource
 */
export function unknownInStatedType(
  kinds: KnownKinds,
  { gvk, apiVersion }: ServedResource,
  stated: TypeMeta,
  document: JsonObject,
  unknownFields: readonly string[],
): readonly string[] {
  if (stated.kind === gvk.kind && stated.apiVersion === apiVersion) return unknownFields;
  const { group, version } = parseGroupVersion(stated.apiVersion) ?? { group: '', version: '' };
  const isKind = stated.kind === gvk.kind && group === gvk.group;
  if (isKind && kinds.knowsKind(group, version, stated.kind)) return unknownFields;
  const inMetadata = unknownFields.filter((path) => path.startsWith('metadata.'));
  if (!isKind) return inMetadata;
  const others = Object.keys(document).filter((name) => !COMMON_MEMBERS.has(name));
  return [...inMetadata, ...others.sort()];
}

function nameIn(document: JsonValue): string {
  const metadata = isJsonObject(document) ? document['metadata'] : undefined;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

import { quote } from '../values/quote.js';

/** Group and version, as in the URL and in `apiVersion`. The core group is ''. */
export interface GroupVersion {
  /** The full API group; '' for the core group. */
  readonly group: string;
  /** The version, such as `v1`. */
  readonly version: string;
}
/** A kind with its API group and version. */
export interface GroupVersionKind extends GroupVersion {
  /** The kind, such as `ConfigMap`. */
  readonly kind: string;
}
/** A resource with its API group and version. */
export interface GroupVersionResource extends GroupVersion {
  /** The plural name in the URL. */
  readonly resource: string;
}
/** A resource with its API group, in any version. */
export interface GroupResource {
  /** The full API group; '' for the core group. */
  readonly group: string;
  /** The plural name, such as `configmaps`. */
  readonly resource: string;
}

/** Formats an apiVersion: `v1` for the core group, `group/version` for all others. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Parses an apiVersion; undefined when it has more than one slash (spec 2.5). */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Formats a resource for messages: `secrets`, or `leases.coordination.example` for a named group. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Formats a kind for messages: `ConfigMap`, or `Lease.coordination.example`. */
export function formatGroupKind({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** Formats a group, version and kind for messages: `/v1, Kind=Secret` or `group/v1, Kind=X`. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** Returns upstream's message for a kind that is not served (`no matches for kind`). */
export const printNoMatch = ({ kind, ...groupVersion }: GroupVersionKind): string =>
  `no matches for kind ${quote(kind)} in version ${quote(formatGroupVersion(groupVersion))}`;

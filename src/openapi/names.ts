import type { Dialect } from '../meta/dialect.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { shownDefinition } from '../schema/openapi.js';

const reversed = (domain: string): string => domain.split('.').reverse().join('.');

/**
 * The definition name of a served kind: what its schema says, or, for users' kinds, the group reversed:
 * `Widget` of `example.com/v1` is `com.example.v1.Widget`.
 */
export function definitionName({ definition, gvk }: ServedResource): string {
  const { group, version, kind } = gvk;
  return definition.schema.definition || [...(group === '' ? [] : [reversed(group)]), version, kind].join('.');
}

/** Whether kinds of users in this group are named like kinds of the server's own. */
export function hasOwnNames(group: string, dialect: Dialect): boolean {
  return shownDefinition(`${reversed(group)}.`, dialect).startsWith(shownDefinition('io.k8s.', dialect));
}

/** The definition name of a kind's list: that of the kind, with another last part. */
export function listDefinitionName(resource: ServedResource): string {
  const parts = definitionName(resource).split('.');
  return [...parts.slice(0, -1), resource.definition.listKind].join('.');
}

/** `rbac.authorization` -> `RbacAuthorization`: letters, digits and `_` stay, and what follows other signs is a capital. */
export function identifier(text: string, capital: boolean): string {
  let name = '';
  let upper = capital;
  for (const [i, char] of [...text].entries()) {
    const stays = /[\p{L}_]/u.test(char) || (i > 0 && /\p{Nd}/u.test(char));
    if (stays) name += upper ? char.toUpperCase() : char;
    upper = !stays;
  }
  return name;
}

/** How ids and tags name a group: the dialect's own suffix does not show, the core group is `core`. */
export function groupIdentifier(group: string, { groupSuffix }: Dialect, capital: boolean): string {
  const suffix = `.${groupSuffix}`;
  const stem = group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
  return identifier(stem === '' ? 'core' : stem, capital);
}

/** How ids name a group version: `RbacAuthorizationV1`. */
export function groupVersionIdentifier({ group, version }: GroupVersion, dialect: Dialect): string {
  return groupIdentifier(group, dialect, true) + identifier(version, true);
}

/** Operations are sorted under a tag per group version: `rbacAuthorization_v1`. */
export function groupVersionTag({ group, version }: GroupVersion, dialect: Dialect): string {
  return `${groupIdentifier(group, dialect, false)}_${identifier(version, false)}`;
}

/** Where a group version is served: `/api/v1`, `/apis/example.com/v1`. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

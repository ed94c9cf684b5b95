import type { Dialect } from '../meta/dialect.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { dialectDefinition } from '../schema/openapi.js';

const reverseLabels = (domain: string): string => domain.split('.').reverse().join('.');

/**
 * Returns the definition name of a served kind. The schema of a built-in kind contains the name. For a custom resource, the name is
 * composed of the reversed group, the version and the kind: `Widget` of `example.com/v1` is `com.example.v1.Widget`.
 */
export function definitionName({ definition, gvk }: ServedResource): string {
  const { group, version, kind } = gvk;
  return definition.schema.definition || [...(group === '' ? [] : [reverseLabels(group)]), version, kind].join('.');
}

/** Returns whether definitions of custom resources in this group might have the same names as built-in ones. */
export function hasOwnNames(group: string, dialect: Dialect): boolean {
  return dialectDefinition(`${reverseLabels(group)}.`, dialect).startsWith(dialectDefinition('io.k8s.', dialect));
}

/** Returns the definition name of a kind's list. It differs from the definition name of the kind only in its last part. */
export function listDefinitionName(resource: ServedResource): string {
  const parts = definitionName(resource).split('.');
  return [...parts.slice(0, -1), resource.definition.listKind].join('.');
}

/**
 * Converts a string to an identifier, such as a group name without its suffix: `rbac.authorization` -> `RbacAuthorization`. Letters, digits
 * and `_` stay; other characters are dropped and the next letter is capitalized.
 */
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

/** Returns the name of a group in operation ids and tags. The suffix of the API dialect is removed, and the core group is `core`. */
export function groupIdentifier(group: string, { groupSuffix }: Dialect, capital: boolean): string {
  const suffix = `.${groupSuffix}`;
  const stem = group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
  return identifier(stem === '' ? 'core' : stem, capital);
}

/** Returns the name of a group version in operation ids: `RbacAuthorizationV1` for `rbac.authorization.k8s.io/v1` in the dialect `k8s`. */
export function groupVersionIdentifier({ group, version }: GroupVersion, dialect: Dialect): string {
  return groupIdentifier(group, dialect, true) + identifier(version, true);
}

/** Returns the tag of a group version's operations: `rbacAuthorization_v1` for `rbac.authorization.k8s.io/v1` in the dialect `k8s`. */
export function groupVersionTag({ group, version }: GroupVersion, dialect: Dialect): string {
  return `${groupIdentifier(group, dialect, false)}_${identifier(version, false)}`;
}

/** Returns the path of a group version: `/api/v1`, `/apis/example.com/v1`. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

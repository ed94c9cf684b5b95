import type { ApiObject } from '../../../meta/object-meta.js';
import { defineKind, type KindNames, type KindRules } from '../../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../../registry/resource-definition.js';

/** The properties that may differ in another version of a kind. */
type VersionFacts = Pick<ResourceDefinition, 'version' | 'deprecation' | 'featureGate' | 'servedByDefault'>;

/**
 * Defines a built-in kind in another version of its group with the same fields. It shares the rules and the stored objects of `hub`; only
 * the names of its structs are those of the version.
 * @param names the names of `hub`, which is the kind in its stored version
 */
/* @__NO_SIDE_EFFECTS__ */
export function inVersion<T extends ApiObject>(
  names: Omit<KindNames<T>, 'version'>,
  hub: ResourceDefinition<T>,
  facts: VersionFacts,
  importRules: () => Promise<KindRules<T>>,
): ResourceDefinition<T> {
  const stored = hub as unknown as ResourceDefinition; // the type of its objects does not matter here
  return defineKind<T>({ ...names, ...facts, ...(names.virtual ? {} : { storedAs: stored }) }, async () => {
    const { rulesInVersion } = await import('./rules-in-version.js');
    return rulesInVersion(await importRules(), stored, facts.version);
  });
}

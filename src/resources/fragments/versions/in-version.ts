import type { ApiObject } from '../../../meta/object-meta.js';
import { defineKind, type KindNames, type KindRules } from '../../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../../registry/resource-definition.js';

/** What another version of a kind may say otherwise. */
type VersionFacts = Pick<ResourceDefinition, 'version' | 'deprecation' | 'featureGate' | 'servedByDefault'>;

/**
 * A built-in kind in another version of its group that has the same fields: the same rules, the same stored objects, the names of its
 * structs those of the version.
 * @param names those of `hub`, the kind as it is stored
 */
/* @__NO_SIDE_EFFECTS__ */
export function inVersion<T extends ApiObject>(
  names: Omit<KindNames<T>, 'version'>,
  hub: ResourceDefinition<T>,
  facts: VersionFacts,
  importRules: () => Promise<KindRules<T>>,
): ResourceDefinition<T> {
  const stored = hub as unknown as ResourceDefinition; // of objects of its kind
  return defineKind<T>({ ...names, ...facts, ...(names.virtual ? {} : { storedAs: stored }) }, async () => {
    const { rulesInVersion } = await import('./rules-in-version.js');
    return rulesInVersion(await importRules(), stored, facts.version);
  });
}

import type { ResourceQuota } from '../../resources/core/core-v1.types.js';

/** A requirement on objects that a quota counts: a scope, with values for some scopes. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Returns all requirements on the objects that a quota counts. */
export const scopeRequirements = ({ spec }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

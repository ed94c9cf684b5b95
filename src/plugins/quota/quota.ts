import type { ResourceQuota } from '../../resources/core/core-v1.types.js';

/** A scope that objects must be in to count for a quota, with an operator and values for some scopes. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Returns all scope requirements that objects must fulfill to count for a quota. */
export const scopeRequirements = ({ spec }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

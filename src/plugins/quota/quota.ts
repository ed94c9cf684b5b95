import type { ResourceQuota } from '../../resources/core/core-v1.types.js';

/** A scope requirement of a quota: only objects that fulfill it count for the quota. Some scopes also have an operator and values. */
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

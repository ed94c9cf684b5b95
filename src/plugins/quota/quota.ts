import type { ResourceQuota } from '../../resources/core/core-v1.types.js';

/** A scope requirement of a quota: only objects that fulfill it count for the quota. Some scopes also have an operator and values. */
export interface ScopeRequirement {
  /** The name of the scope, such as `PriorityClass`. */
  readonly scopeName: string;
  /** The operator: `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  /** The values, for `In` and `NotIn`. */
  readonly values?: readonly string[];
}

/** Returns all scope requirements that objects must fulfill to count for a quota. */
export const scopeRequirements = ({ spec }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

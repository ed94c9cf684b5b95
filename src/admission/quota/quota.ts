import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../amounts.js';

/** What objects must have to be counted: a scope, with values where it has some. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** What is looked at in a resource quota. */
export interface QuotaObject extends ApiObject {
  readonly spec: {
    readonly hard?: Amounts;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
  };
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts };
}

/** All that objects must have to be counted by a quota. */
export const scopeRequirements = ({ spec }: QuotaObject): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

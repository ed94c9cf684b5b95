import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../amounts.js';

/** A requirement on objects that a quota counts: a scope, with values for some scopes. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The fields of a resource quota that are read. */
export interface QuotaObject extends ApiObject {
  readonly spec: {
    readonly hard?: Amounts;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
  };
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts };
}

/** Returns all requirements on the objects that a quota counts. */
export const scopeRequirements = ({ spec }: QuotaObject): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

import type { ApiObject } from '../../meta/object-meta.js';
import type { Operation } from '../admission-plugin.js';
import type { Amounts } from '../amounts.js';
import type { ScopeRequirement } from './quota.js';

/** How objects of one kind count in quotas. */
export interface UsageEvaluator {
  /** The full group. */
  readonly group: string;
  readonly resource: string;
  /** What can make an object count for more. */
  readonly operations: readonly Operation[];
  /** Those of the names of limits that such objects count for. */
  matching(names: readonly string[]): readonly string[];
  /** What an object counts for. `now` in milliseconds. */
  usage(object: ApiObject, now: number): Amounts;
  /** Whether an object has a scope. Absent: such objects have none. */
  isInScope?(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** What an object must say to be counted for these limits and does not, in words. */
  missing?(object: ApiObject, names: readonly string[]): string | undefined;
}

/** The limit that counts stored objects of a kind: `count/deployments.apps`. */
export const countName = (group: string, resource: string): string =>
  `count/${resource}${group === '' ? '' : `.${group}`}`;

/** Whether an object has all scopes. */
export const isInScopes = (
  evaluator: UsageEvaluator,
  object: ApiObject,
  requirements: readonly ScopeRequirement[],
): boolean => requirements.every((requirement) => evaluator.isInScope?.(object, requirement) === true);

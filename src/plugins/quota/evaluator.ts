import type { Operation } from '../../admission/admission-plugin.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../amounts.js';
import type { ScopeRequirement } from './quota.js';

/** Computes how objects of one kind, of type `T`, count in quotas. */
export interface UsageEvaluator<T extends ApiObject = ApiObject> {
  /** The full group. */
  readonly group: string;
  readonly resource: string;
  /** The operations that can increase the usage of an object. */
  readonly operations: readonly Operation[];
  /** Returns the given names of limits that these objects count for. */
  matching(names: readonly string[]): readonly string[];
  /** Returns the usage of an object. `now` is in milliseconds since the epoch. */
  usage(object: T, now: number): Amounts;
  /** Returns whether an object is in a scope. Absent when these objects have no scopes. */
  isInScope?(object: T, requirement: ScopeRequirement): boolean;
  /** Returns what an object must specify to count for these limits but does not; undefined when nothing is missing. */
  missing?(object: T, names: readonly string[]): string | undefined;
}

/** Returns the name of the limit on the number of stored objects of a kind: `count/deployments.apps`. */
export const countName = (group: string, resource: string): string =>
  `count/${resource}${group === '' ? '' : `.${group}`}`;

/** Returns whether an object is in all scopes. */
export const isInScopes = (
  evaluator: UsageEvaluator,
  object: ApiObject,
  requirements: readonly ScopeRequirement[],
): boolean => requirements.every((requirement) => evaluator.isInScope?.(object, requirement) === true);

import type { Operation } from '../../admission/admission-plugin.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../amounts.js';
import type { ScopeRequirement } from './quota.js';

/** Computes the usage that objects of one kind (type `T`) add to quotas. */
export interface UsageEvaluator<T extends ApiObject = ApiObject> {
  /** The full API group, including the suffix of the API dialect. */
  readonly group: string;
  readonly resource: string;
  /** The operations that can increase the usage of an object. */
  readonly operations: readonly Operation[];
  /** Returns those of the limit names to which objects of the kind add usage. */
  matching(names: readonly string[]): readonly string[];
  /** Returns the usage of an object. `now` is in milliseconds since the epoch. */
  usage(object: T, now: number): Amounts;
  /** Returns whether an object is in a scope. Absent when the kind has no scopes. */
  isInScope?(object: T, requirement: ScopeRequirement): boolean;
  /**
   * Returns an error message if an object lacks a value that it must specify, because a quota limits the resources `names`; undefined when
   * nothing is missing.
   */
  missing?(object: T, names: readonly string[]): string | undefined;
}

/** Returns the name of the limit on the number of a kind's stored objects, such as `count/deployments.apps`. */
export const countName = (group: string, resource: string): string =>
  `count/${resource}${group === '' ? '' : `.${group}`}`;

/** Returns whether an object fulfills all scope requirements. */
export const isInScopes = (
  evaluator: UsageEvaluator,
  object: ApiObject,
  requirements: readonly ScopeRequirement[],
): boolean => requirements.every((requirement) => evaluator.isInScope?.(object, requirement) === true);

// Made by `npm run api-types` of policy-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface PolicyV1 {
  Eviction: Eviction;
  PodDisruptionBudget: PodDisruptionBudget;
  PodDisruptionBudgetSpec: PodDisruptionBudgetSpec;
  PodDisruptionBudgetStatus: PodDisruptionBudgetStatus;
}

export type UnhealthyPodEvictionPolicyType = string;

/** Requests the eviction of a pod. */
export interface Eviction extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The options of the deletion. */
  readonly deleteOptions?: meta.DeleteOptions;
}

/** Limits the number of concurrent evictions of pods. */
export interface PodDisruptionBudget extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The required number of available pods. */
  readonly spec: PodDisruptionBudgetSpec;
  /** The observed pods. */
  readonly status: PodDisruptionBudgetStatus;
}

/** The required number of available pods. */
export interface PodDisruptionBudgetSpec {
  /** The minimum number of available pods; a number or a percentage. */
  readonly minAvailable?: number | string;
  /** Selects the pods; absent means none, empty means all. */
  readonly selector?: meta.LabelSelector;
  /** The maximum number of unavailable pods; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** The policy for evictions of unready pods: IfHealthyBudget or AlwaysAllow. */
  readonly unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

/** The observed pods. */
export interface PodDisruptionBudgetStatus {
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** Pods that were evicted and still exist, with the time of the eviction. */
  readonly disruptedPods?: { readonly [key: string]: string | null };
  /** The number of pods that may be evicted now. */
  readonly disruptionsAllowed: number;
  /** The number of healthy pods. */
  readonly currentHealthy: number;
  /** The minimum number of healthy pods. */
  readonly desiredHealthy: number;
  /** The expected number of pods. */
  readonly expectedPods: number;
  /** The conditions. */
  readonly conditions?: readonly meta.Condition[];
}

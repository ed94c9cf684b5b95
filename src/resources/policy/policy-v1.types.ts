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

/** Asks for a pod to go. */
export interface Eviction extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** How it is deleted. */
  readonly deleteOptions?: meta.DeleteOptions;
}

/** How many pods may go at a time. */
export interface PodDisruptionBudget extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** How many pods must stay. */
  readonly spec: PodDisruptionBudgetSpec;
  /** How many pods there are. */
  readonly status: PodDisruptionBudgetStatus;
}

/** How many pods must stay. */
export interface PodDisruptionBudgetSpec {
  /** Pods that must stay; a number or a percentage. */
  readonly minAvailable?: number | string;
  /** The pods it is about: none without it, all where it is empty. */
  readonly selector?: meta.LabelSelector;
  /** Pods that may be missing; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** Whether pods that are not ready may always go: IfHealthyBudget or AlwaysAllow. */
  readonly unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

/** How many pods there are. */
export interface PodDisruptionBudgetStatus {
  /** The generation that was last looked at. */
  readonly observedGeneration?: number;
  /** Pods that were evicted and are not gone yet, and when that was. */
  readonly disruptedPods?: { readonly [key: string]: string | null };
  /** The number of pods that may go now. */
  readonly disruptionsAllowed: number;
  /** The number of healthy pods. */
  readonly currentHealthy: number;
  /** The least number of healthy pods. */
  readonly desiredHealthy: number;
  /** The number of pods it is about. */
  readonly expectedPods: number;
  /** The conditions. */
  readonly conditions?: readonly meta.Condition[];
}

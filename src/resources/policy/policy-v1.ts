import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { PolicyV1 } from './policy-v1.types.js';

/** The structs of policy/v1. */
export const policyV1 = /* @__PURE__ */ fieldTable<PolicyV1>(
  'io.k8s.api.policy.v1',
  { meta: metaV1 },
  `
UnhealthyPodEvictionPolicyType = string {AlwaysAllow, IfHealthyBudget}

Eviction kind                            Asks for a pod to go.
  deleteOptions  2  meta.DeleteOptions*  How it is deleted.

PodDisruptionBudget kind                How many pods may go at a time.
  spec    2  PodDisruptionBudgetSpec    How many pods must stay.
  status  3  PodDisruptionBudgetStatus  How many pods there are.

PodDisruptionBudgetSpec                                           How many pods must stay.
  minAvailable                1  IntOrString*                     Pods that must stay; a number or a percentage.
  selector                    2  meta.LabelSelector* replace      The pods it is about: none without it, all where it is empty.
  maxUnavailable              3  IntOrString*                     Pods that may be missing; a number or a percentage.
  unhealthyPodEvictionPolicy  4  UnhealthyPodEvictionPolicyType*  Whether pods that are not ready may always go: IfHealthyBudget or AlwaysAllow.

PodDisruptionBudgetStatus                                            How many pods there are.
  observedGeneration  1  int64?                                      The generation that was last looked at.
  disruptedPods       2  map(Time)?                                  Pods that were evicted and are not gone yet, and when that was.
  disruptionsAllowed  3  int32!                                      The number of pods that may go now.
  currentHealthy      4  int32!                                      The number of healthy pods.
  desiredHealthy      5  int32!                                      The least number of healthy pods.
  expectedPods        6  int32!                                      The number of pods it is about.
  conditions          7  []meta.Condition by(type)? merge key(type)  The conditions.
`,
);

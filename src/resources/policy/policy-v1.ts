import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { PolicyV1 } from './policy-v1.types.js';

/** The structs of policy/v1. */
export const policyV1 = /* @__PURE__ */ fieldTable<PolicyV1>(
  'io.k8s.api.policy.v1',
  { meta: metaV1 },
  `
UnhealthyPodEvictionPolicyType = string {AlwaysAllow, IfHealthyBudget}

Eviction kind                            Requests the eviction of a pod.
  deleteOptions  2  meta.DeleteOptions*  The options of the deletion.

PodDisruptionBudget kind                Limits the number of concurrent evictions of pods.
  spec    2  PodDisruptionBudgetSpec    The required number of available pods.
  status  3  PodDisruptionBudgetStatus  The observed pods.

PodDisruptionBudgetSpec                                           The required number of available pods.
  minAvailable                1  IntOrString*                     The minimum number of available pods; a number or a percentage.
  selector                    2  meta.LabelSelector* replace      Selects the pods; absent means none, empty means all.
  maxUnavailable              3  IntOrString*                     The maximum number of unavailable pods; a number or a percentage.
  unhealthyPodEvictionPolicy  4  UnhealthyPodEvictionPolicyType*  The policy for evictions of unready pods: IfHealthyBudget or AlwaysAllow.

PodDisruptionBudgetStatus                                            The observed pods.
  observedGeneration  1  int64?                                      The generation that was last processed.
  disruptedPods       2  map(Time)?                                  Pods that were evicted and still exist, with the time of the eviction.
  disruptionsAllowed  3  int32!                                      The number of pods that may be evicted now.
  currentHealthy      4  int32!                                      The number of healthy pods.
  desiredHealthy      5  int32!                                      The minimum number of healthy pods.
  expectedPods        6  int32!                                      The expected number of pods.
  conditions          7  []meta.Condition by(type)? merge key(type)  The conditions.
`,
);

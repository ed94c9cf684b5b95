import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { AppsV1 } from './apps-v1.types.js';

/** The structs of apps/v1. */
export const appsV1 = /* @__PURE__ */ fieldTable<AppsV1>(
  'io.k8s.api.apps.v1',
  { core: coreV1, meta: metaV1 },
  `
DeploymentStrategyType = string {Recreate, RollingUpdate}
DeploymentConditionType = string
ReplicaSetConditionType = string
PodManagementPolicyType = string {OrderedReady, Parallel}
StatefulSetUpdateStrategyType = string {OnDelete, RollingUpdate}
PersistentVolumeClaimRetentionPolicyType = string
StatefulSetConditionType = string
DaemonSetUpdateStrategyType = string {OnDelete, RollingUpdate}
DaemonSetConditionType = string

Deployment kind                Pods that are replaced gradually.
  spec    2  DeploymentSpec    The desired pods.
  status  3  DeploymentStatus  The observed pods.

DeploymentSpec                                               The desired pods.
  replicas                 1  int32*                         The number of pods.
  selector                 2  meta.LabelSelector* required   Selects the pods; must match the labels of the template.
  template                 3  core.PodTemplateSpec!          The template of the pods.
  strategy                 4  DeploymentStrategy retainKeys  The way pods are replaced.
  minReadySeconds          5  int32?                         Seconds that a pod must be ready for to count as available.
  revisionHistoryLimit     6  int32*                         The number of old replica sets to keep.
  paused                   7  bool?                          Whether the rollout is paused.
  progressDeadlineSeconds  9  int32*                         Seconds without progress after which the rollout counts as failed.

DeploymentStrategy                            The way pods are replaced.
  type           1  DeploymentStrategyType?   Recreate or RollingUpdate.
  rollingUpdate  2  RollingUpdateDeployment*  The steps of RollingUpdate.

RollingUpdateDeployment            The steps of a replacement.
  maxUnavailable  1  IntOrString*  The maximum number of unavailable pods; a number or a percentage.
  maxSurge        2  IntOrString*  The maximum number of additional pods; a number or a percentage.

DeploymentStatus                                                        The observed pods.
  observedGeneration   1  int64?                                        The generation that was last processed.
  replicas             2  int32?                                        The number of pods.
  updatedReplicas      3  int32?                                        Pods of the current template.
  readyReplicas        7  int32?                                        Pods that are ready.
  availableReplicas    4  int32?                                        Pods that have been ready for long enough.
  unavailableReplicas  5  int32?                                        Pods that are unavailable.
  conditions           6  []DeploymentCondition by(type)? merge key(type)  The conditions.
  collisionCount       8  int32*                                        The number of collisions of template hashes.

DeploymentCondition                                A condition of the deployment.
  type                1  DeploymentConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!     True, False or Unknown.
  lastUpdateTime      6  Time                      When it was last updated.
  lastTransitionTime  7  Time                      When its status last changed.
  reason              4  string?                   The reason, in one word.
  message             5  string?                   The reason, for people.

ReplicaSet kind                A number of identical pods.
  spec    2  ReplicaSetSpec    The desired pods.
  status  3  ReplicaSetStatus  The observed pods.

ReplicaSetSpec                                      The desired pods.
  replicas         1  int32*                        The number of pods.
  minReadySeconds  4  int32?                        Seconds that a pod must be ready for to count as available.
  selector         2  meta.LabelSelector* required  Selects the pods; must match the labels of the template.
  template         3  core.PodTemplateSpec          The template of the pods.

ReplicaSetStatus                                                         The observed pods.
  replicas              1  int32!                                        The number of pods.
  fullyLabeledReplicas  2  int32?                                        Pods with the labels of the template.
  readyReplicas         4  int32?                                        Pods that are ready.
  availableReplicas     5  int32?                                        Pods that have been ready for long enough.
  observedGeneration    3  int64?                                        The generation that was last processed.
  conditions            6  []ReplicaSetCondition by(type)? merge key(type)  The conditions.

ReplicaSetCondition                                A condition of the controller.
  type                1  ReplicaSetConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!     True, False or Unknown.
  lastTransitionTime  3  Time                      When its status last changed.
  reason              4  string?                   The reason, in one word.
  message             5  string?                   The reason, for people.

StatefulSet kind                Pods with stable names and storage.
  spec    2  StatefulSetSpec    The desired pods.
  status  3  StatefulSetStatus  The observed pods.

StatefulSetSpec                                                                           The desired pods.
  replicas                               1  int32*                                        The number of pods.
  selector                               2  meta.LabelSelector* required                  Selects the pods; must match the labels of the template.
  template                               3  core.PodTemplateSpec!                         The template of the pods.
  volumeClaimTemplates                   4  []core.PersistentVolumeClaim atomic?          Templates of the claims of each pod.
  serviceName                            5  string!                                       The service that gives the pods their DNS names.
  podManagementPolicy                    6  PodManagementPolicyType?                      OrderedReady or Parallel.
  updateStrategy                         7  StatefulSetUpdateStrategy                     The way pods are updated.
  revisionHistoryLimit                   8  int32*                                        The number of old revisions to keep.
  minReadySeconds                        9  int32?                                        Seconds that a pod must be ready for to count as available.
  persistentVolumeClaimRetentionPolicy  10  StatefulSetPersistentVolumeClaimRetentionPolicy*  Whether the claims are kept.
  ordinals                              11  StatefulSetOrdinals*                          The numbers of the pods.

StatefulSetUpdateStrategy                              The way pods are updated.
  type           1  StatefulSetUpdateStrategyType?     RollingUpdate or OnDelete.
  rollingUpdate  2  RollingUpdateStatefulSetStrategy*  The steps of RollingUpdate.

RollingUpdateStatefulSetStrategy   The steps of an update.
  partition       1  int32*        Pods with a smaller number are not updated.
  maxUnavailable  2  IntOrString*  The maximum number of unavailable pods; requires a feature gate.

StatefulSetPersistentVolumeClaimRetentionPolicy              Whether the claims are kept.
  whenDeleted  1  PersistentVolumeClaimRetentionPolicyType?  When the set is deleted: Retain or Delete.
  whenScaled   2  PersistentVolumeClaimRetentionPolicyType?  When the number of pods decreases: Retain or Delete.

StatefulSetOrdinals  The numbers of the pods.
  start  1  int32  The number of the first pod.

StatefulSetStatus                                                       The observed pods.
  observedGeneration   1  int64?                                        The generation that was last processed.
  replicas             2  int32!                                        The number of pods.
  readyReplicas        3  int32?                                        Pods that are ready.
  currentReplicas      4  int32?                                        Pods of the current revision.
  updatedReplicas      5  int32?                                        Pods of the updated revision.
  currentRevision      6  string?                                       Revision of the first pods.
  updateRevision       7  string?                                       Revision of the last pods.
  collisionCount       9  int32*                                        The number of collisions of template hashes.
  conditions          10  []StatefulSetCondition by(type)? merge key(type)  The conditions.
  availableReplicas   11  int32                                         Pods that have been ready for long enough.

StatefulSetCondition                                A condition of the controller.
  type                1  StatefulSetConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!      True, False or Unknown.
  lastTransitionTime  3  Time                       When its status last changed.
  reason              4  string?                    The reason, in one word.
  message             5  string?                    The reason, for people.

DaemonSet kind                A pod on every node.
  spec    2  DaemonSetSpec    The desired pods.
  status  3  DaemonSetStatus  The observed pods.

DaemonSetSpec                                            The desired pods.
  selector              1  meta.LabelSelector* required  Selects the pods; must match the labels of the template.
  template              2  core.PodTemplateSpec!         The template of the pods.
  updateStrategy        3  DaemonSetUpdateStrategy       The way pods are updated.
  minReadySeconds       4  int32?                        Seconds that a pod must be ready for to count as available.
  revisionHistoryLimit  6  int32*                        The number of old revisions to keep.

DaemonSetUpdateStrategy                           The way pods are updated.
  type           1  DaemonSetUpdateStrategyType?  RollingUpdate or OnDelete.
  rollingUpdate  2  RollingUpdateDaemonSet*       The steps of RollingUpdate.

RollingUpdateDaemonSet             The steps of an update.
  maxUnavailable  1  IntOrString*  The maximum number of nodes without an available pod; a number or a percentage.
  maxSurge        2  IntOrString*  The maximum number of nodes with an additional pod; a number or a percentage.

DaemonSetStatus                                                             The observed pods.
  currentNumberScheduled   1  int32!                                        Nodes that run the pod and should.
  numberMisscheduled       2  int32!                                        Nodes that run the pod and should not.
  desiredNumberScheduled   3  int32!                                        Nodes that should run the pod.
  numberReady              4  int32!                                        Nodes where the pod is ready.
  observedGeneration       5  int64?                                        The generation that was last processed.
  updatedNumberScheduled   6  int32?                                        Nodes with the updated pod.
  numberAvailable          7  int32?                                        Nodes where the pod is available.
  numberUnavailable        8  int32?                                        Nodes where the pod is not available.
  collisionCount           9  int32*                                        The number of collisions of template hashes.
  conditions              10  []DaemonSetCondition by(type)? merge key(type)  The conditions.

DaemonSetCondition                                A condition of the controller.
  type                1  DaemonSetConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!    True, False or Unknown.
  lastTransitionTime  3  Time                     When its status last changed.
  reason              4  string?                  The reason, in one word.
  message             5  string?                  The reason, for people.

ControllerRevision kind            A state to which a controller can roll back.
  data      2  meta.RawExtension*  The state; immutable.
  revision  3  int64!              The number of the revision.
`,
);

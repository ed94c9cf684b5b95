// Made by `npm run api-types` of apps-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AppsV1 {
  Deployment: Deployment;
  DeploymentSpec: DeploymentSpec;
  DeploymentStrategy: DeploymentStrategy;
  RollingUpdateDeployment: RollingUpdateDeployment;
  DeploymentStatus: DeploymentStatus;
  DeploymentCondition: DeploymentCondition;
  ReplicaSet: ReplicaSet;
  ReplicaSetSpec: ReplicaSetSpec;
  ReplicaSetStatus: ReplicaSetStatus;
  ReplicaSetCondition: ReplicaSetCondition;
  StatefulSet: StatefulSet;
  StatefulSetSpec: StatefulSetSpec;
  StatefulSetUpdateStrategy: StatefulSetUpdateStrategy;
  RollingUpdateStatefulSetStrategy: RollingUpdateStatefulSetStrategy;
  StatefulSetPersistentVolumeClaimRetentionPolicy: StatefulSetPersistentVolumeClaimRetentionPolicy;
  StatefulSetOrdinals: StatefulSetOrdinals;
  StatefulSetStatus: StatefulSetStatus;
  StatefulSetCondition: StatefulSetCondition;
  DaemonSet: DaemonSet;
  DaemonSetSpec: DaemonSetSpec;
  DaemonSetUpdateStrategy: DaemonSetUpdateStrategy;
  RollingUpdateDaemonSet: RollingUpdateDaemonSet;
  DaemonSetStatus: DaemonSetStatus;
  DaemonSetCondition: DaemonSetCondition;
  ControllerRevision: ControllerRevision;
}

export type DeploymentStrategyType = string;

export type DeploymentConditionType = string;

export type ReplicaSetConditionType = string;

export type PodManagementPolicyType = string;

export type StatefulSetUpdateStrategyType = string;

export type PersistentVolumeClaimRetentionPolicyType = string;

export type StatefulSetConditionType = string;

export type DaemonSetUpdateStrategyType = string;

export type DaemonSetConditionType = string;

/** Pods that are replaced gradually. */
export interface Deployment extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired pods. */
  readonly spec: DeploymentSpec;
  /** The observed pods. */
  readonly status: DeploymentStatus;
}

/** The desired pods. */
export interface DeploymentSpec extends Filled<'strategy'> {
  /** The number of pods. */
  readonly replicas?: number;
  /** Selects the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The template of the pods. */
  readonly template: core.PodTemplateSpec;
  /** The way pods are replaced. */
  readonly strategy: DeploymentStrategy;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** The number of old replica sets to keep. */
  readonly revisionHistoryLimit?: number;
  /** Whether the rollout is paused. */
  readonly paused?: boolean;
  /** Seconds without progress after which the rollout counts as failed. */
  readonly progressDeadlineSeconds?: number;
}

/** The way pods are replaced. */
export interface DeploymentStrategy {
  /** Recreate or RollingUpdate. */
  readonly type?: DeploymentStrategyType;
  /** The steps of RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateDeployment;
}

/** The steps of a replacement. */
export interface RollingUpdateDeployment {
  /** The maximum number of unavailable pods; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** The maximum number of additional pods; a number or a percentage. */
  readonly maxSurge?: number | string;
}

/** The observed pods. */
export interface DeploymentStatus {
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** The number of pods. */
  readonly replicas?: number;
  /** Pods of the current template. */
  readonly updatedReplicas?: number;
  /** Pods that are ready. */
  readonly readyReplicas?: number;
  /** Pods that have been ready for long enough. */
  readonly availableReplicas?: number;
  /** Pods that are unavailable. */
  readonly unavailableReplicas?: number;
  /** The conditions. */
  readonly conditions?: readonly DeploymentCondition[];
  /** The number of collisions of template hashes. */
  readonly collisionCount?: number;
}

/** A condition of the deployment. */
export interface DeploymentCondition extends Filled<'lastUpdateTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: DeploymentConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last updated. */
  readonly lastUpdateTime: string | null;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** A number of identical pods. */
export interface ReplicaSet extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired pods. */
  readonly spec: ReplicaSetSpec;
  /** The observed pods. */
  readonly status: ReplicaSetStatus;
}

/** The desired pods. */
export interface ReplicaSetSpec extends Filled<'template'> {
  /** The number of pods. */
  readonly replicas?: number;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** Selects the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The template of the pods. */
  readonly template: core.PodTemplateSpec;
}

/** The observed pods. */
export interface ReplicaSetStatus {
  /** The number of pods. */
  readonly replicas: number;
  /** Pods with the labels of the template. */
  readonly fullyLabeledReplicas?: number;
  /** Pods that are ready. */
  readonly readyReplicas?: number;
  /** Pods that have been ready for long enough. */
  readonly availableReplicas?: number;
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** The conditions. */
  readonly conditions?: readonly ReplicaSetCondition[];
}

/** A condition of the controller. */
export interface ReplicaSetCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: ReplicaSetConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Pods with stable names and storage. */
export interface StatefulSet extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired pods. */
  readonly spec: StatefulSetSpec;
  /** The observed pods. */
  readonly status: StatefulSetStatus;
}

/** The desired pods. */
export interface StatefulSetSpec extends Filled<'updateStrategy'> {
  /** The number of pods. */
  readonly replicas?: number;
  /** Selects the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The template of the pods. */
  readonly template: core.PodTemplateSpec;
  /** Templates of the claims of each pod. */
  readonly volumeClaimTemplates?: readonly core.PersistentVolumeClaim[];
  /** The service that gives the pods their DNS names. */
  readonly serviceName: string;
  /** OrderedReady or Parallel. */
  readonly podManagementPolicy?: PodManagementPolicyType;
  /** The way pods are updated. */
  readonly updateStrategy: StatefulSetUpdateStrategy;
  /** The number of old revisions to keep. */
  readonly revisionHistoryLimit?: number;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** Whether the claims are kept. */
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** The numbers of the pods. */
  readonly ordinals?: StatefulSetOrdinals;
}

/** The way pods are updated. */
export interface StatefulSetUpdateStrategy {
  /** RollingUpdate or OnDelete. */
  readonly type?: StatefulSetUpdateStrategyType;
  /** The steps of RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** The steps of an update. */
export interface RollingUpdateStatefulSetStrategy {
  /** Pods with a smaller number are not updated. */
  readonly partition?: number;
  /** The maximum number of unavailable pods; requires a feature gate. */
  readonly maxUnavailable?: number | string;
}

/** Whether the claims are kept. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** When the set is deleted: Retain or Delete. */
  readonly whenDeleted?: PersistentVolumeClaimRetentionPolicyType;
  /** When the number of pods decreases: Retain or Delete. */
  readonly whenScaled?: PersistentVolumeClaimRetentionPolicyType;
}

/** The numbers of the pods. */
export interface StatefulSetOrdinals extends Filled<'start'> {
  /** The number of the first pod. */
  readonly start: number;
}

/** The observed pods. */
export interface StatefulSetStatus extends Filled<'availableReplicas'> {
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** The number of pods. */
  readonly replicas: number;
  /** Pods that are ready. */
  readonly readyReplicas?: number;
  /** Pods of the current revision. */
  readonly currentReplicas?: number;
  /** Pods of the updated revision. */
  readonly updatedReplicas?: number;
  /** Revision of the first pods. */
  readonly currentRevision?: string;
  /** Revision of the last pods. */
  readonly updateRevision?: string;
  /** The number of collisions of template hashes. */
  readonly collisionCount?: number;
  /** The conditions. */
  readonly conditions?: readonly StatefulSetCondition[];
  /** Pods that have been ready for long enough. */
  readonly availableReplicas: number;
}

/** A condition of the controller. */
export interface StatefulSetCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: StatefulSetConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** A pod on every node. */
export interface DaemonSet extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired pods. */
  readonly spec: DaemonSetSpec;
  /** The observed pods. */
  readonly status: DaemonSetStatus;
}

/** The desired pods. */
export interface DaemonSetSpec extends Filled<'updateStrategy'> {
  /** Selects the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The template of the pods. */
  readonly template: core.PodTemplateSpec;
  /** The way pods are updated. */
  readonly updateStrategy: DaemonSetUpdateStrategy;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** The number of old revisions to keep. */
  readonly revisionHistoryLimit?: number;
}

/** The way pods are updated. */
export interface DaemonSetUpdateStrategy {
  /** RollingUpdate or OnDelete. */
  readonly type?: DaemonSetUpdateStrategyType;
  /** The steps of RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateDaemonSet;
}

/** The steps of an update. */
export interface RollingUpdateDaemonSet {
  /** The maximum number of nodes without an available pod; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** The maximum number of nodes with an additional pod; a number or a percentage. */
  readonly maxSurge?: number | string;
}

/** The observed pods. */
export interface DaemonSetStatus {
  /** Nodes that run the pod and should. */
  readonly currentNumberScheduled: number;
  /** Nodes that run the pod and should not. */
  readonly numberMisscheduled: number;
  /** Nodes that should run the pod. */
  readonly desiredNumberScheduled: number;
  /** Nodes where the pod is ready. */
  readonly numberReady: number;
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** Nodes with the updated pod. */
  readonly updatedNumberScheduled?: number;
  /** Nodes where the pod is available. */
  readonly numberAvailable?: number;
  /** Nodes where the pod is not available. */
  readonly numberUnavailable?: number;
  /** The number of collisions of template hashes. */
  readonly collisionCount?: number;
  /** The conditions. */
  readonly conditions?: readonly DaemonSetCondition[];
}

/** A condition of the controller. */
export interface DaemonSetCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: DaemonSetConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** A state to which a controller can roll back. */
export interface ControllerRevision extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The state; immutable. */
  readonly data?: meta.RawExtension;
  /** The number of the revision. */
  readonly revision: number;
}

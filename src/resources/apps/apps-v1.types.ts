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

/** Pods that are replaced in steps. */
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
  /** Picks the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The pods to make. */
  readonly template: core.PodTemplateSpec;
  /** The way pods are replaced. */
  readonly strategy: DeploymentStrategy;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** The number of old replica sets to keep. */
  readonly revisionHistoryLimit?: number;
  /** Whether changes wait. */
  readonly paused?: boolean;
  /** Seconds without progress after which it counts as failed. */
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
  /** Pods that may be missing at a time; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** Pods that there may be beyond those wanted; a number or a percentage. */
  readonly maxSurge?: number | string;
}

/** The observed pods. */
export interface DeploymentStatus {
  /** The generation that was last looked at. */
  readonly observedGeneration?: number;
  /** The number of pods. */
  readonly replicas?: number;
  /** Pods made after the present template. */
  readonly updatedReplicas?: number;
  /** Pods that are ready. */
  readonly readyReplicas?: number;
  /** Pods that have been ready for long enough. */
  readonly availableReplicas?: number;
  /** Pods that are missing. */
  readonly unavailableReplicas?: number;
  /** The conditions. */
  readonly conditions?: readonly DeploymentCondition[];
  /** Collisions of hashes of templates. */
  readonly collisionCount?: number;
}

/** A condition of the deployment. */
export interface DeploymentCondition extends Filled<'lastUpdateTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: DeploymentConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last written. */
  readonly lastUpdateTime: string | null;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** A number of equal pods. */
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
  /** Picks the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The pods to make. */
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
  /** The generation that was last looked at. */
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

/** Pods with names of their own. */
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
  /** Picks the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The pods to make. */
  readonly template: core.PodTemplateSpec;
  /** Claims to make for each pod. */
  readonly volumeClaimTemplates?: readonly core.PersistentVolumeClaim[];
  /** Service that the pods are named by. */
  readonly serviceName: string;
  /** Whether pods are made one after the other. */
  readonly podManagementPolicy?: PodManagementPolicyType;
  /** The way pods are updated. */
  readonly updateStrategy: StatefulSetUpdateStrategy;
  /** The number of old revisions to keep. */
  readonly revisionHistoryLimit?: number;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** What becomes of the claims. */
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
  /** Pods with a smaller number are left alone. */
  readonly partition?: number;
  /** Pods that may be missing at a time; not used in this release. */
  readonly maxUnavailable?: number | string;
}

/** What becomes of the claims. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** When the set is deleted: Retain or Delete. */
  readonly whenDeleted?: PersistentVolumeClaimRetentionPolicyType;
  /** When pods are taken away: Retain or Delete. */
  readonly whenScaled?: PersistentVolumeClaimRetentionPolicyType;
}

/** The numbers of the pods. */
export interface StatefulSetOrdinals extends Filled<'start'> {
  /** The number of the first pod. */
  readonly start: number;
}

/** The observed pods. */
export interface StatefulSetStatus extends Filled<'availableReplicas'> {
  /** The generation that was last looked at. */
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
  /** Collisions of hashes of templates. */
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
  /** Picks the pods; must match the labels of the template. */
  readonly selector?: meta.LabelSelector;
  /** The pods to make. */
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
  /** Nodes that may be without the pod; a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** Nodes that may have two pods; a number or a percentage. */
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
  /** Nodes where it is ready. */
  readonly numberReady: number;
  /** The generation that was last looked at. */
  readonly observedGeneration?: number;
  /** Nodes with the updated pod. */
  readonly updatedNumberScheduled?: number;
  /** Nodes where it has been ready for long enough. */
  readonly numberAvailable?: number;
  /** Nodes that should run it and do not. */
  readonly numberUnavailable?: number;
  /** Collisions of hashes of templates. */
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

/** A state that a controller can go back to. */
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

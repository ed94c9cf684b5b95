// Made by `npm run api-types` of batch-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface BatchV1 {
  Job: Job;
  JobSpec: JobSpec;
  PodFailurePolicy: PodFailurePolicy;
  PodFailurePolicyRule: PodFailurePolicyRule;
  PodFailurePolicyOnExitCodesRequirement: PodFailurePolicyOnExitCodesRequirement;
  PodFailurePolicyOnPodConditionsPattern: PodFailurePolicyOnPodConditionsPattern;
  SuccessPolicy: SuccessPolicy;
  SuccessPolicyRule: SuccessPolicyRule;
  JobStatus: JobStatus;
  JobCondition: JobCondition;
  UncountedTerminatedPods: UncountedTerminatedPods;
  CronJob: CronJob;
  CronJobSpec: CronJobSpec;
  JobTemplateSpec: JobTemplateSpec;
  CronJobStatus: CronJobStatus;
}

export type CompletionMode = string;

export type PodReplacementPolicy = string;

export type PodFailurePolicyAction = string;

export type PodFailurePolicyOnExitCodesOperator = string;

export type PodConditionType = string;

export type JobConditionType = string;

export type ConcurrencyPolicy = string;

/** Pods that run until their work is done. */
export interface Job extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired work. */
  readonly spec: JobSpec;
  /** The observed work. */
  readonly status: JobStatus;
}

/** The desired work. */
export interface JobSpec {
  /** Pods that may run at a time. */
  readonly parallelism?: number;
  /** Pods that must succeed. */
  readonly completions?: number;
  /** Seconds the job may run. */
  readonly activeDeadlineSeconds?: number;
  /** The actions for failed pods. */
  readonly podFailurePolicy?: PodFailurePolicy;
  /** The conditions under which an indexed job has succeeded. */
  readonly successPolicy?: SuccessPolicy;
  /** Failures after which the job fails. */
  readonly backoffLimit?: number;
  /** Failures after which an index fails. */
  readonly backoffLimitPerIndex?: number;
  /** Failed indexes after which the job fails. */
  readonly maxFailedIndexes?: number;
  /** Picks the pods; generated unless manualSelector is set. */
  readonly selector?: meta.LabelSelector;
  /** Whether the client sets the selector. */
  readonly manualSelector?: boolean;
  /** The template of the pods. */
  readonly template: core.PodTemplateSpec;
  /** Seconds until a finished job is deleted. */
  readonly ttlSecondsAfterFinished?: number;
  /** NonIndexed, or Indexed: each pod has a number. */
  readonly completionMode?: CompletionMode;
  /** Whether it is suspended. */
  readonly suspend?: boolean;
  /** When a pod is replaced: TerminatingOrFailed or Failed. */
  readonly podReplacementPolicy?: PodReplacementPolicy;
  /** The controller that looks after the job. */
  readonly managedBy?: string;
}

/** The actions for failed pods. */
export interface PodFailurePolicy {
  /** The rules; the first match applies. */
  readonly rules: readonly PodFailurePolicyRule[];
}

/** The action for some failures. */
export interface PodFailurePolicyRule {
  /** Count, FailIndex, FailJob or Ignore. */
  readonly action: PodFailurePolicyAction;
  /** The exit codes that match. */
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** The pod conditions that match. */
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}

/** Exit codes of a container. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** Name of the container; default any. */
  readonly containerName?: string;
  /** In or NotIn. */
  readonly operator: PodFailurePolicyOnExitCodesOperator;
  /** The codes, in ascending order. */
  readonly values: readonly number[];
}

/** A condition that a failed pod has. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Type of the condition. */
  readonly type: PodConditionType;
  /** Its status; default True. */
  readonly status: meta.ConditionStatus;
}

/** The conditions under which an indexed job has succeeded. */
export interface SuccessPolicy {
  /** The rules, one of which must be met. */
  readonly rules: readonly SuccessPolicyRule[];
}

/** Indexes that must succeed. */
export interface SuccessPolicyRule {
  /** Indexes that must succeed, such as 1,3-5. */
  readonly succeededIndexes?: string;
  /** How many of them must succeed; default all. */
  readonly succeededCount?: number;
}

/** The observed work. */
export interface JobStatus {
  /** The conditions. */
  readonly conditions?: readonly JobCondition[];
  /** When it was started. */
  readonly startTime?: string;
  /** When it was completed. */
  readonly completionTime?: string;
  /** Pods that are running or pending. */
  readonly active?: number;
  /** Pods that succeeded. */
  readonly succeeded?: number;
  /** Pods that failed. */
  readonly failed?: number;
  /** Pods that are being deleted. */
  readonly terminating?: number;
  /** Indexes that succeeded, such as 1,3-5. */
  readonly completedIndexes?: string;
  /** Indexes that failed. */
  readonly failedIndexes?: string;
  /** Pods that ended and are not counted. */
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  /** Pods that are ready. */
  readonly ready?: number;
}

/** A condition of the job. */
export interface JobCondition extends Filled<'lastProbeTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: JobConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last checked. */
  readonly lastProbeTime: string | null;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Pods that ended and are not counted. */
export interface UncountedTerminatedPods {
  /** Uids of pods that succeeded. */
  readonly succeeded?: readonly meta.UID[];
  /** Uids of pods that failed. */
  readonly failed?: readonly meta.UID[];
}

/** Jobs that are created by a schedule. */
export interface CronJob extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired jobs. */
  readonly spec: CronJobSpec;
  /** The observed jobs. */
  readonly status: CronJobStatus;
}

/** The desired jobs. */
export interface CronJobSpec {
  /** The schedule in cron format. */
  readonly schedule: string;
  /** The time zone of the schedule. */
  readonly timeZone?: string;
  /** Seconds after which a missed job is not started any more. */
  readonly startingDeadlineSeconds?: number;
  /** The policy if the previous job is still running: Allow, Forbid or Replace. */
  readonly concurrencyPolicy?: ConcurrencyPolicy;
  /** Whether it is suspended. */
  readonly suspend?: boolean;
  /** The template of the jobs. */
  readonly jobTemplate: JobTemplateSpec;
  /** Successful jobs to keep. */
  readonly successfulJobsHistoryLimit?: number;
  /** Failed jobs to keep. */
  readonly failedJobsHistoryLimit?: number;
}

/** The template of the jobs. */
export interface JobTemplateSpec extends Filled<'metadata' | 'spec'> {
  /** Labels and annotations of the jobs. */
  readonly metadata: meta.ObjectMeta;
  /** The desired work. */
  readonly spec: JobSpec;
}

/** The observed jobs. */
export interface CronJobStatus {
  /** Jobs that run. */
  readonly active?: readonly core.ObjectReference[];
  /** When a job was last created. */
  readonly lastScheduleTime?: string;
  /** When a job last succeeded. */
  readonly lastSuccessfulTime?: string;
}

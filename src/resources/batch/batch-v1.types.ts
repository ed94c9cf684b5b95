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
  /** What to do about pods that fail. */
  readonly podFailurePolicy?: PodFailurePolicy;
  /** When an indexed job counts as successful. */
  readonly successPolicy?: SuccessPolicy;
  /** Failures after which the job fails. */
  readonly backoffLimit?: number;
  /** Failures after which an index fails. */
  readonly backoffLimitPerIndex?: number;
  /** Failed indexes after which the job fails. */
  readonly maxFailedIndexes?: number;
  /** Picks the pods; generated unless manualSelector is set. */
  readonly selector?: meta.LabelSelector;
  /** Whether the selector is of the author. */
  readonly manualSelector?: boolean;
  /** The pods to make. */
  readonly template: core.PodTemplateSpec;
  /** Seconds until a finished job is deleted. */
  readonly ttlSecondsAfterFinished?: number;
  /** NonIndexed, or Indexed: each pod has a number. */
  readonly completionMode?: CompletionMode;
  /** Whether it rests. */
  readonly suspend?: boolean;
  /** When a pod is replaced: TerminatingOrFailed or Failed. */
  readonly podReplacementPolicy?: PodReplacementPolicy;
  /** The controller that looks after the job. */
  readonly managedBy?: string;
}

/** What to do about pods that fail. */
export interface PodFailurePolicy {
  /** Rules; the first that fits holds. */
  readonly rules: readonly PodFailurePolicyRule[];
}

/** What to do about some failures. */
export interface PodFailurePolicyRule {
  /** Count, FailIndex, FailJob or Ignore. */
  readonly action: PodFailurePolicyAction;
  /** The exit codes that it is about. */
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** The conditions that it is about. */
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

/** When an indexed job counts as successful. */
export interface SuccessPolicy {
  /** Rules; one that holds is enough. */
  readonly rules: readonly SuccessPolicyRule[];
}

/** Indexes that are enough. */
export interface SuccessPolicyRule {
  /** Indexes that must succeed, as 1,3-5. */
  readonly succeededIndexes?: string;
  /** How many of them; default all. */
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
  /** Pods that run or wait. */
  readonly active?: number;
  /** Pods that succeeded. */
  readonly succeeded?: number;
  /** Pods that failed. */
  readonly failed?: number;
  /** Pods that are being deleted. */
  readonly terminating?: number;
  /** Indexes that succeeded, as 1,3-5. */
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
  /** When it was last looked at. */
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

/** Jobs that are made by a schedule. */
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
  /** When jobs are made, in the form of cron. */
  readonly schedule: string;
  /** The time zone of the schedule. */
  readonly timeZone?: string;
  /** Seconds that a job may be late. */
  readonly startingDeadlineSeconds?: number;
  /** What happens while the job before still runs: Allow, Forbid or Replace. */
  readonly concurrencyPolicy?: ConcurrencyPolicy;
  /** Whether it rests. */
  readonly suspend?: boolean;
  /** The jobs to make. */
  readonly jobTemplate: JobTemplateSpec;
  /** Successful jobs to keep. */
  readonly successfulJobsHistoryLimit?: number;
  /** Failed jobs to keep. */
  readonly failedJobsHistoryLimit?: number;
}

/** The jobs to make. */
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
  /** When a job was last made. */
  readonly lastScheduleTime?: string;
  /** When a job last succeeded. */
  readonly lastSuccessfulTime?: string;
}

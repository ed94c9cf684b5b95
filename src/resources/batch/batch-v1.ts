import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { BatchV1 } from './batch-v1.types.js';

/** The structs of batch/v1. */
export const batchV1 = /* @__PURE__ */ fieldTable<BatchV1>(
  'io.k8s.api.batch.v1',
  { core: coreV1, meta: metaV1 },
  `
CompletionMode = string {Indexed, NonIndexed}
PodReplacementPolicy = string {Failed, TerminatingOrFailed}
PodFailurePolicyAction = string {Count, FailIndex, FailJob, Ignore}
PodFailurePolicyOnExitCodesOperator = string {In, NotIn}
PodConditionType = string
JobConditionType = string
ConcurrencyPolicy = string {Allow, Forbid, Replace}

Job kind                Pods that run until their work is done.
  spec    2  JobSpec    The desired work.
  status  3  JobStatus  The observed work.

JobSpec                                               The desired work.
  parallelism               1  int32*                 Pods that may run at a time.
  completions               2  int32*                 Pods that must succeed.
  activeDeadlineSeconds     3  int64*                 Seconds the job may run.
  podFailurePolicy         11  PodFailurePolicy*      What to do about pods that fail.
  successPolicy            16  SuccessPolicy*         When an indexed job counts as successful.
  backoffLimit              7  int32*                 Failures after which the job fails.
  backoffLimitPerIndex     12  int32*                 Failures after which an index fails.
  maxFailedIndexes         13  int32*                 Failed indexes after which the job fails.
  selector                  4  meta.LabelSelector*    Picks the pods; generated unless manualSelector is set.
  manualSelector            5  bool*                  Whether the selector is of the author.
  template                  6  core.PodTemplateSpec!  The pods to make.
  ttlSecondsAfterFinished   8  int32*                 Seconds until a finished job is deleted.
  completionMode            9  CompletionMode*        NonIndexed, or Indexed: each pod has a number.
  suspend                  10  bool*                  Whether it rests.
  podReplacementPolicy     14  PodReplacementPolicy*  When a pod is replaced: TerminatingOrFailed or Failed.
  managedBy                15  string*                The controller that looks after the job.

PodFailurePolicy                            What to do about pods that fail.
  rules  1  []PodFailurePolicyRule atomic!  Rules; the first that fits holds.

PodFailurePolicyRule                                                What to do about some failures.
  action           1  PodFailurePolicyAction!                       Count, FailIndex, FailJob or Ignore.
  onExitCodes      2  PodFailurePolicyOnExitCodesRequirement*       The exit codes that it is about.
  onPodConditions  3  []PodFailurePolicyOnPodConditionsPattern atomic?  The conditions that it is about.

PodFailurePolicyOnExitCodesRequirement                    Exit codes of a container.
  containerName  1  string*                               Name of the container; default any.
  operator       2  PodFailurePolicyOnExitCodesOperator!  In or NotIn.
  values         3  []int32 set!                          The codes, in ascending order.

PodFailurePolicyOnPodConditionsPattern  A condition that a failed pod has.
  type    1  PodConditionType!      Type of the condition.
  status  2  meta.ConditionStatus!  Its status; default True.

SuccessPolicy                            When an indexed job counts as successful.
  rules  1  []SuccessPolicyRule atomic!  Rules; one that holds is enough.

SuccessPolicyRule               Indexes that are enough.
  succeededIndexes  1  string*  Indexes that must succeed, as 1,3-5.
  succeededCount    2  int32*   How many of them; default all.

JobStatus                                                              The observed work.
  conditions                1  []JobCondition atomic? merge key(type)  The conditions.
  startTime                 2  Time*                                   When it was started.
  completionTime            3  Time*                                   When it was completed.
  active                    4  int32?                                  Pods that run or wait.
  succeeded                 5  int32?                                  Pods that succeeded.
  failed                    6  int32?                                  Pods that failed.
  terminating              11  int32*                                  Pods that are being deleted.
  completedIndexes          7  string?                                 Indexes that succeeded, as 1,3-5.
  failedIndexes            10  string*                                 Indexes that failed.
  uncountedTerminatedPods   8  UncountedTerminatedPods*                Pods that ended and are not counted.
  ready                     9  int32*                                  Pods that are ready.

JobCondition                                    A condition of the job.
  type                1  JobConditionType!      Type of the condition.
  status              2  meta.ConditionStatus!  True, False or Unknown.
  lastProbeTime       3  Time                   When it was last looked at.
  lastTransitionTime  4  Time                   When its status last changed.
  reason              5  string?                The reason, in one word.
  message             6  string?                The reason, for people.

UncountedTerminatedPods          Pods that ended and are not counted.
  succeeded  1  []meta.UID set?  Uids of pods that succeeded.
  failed     2  []meta.UID set?  Uids of pods that failed.

CronJob kind                Jobs that are made by a schedule.
  spec    2  CronJobSpec    The desired jobs.
  status  3  CronJobStatus  The observed jobs.

CronJobSpec                                          The desired jobs.
  schedule                    1  string!             When jobs are made, in the form of cron.
  timeZone                    8  string*             The time zone of the schedule.
  startingDeadlineSeconds     2  int64*              Seconds that a job may be late.
  concurrencyPolicy           3  ConcurrencyPolicy?  What happens while the job before still runs: Allow, Forbid or Replace.
  suspend                     4  bool*               Whether it rests.
  jobTemplate                 5  JobTemplateSpec!    The jobs to make.
  successfulJobsHistoryLimit  6  int32*              Successful jobs to keep.
  failedJobsHistoryLimit      7  int32*              Failed jobs to keep.

JobTemplateSpec                 The jobs to make.
  metadata  1  meta.ObjectMeta  Labels and annotations of the jobs.
  spec      2  JobSpec          The desired work.

CronJobStatus                                            The observed jobs.
  active              1  []core.ObjectReference atomic?  Jobs that run.
  lastScheduleTime    4  Time*                           When a job was last made.
  lastSuccessfulTime  5  Time*                           When a job last succeeded.
`,
);

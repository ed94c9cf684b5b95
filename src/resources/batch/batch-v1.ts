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
  podFailurePolicy         11  PodFailurePolicy*      The actions for failed pods.
  successPolicy            16  SuccessPolicy*         The conditions under which an indexed job has succeeded.
  backoffLimit              7  int32*                 Failures after which the job fails.
  backoffLimitPerIndex     12  int32*                 Failures after which an index fails.
  maxFailedIndexes         13  int32*                 Failed indexes after which the job fails.
  selector                  4  meta.LabelSelector*    Picks the pods; generated unless manualSelector is set.
  manualSelector            5  bool*                  Whether the client sets the selector.
  template                  6  core.PodTemplateSpec!  The template of the pods.
  ttlSecondsAfterFinished   8  int32*                 Seconds until a finished job is deleted.
  completionMode            9  CompletionMode*        NonIndexed, or Indexed: each pod has a number.
  suspend                  10  bool*                  Whether it is suspended.
  podReplacementPolicy     14  PodReplacementPolicy*  When a pod is replaced: TerminatingOrFailed or Failed.
  managedBy                15  string*                The controller that looks after the job.

PodFailurePolicy                            The actions for failed pods.
  rules  1  []PodFailurePolicyRule atomic!  The rules; the first match applies.

PodFailurePolicyRule                                                The action for some failures.
  action           1  PodFailurePolicyAction!                       Count, FailIndex, FailJob or Ignore.
  onExitCodes      2  PodFailurePolicyOnExitCodesRequirement*       The exit codes that match.
  onPodConditions  3  []PodFailurePolicyOnPodConditionsPattern atomic?  The pod conditions that match.

PodFailurePolicyOnExitCodesRequirement                    Exit codes of a container.
  containerName  1  string*                               Name of the container; default any.
  operator       2  PodFailurePolicyOnExitCodesOperator!  In or NotIn.
  values         3  []int32 set!                          The codes, in ascending order.

PodFailurePolicyOnPodConditionsPattern  A condition that a failed pod has.
  type    1  PodConditionType!      Type of the condition.
  status  2  meta.ConditionStatus!  Its status; default True.

SuccessPolicy                            The conditions under which an indexed job has succeeded.
  rules  1  []SuccessPolicyRule atomic!  The rules, one of which must be met.

SuccessPolicyRule               Indexes that must succeed.
  succeededIndexes  1  string*  Indexes that must succeed, such as 1,3-5.
  succeededCount    2  int32*   How many of them must succeed; default all.

JobStatus                                                              The observed work.
  conditions                1  []JobCondition atomic? merge key(type)  The conditions.
  startTime                 2  Time*                                   When it was started.
  completionTime            3  Time*                                   When it was completed.
  active                    4  int32?                                  Pods that are running or pending.
  succeeded                 5  int32?                                  Pods that succeeded.
  failed                    6  int32?                                  Pods that failed.
  terminating              11  int32*                                  Pods that are being deleted.
  completedIndexes          7  string?                                 Indexes that succeeded, such as 1,3-5.
  failedIndexes            10  string*                                 Indexes that failed.
  uncountedTerminatedPods   8  UncountedTerminatedPods*                Pods that ended and are not counted.
  ready                     9  int32*                                  Pods that are ready.

JobCondition                                    A condition of the job.
  type                1  JobConditionType!      Type of the condition.
  status              2  meta.ConditionStatus!  True, False or Unknown.
  lastProbeTime       3  Time                   When it was last checked.
  lastTransitionTime  4  Time                   When its status last changed.
  reason              5  string?                The reason, in one word.
  message             6  string?                The reason, for people.

UncountedTerminatedPods          Pods that ended and are not counted.
  succeeded  1  []meta.UID set?  Uids of pods that succeeded.
  failed     2  []meta.UID set?  Uids of pods that failed.

CronJob kind                Jobs that are created by a schedule.
  spec    2  CronJobSpec    The desired jobs.
  status  3  CronJobStatus  The observed jobs.

CronJobSpec                                          The desired jobs.
  schedule                    1  string!             The schedule in cron format.
  timeZone                    8  string*             The time zone of the schedule.
  startingDeadlineSeconds     2  int64*              Seconds after which a missed job is not started any more.
  concurrencyPolicy           3  ConcurrencyPolicy?  The policy if the previous job is still running: Allow, Forbid or Replace.
  suspend                     4  bool*               Whether it is suspended.
  jobTemplate                 5  JobTemplateSpec!    The template of the jobs.
  successfulJobsHistoryLimit  6  int32*              Successful jobs to keep.
  failedJobsHistoryLimit      7  int32*              Failed jobs to keep.

JobTemplateSpec                 The template of the jobs.
  metadata  1  meta.ObjectMeta  Labels and annotations of the jobs.
  spec      2  JobSpec          The desired work.

CronJobStatus                                            The observed jobs.
  active              1  []core.ObjectReference atomic?  Jobs that run.
  lastScheduleTime    4  Time*                           When a job was last created.
  lastSuccessfulTime  5  Time*                           When a job last succeeded.
`,
);

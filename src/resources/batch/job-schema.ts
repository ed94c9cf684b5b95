import {
  always,
  listAtomic,
  listSet,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  type Typed,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { podTemplateSpec } from '../core/pod/pod-template-spec.js';
import { count, flag, long, text } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';
import { byType } from '../fragments/workload.js';

const BATCH = 'io.k8s.api.batch.v1';

const exitCodes = struct(`${BATCH}.PodFailurePolicyOnExitCodesRequirement`, 'Exit codes of a container.', () => ({
  containerName: omitNull(text, 1, 'Name of the container; default any.'),
  operator: required(
    string<string>({ typeName: 'v1.PodFailurePolicyOnExitCodesOperator', enum: ['In', 'NotIn'] }),
    2,
    'In or NotIn.',
  ),
  values: required(listSet(count), 3, 'The codes, in ascending order.'),
}));

const podConditionPattern = struct(
  `${BATCH}.PodFailurePolicyOnPodConditionsPattern`,
  'A condition that a failed pod has.',
  () => ({
    type: required(string({ typeName: 'v1.PodConditionType' }), 1, 'Type of the condition.'),
    status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'Its status; default True.'),
  }),
);

const podFailureRule = struct(`${BATCH}.PodFailurePolicyRule`, 'What to do about some failures.', () => ({
  action: required(
    string<string>({
      typeName: 'v1.PodFailurePolicyAction',
      enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'],
    }),
    1,
    'Count, FailIndex, FailJob or Ignore.',
  ),
  onExitCodes: omitNull(exitCodes, 2, 'The exit codes that it is about.'),
  onPodConditions: omitEmpty(listAtomic(podConditionPattern), 3, 'The conditions that it is about.'),
}));

/** What to do about pods that fail. */
export const podFailurePolicy = struct(`${BATCH}.PodFailurePolicy`, 'What to do about pods that fail.', () => ({
  rules: required(listAtomic(podFailureRule), 1, 'Rules; the first that fits holds.'),
}));

const successRule = struct(`${BATCH}.SuccessPolicyRule`, 'Indexes that are enough.', () => ({
  succeededIndexes: omitNull(text, 1, 'Indexes that must succeed, as 1,3-5.'),
  succeededCount: omitNull(count, 2, 'How many of them; default all.'),
}));

/** When an indexed job counts as successful. */
export const successPolicy = struct(`${BATCH}.SuccessPolicy`, 'When an indexed job counts as successful.', () => ({
  rules: required(listAtomic(successRule), 1, 'Rules; one that holds is enough.'),
}));

/** Spec of a job, and of what a CronJob makes. */
const jobSpecStruct = struct(`${BATCH}.JobSpec`, 'The desired work.', () => ({
  parallelism: omitNull(count, 1, 'Pods that may run at a time.'),
  completions: omitNull(count, 2, 'Pods that must succeed.'),
  activeDeadlineSeconds: omitNull(long, 3, 'Seconds the job may run.'),
  podFailurePolicy: omitNull(podFailurePolicy, 11, 'What to do about pods that fail.'),
  successPolicy: omitNull(successPolicy, 16, 'When an indexed job counts as successful.'),
  backoffLimit: omitNull(count, 7, 'Failures after which the job fails.'),
  backoffLimitPerIndex: omitNull(count, 12, 'Failures after which an index fails.'),
  maxFailedIndexes: omitNull(count, 13, 'Failed indexes after which the job fails.'),
  selector: omitNull(labelSelector, 4, 'Picks the pods; generated unless manualSelector is set.'),
  manualSelector: omitNull(flag, 5, 'Whether the selector is of the author.'),
  template: required(podTemplateSpec, 6, 'The pods to make.'),
  ttlSecondsAfterFinished: omitNull(count, 8, 'Seconds until a finished job is deleted.'),
  completionMode: omitNull(
    string<string>({ typeName: 'v1.CompletionMode', enum: ['Indexed', 'NonIndexed'] }),
    9,
    'NonIndexed, or Indexed: each pod has a number.',
  ),
  suspend: omitNull(flag, 10, 'Whether it rests.'),
  podReplacementPolicy: omitNull(
    string<string>({ typeName: 'v1.PodReplacementPolicy', enum: ['Failed', 'TerminatingOrFailed'] }),
    14,
    'When a pod is replaced: TerminatingOrFailed or Failed.',
  ),
  managedBy: omitNull(text, 15, 'The controller that looks after the job.'),
}));
export interface JobSpec extends OutputOf<typeof jobSpecStruct> {}
export const jobSpec: Typed<JobSpec> = jobSpecStruct;

const condition = struct(`${BATCH}.JobCondition`, 'A condition of the job.', () => ({
  type: required(string({ typeName: 'v1.JobConditionType' }), 1, 'Type of the condition.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastProbeTime: always(time(), 3, 'When it was last looked at.'),
  lastTransitionTime: always(time(), 4, 'When its status last changed.'),
  reason: omitEmpty(text, 5, 'The reason, in one word.'),
  message: omitEmpty(text, 6, 'The reason, for people.'),
}));

const uid = string({ typeName: 'types.UID' });
const uncountedPods = struct(`${BATCH}.UncountedTerminatedPods`, 'Pods that ended and are not counted.', () => ({
  succeeded: omitEmpty(listSet(uid), 1, 'Uids of pods that succeeded.'),
  failed: omitEmpty(listSet(uid), 2, 'Uids of pods that failed.'),
}));

const status = struct(`${BATCH}.JobStatus`, 'The observed work.', () => ({
  conditions: omitEmpty(listAtomic(condition), 1, 'The conditions.', byType),
  startTime: omitNull(time(), 2, 'When it was started.'),
  completionTime: omitNull(time(), 3, 'When it was completed.'),
  active: omitEmpty(count, 4, 'Pods that run or wait.'),
  succeeded: omitEmpty(count, 5, 'Pods that succeeded.'),
  failed: omitEmpty(count, 6, 'Pods that failed.'),
  terminating: omitNull(count, 11, 'Pods that are being deleted.'),
  completedIndexes: omitEmpty(text, 7, 'Indexes that succeeded, as 1,3-5.'),
  failedIndexes: omitNull(text, 10, 'Indexes that failed.'),
  uncountedTerminatedPods: omitNull(uncountedPods, 8, 'Pods that ended and are not counted.'),
  ready: omitNull(count, 9, 'Pods that are ready.'),
}));

/** batch/v1 Job. */
export const jobSchema = topLevel(`${BATCH}.Job`, 'Pods that run until their work is done.', () => ({
  spec: always(jobSpec, 2, 'The desired work.'),
  status: always(status, 3, 'The observed work.'),
}));
export type Job = OutputOf<typeof jobSchema>;

import type { Dialect } from '../../meta/dialect.js';
import { defineResource, type GatedFields } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { humanDuration } from '../../values/duration.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { podTemplateWarnings } from '../core/pod/pod-warnings.js';
import { age, ageCell, nameColumn } from '../shared/columns.js';
import { defaultsOnRead } from '../shared/defaults-on-read.js';
import { containerColumns, selectorCell } from '../shared/pod-columns.js';
import { keepSpec, keepStatus, podNameWarnings } from '../shared/workload.js';
import { batchV1 } from './batch-v1.js';
import type { Job, JobSpec } from './batch-v1.types.js';
import { generateSelector, jobLabels } from './job-selector.js';
import { isJob, validateJobStatus } from './job-status-validation.js';
import { validateJob, validateJobUpdate } from './job-validation.js';

export type { Job } from './batch-v1.types.js';

const KEEPS_PODS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
const MAX_INT32 = 0x7fff_ffff;

function setDefaults(job: Draft<Job>, dialect: Dialect): void {
  job.spec.podReplacementPolicy ??= job.spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  setDefaultsOnRead(job, dialect);
}

/**
 * Sets all defaults except that of podReplacementPolicy, which a feature gate can drop. Feature gates are not known when a stored job is
 * read, so the default of podReplacementPolicy is set before a job is stored.
 */
function setDefaultsOnRead({ metadata, spec }: Draft<Job>, dialect: Dialect): void {
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  takeLabels({ metadata, spec });
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  setFailureDefaults(spec);
  setPodTemplateDefaults(spec.template, dialect);
}

/** Lets a job without labels share the labels object of its template. {@link generateSelector} compares the two by identity. */
function takeLabels({ metadata, spec }: Pick<Draft<Job>, 'metadata' | 'spec'>): void {
  const { labels } = spec.template.metadata;
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

function statusCell(job: Job): string {
  if (isJob(job, 'Complete')) return 'Complete';
  if (isJob(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget'].find((type) => isJob(job, type)) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const { completions, parallelism = 0 } = spec;
  const succeeded = status.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ status: { startTime, completionTime } }: Job, now: number): string {
  if (startTime === undefined || startTime === null) return '';
  if (completionTime === undefined || completionTime === null) return ageCell(startTime, now);
  return humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

const gatedOfJobs: readonly GatedFields<never>[] = [
  { gate: 'JobManagedBy', fields: ['spec.managedBy'], onlyNew: true },
  { gate: 'JobSuccessPolicy', fields: ['spec.successPolicy'] },
  { gate: 'JobBackoffLimitPerIndex', fields: ['spec.backoffLimitPerIndex'] },
  { gate: 'JobBackoffLimitPerIndex', fields: ['spec.maxFailedIndexes'] },
  { gate: 'JobBackoffLimitPerIndex', fields: ['spec.podFailurePolicy.rules'], onlyNew: true, drop: dropIndexRules },
  { gate: 'JobPodReplacementPolicy', fields: ['spec.podReplacementPolicy'] },
];

/** Removes the pod failure rules with the action FailIndex. */
function dropIndexRules({ spec: { podFailurePolicy } }: Draft<Job>): void {
  if (podFailurePolicy) podFailurePolicy.rules = podFailurePolicy.rules.filter(({ action }) => action !== 'FailIndex');
}

/** batch/v1 Job: runs pods until enough of them succeed. */
export const job = defineResource({
  groupStem: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  tracksGeneration: true,
  orphansDependents: true,
  schema: batchV1.struct('Job'),
  setDefaults,
  // A job without labels gets those of its template when defaults are set. If the template gets labels only afterwards, the job is stored
  // without labels, and every read fills them in.
  storageForm: defaultsOnRead(setDefaultsOnRead),
  resetFields: ['status'],
  gatedFields: [...gatedOfTemplate(), ...gatedOfJobs],
  strategy: {
    prepareForCreate(draft, { host: { dialect } }) {
      draft.status = {};
      generateSelector(draft, jobLabels(dialect));
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
    },
    validate: (object, { host }) => validateJob(object, host),
    validateUpdate: (next, old, { host }) => validateJobUpdate(next, old, host),
    beforeDelete(_name, context, { propagationPolicy, orphanDependents }) {
      if ((propagationPolicy ?? orphanDependents) === undefined) context.warn(KEEPS_PODS);
    },
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...(old?.metadata.generation === object.metadata.generation ? [] : jobWarnings(object.spec, 'spec', dialect)),
    ],
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateJobStatus },
    },
  },
  selectableFields: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
  ownFieldLabels: 'naming-the-kind',
  columns: [
    nameColumn,
    { name: 'Status', type: 'string', description: 'The state of the job.', cell: statusCell },
    {
      name: 'Completions',
      type: 'string',
      description: 'The number of succeeded pods and of required ones.',
      cell: completionsCell,
    },
    { name: 'Duration', type: 'string', description: 'How long it ran, or has been running.', cell: durationCell },
    age,
    ...containerColumns<Job>(({ spec }) => spec.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Selects the pods.',
      priority: 1,
      cell: ({ spec }) => selectorCell(spec.selector),
    },
  ],
});

/** Sets the default status True in the pod conditions of failure policies. */
export function setFailureDefaults({ podFailurePolicy }: Draft<JobSpec>): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions) if (pattern.status === '') pattern.status = 'True';
}

const manyIndexes = ({ apiTitle }: Dialect): string =>
  `In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${apiTitle} might not be able to track completedIndexes when a big number of indexes fail`;

/** Returns the warnings about a job. `path` is the path of the spec. */
export function jobWarnings(
  { completionMode, completions = 0, parallelism = 0, template }: JobSpec,
  path: string,
  dialect: Dialect,
): readonly string[] {
  const many = completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000;
  return [
    ...(many ? [`${path}: ${manyIndexes(dialect)}`] : []),
    ...podTemplateWarnings(template, `${path}.template`, dialect),
  ];
}

import { equalJson } from '../../json/equal.js';
import { domainPrefixedPath } from '../../meta/domain-prefixed-path.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Label, qualifiedName } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import type { Typed } from '../../schema/authoring.js';
import { equalAsStored } from '../../schema/empty-collections.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import {
  compileSelector,
  namesImpossibleValues,
  validateLabelSelector,
} from '../../selectors/label-selector-object.js';
import { quote } from '../../values/quote.js';
import { coreV1 } from '../core/core-v1.js';
import type { PodTemplateSpec } from '../core/core-v1.types.js';
import { validatePodTemplate } from '../core/pod/pod-template-spec.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { mayNameAnyValues } from '../core/pod/validation/pod-scheduling-validation.js';
import { validateCounts } from '../shared/counts.js';
import { printedSelector, validateSelected } from '../shared/selected-pods.js';
import { notNegative } from '../shared/value-rules.js';
import { batchV1 } from './batch-v1.js';
import type { Job, JobSpec } from './batch-v1.types.js';
import { BadIndexes, countIndexes } from './index-intervals.js';
import { jobLabels, validateGeneratedSelector } from './job-selector.js';

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
/**
 * The maximum of parallelism and of maxFailedIndexes for a job with backoffLimitPerIndex and more than {@link MANY_COMPLETIONS}
 * completions.
 */
const MAX_WITH_MANY_COMPLETIONS = 10_000;
const MAX_MANAGER_LENGTH = 63;

/** Returns the validation errors of a job. `old` is the stored one, if there is one. */
export function validateJob(job: Job, rules: PodRules, old?: Job): FieldError[] {
  const { metadata, spec } = job;
  const errors = [...validateGeneratedSelector(job, jobLabels(rules.dialect), old), ...validateOwnSpec(spec, rules)];
  const { completionMode, completions = 0 } = spec;
  const { name = '' } = metadata;
  const lastPod = `${name}-${completions - 1}`;
  if (completionMode === 'Indexed' && completions > 0 && dns1123Label(lastPod).length > 0) {
    const why = `will not able to create pod with invalid DNS label: ${lastPod}`;
    errors.push(fieldError.invalid('metadata.name', name, why));
  }
  return errors;
}

function validateOwnSpec(spec: JobSpec, rules: PodRules): FieldError[] {
  const { selector, template } = spec;
  const errors = validateJobSpec(spec, 'spec', rules);
  if (selector === undefined) errors.push(fieldError.required('spec.selector'));
  else errors.push(...validateLabelSelector(selector, 'spec.selector', { anyValues: mayNameAnyValues(rules) }));
  const compiled = compileSelector(selector);
  if (compiled) errors.push(...validateSelected(compiled, template.metadata.labels, 'spec.template.metadata.labels'));
  return errors;
}

/** Returns the validation errors of the spec at `path`, except for its selector. */
export function validateJobSpec(spec: JobSpec, path: string, rules: PodRules): FieldError[] {
  const { maxFailedIndexes, backoffLimitPerIndex } = spec;
  const at = (name: string) => `${path}.${name}`;
  const errors = validateCounts(path, spec, [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]);
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(fieldError.required(at('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  return [
    ...errors,
    ...validateManager(spec.managedBy, at('managedBy')),
    ...validateMode(spec, path),
    ...validateFailurePolicy(spec, path),
    ...validateSuccessPolicy(spec, path),
    ...validateReplacementPolicy(spec, path),
    ...validatePodTemplate(spec.template, at('template'), rules),
    ...validateRestartPolicy(spec, at('template.spec.restartPolicy')),
  ];
}

function validateManager(manager: string | undefined, path: string): FieldError[] {
  if (manager === undefined) return [];
  const errors = domainPrefixedPath(path, manager);
  if (manager.length > MAX_MANAGER_LENGTH) errors.push(fieldError.longerThan(path, MAX_MANAGER_LENGTH));
  return errors;
}

function validateMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode = 'NonIndexed' } = spec;
  if (mode === 'Indexed') return validateIndexes(spec, path);
  if (mode !== 'NonIndexed')
    return [fieldError.notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed'])];
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
    spec[name] === undefined
      ? []
      : [fieldError.invalid(`${path}.${name}`, spec[name], 'requires indexed completion mode')],
  );
}

function validateIndexes(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const above = (name: 'parallelism' | 'maxFailedIndexes', what: string) =>
    errors.push(fieldError.invalid(`${path}.${name}`, spec[name], `must be less than or equal to ${what}`));
  if (completions === undefined)
    errors.push(fieldError.required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > MAX_PARALLELISM) above('parallelism', `${MAX_PARALLELISM} when completion mode is Indexed`);
  if (maxFailedIndexes !== undefined && completions !== undefined && maxFailedIndexes > completions)
    above('maxFailedIndexes', 'completions');
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_FAILED_INDEXES)
    above('maxFailedIndexes', String(MAX_FAILED_INDEXES));
  if (completions === undefined || completions <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return errors;
  const ofMany = `${MAX_WITH_MANY_COMPLETIONS} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined)
    errors.push(
      fieldError.required(
        `${path}.maxFailedIndexes`,
        `must be specified when completions is above ${MANY_COMPLETIONS}`,
      ),
    );
  if (parallelism > MAX_WITH_MANY_COMPLETIONS) above('parallelism', ofMany);
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_WITH_MANY_COMPLETIONS) above('maxFailedIndexes', ofMany);
  return errors;
}

function validateRestartPolicy({ podFailurePolicy, template }: JobSpec, path: string): FieldError[] {
  const { restartPolicy = 'Always' } = template.spec as { readonly restartPolicy?: string };
  if (restartPolicy === 'Always' || restartPolicy === '')
    return [fieldError.required(path, 'valid values: "OnFailure", "Never"')];
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never')
    return [fieldError.notSupported(path, restartPolicy, ['OnFailure', 'Never'])];
  if (!podFailurePolicy || restartPolicy === 'Never') return [];
  return [fieldError.invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** Returns the validation errors of a job update. As in upstream, errors that the validation of a new job also finds are reported twice. */
export function validateJobUpdate(next: Job, old: Job, host: PodRules): FieldError[] {
  const anyLabelValues = namesImpossibleValues(old.spec.selector);
  const rules = { ...rulesAfter(host, old.spec.template), anyLabelValues };
  const { spec } = next;
  const before = old.spec;
  const requireUnchanged = (name: keyof JobSpec & string, shown: unknown): FieldError[] =>
    equalJson(spec[name], before[name]) ? [] : [fieldError.invalid(`spec.${name}`, shown, 'field is immutable')];
  return [
    ...validateJob(next, rules, old),
    METADATA_CHECK,
    ...validateOwnSpec(spec, rules),
    ...validateCompletions(spec, before),
    ...requireUnchanged('selector', printedSelector(spec.selector)),
    ...validateTemplateUpdate(next, old),
    ...requireUnchanged('completionMode', spec.completionMode),
    ...requireUnchanged('podFailurePolicy', printField(batchV1.struct('PodFailurePolicy'), spec.podFailurePolicy)),
    ...requireUnchanged('backoffLimitPerIndex', spec.backoffLimitPerIndex),
    ...requireUnchanged('managedBy', spec.managedBy),
    ...requireUnchanged('successPolicy', printField(batchV1.struct('SuccessPolicy'), spec.successPolicy)),
  ];
}

/** Formats a struct for error messages. */
const printField = (schema: Typed<unknown>, value: unknown) =>
  value === undefined ? undefined : printed(printGoSyntax(schema, value));

/** Checks that the completions do not change, except together with the parallelism of an indexed job. */
function validateCompletions(next: JobSpec, old: JobSpec): FieldError[] {
  const { completions, completionMode, parallelism } = next;
  const path = 'spec.completions';
  if (completions === old.completions) return [];
  if (completionMode !== 'Indexed') return [fieldError.invalid(path, completions, 'field is immutable')];
  if (completions === undefined || completions === parallelism) return [];
  return [fieldError.invalid(path, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** Checks that the template does not change. Its scheduling fields may change while the job is suspended and has never started. */
function validateTemplateUpdate({ spec: { template } }: Job, old: Job): FieldError[] {
  const rests = old.spec.suspend === true && (old.status.startTime ?? undefined) === undefined;
  const compared = rests ? withScheduling(old.spec.template, template) : old.spec.template;
  if (equalAsStored(coreV1.struct('PodTemplateSpec'), template, compared)) return [];
  return [
    fieldError.invalid('spec.template', printField(coreV1.struct('PodTemplateSpec'), template), 'field is immutable'),
  ];
}

/** Returns a template with the scheduling fields, the labels and the annotations of another template. */
function withScheduling(template: PodTemplateSpec, { metadata, spec }: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates, affinity } = spec;
  const { nodeAffinity: _, ...others } = template.spec.affinity ?? {};
  const nodeAffinity = affinity?.nodeAffinity;
  const moved = { ...others, ...(nodeAffinity ? { nodeAffinity } : {}) };
  const keepsNone = affinity === undefined && Object.keys(moved).length === 0;
  return {
    metadata: { ...template.metadata, labels: metadata.labels, annotations: metadata.annotations },
    spec: {
      ...template.spec,
      nodeSelector,
      tolerations,
      schedulingGates,
      affinity: keepsNone ? undefined : moved,
    },
  } as PodTemplateSpec; // Members that are undefined count as absent, so the cast is safe.
}

type FailurePolicy = NonNullable<JobSpec['podFailurePolicy']>;
type FailureRule = FailurePolicy['rules'][number];
type SuccessPolicy = NonNullable<JobSpec['successPolicy']>;

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'];

/** Checks a required value. When it is missing, the error lists the supported values. */
function requireSupported(path: string, value: string, supported: readonly string[]): FieldError[] {
  if (value === '') return [fieldError.required(path, `valid values: [${supported.map(quote).join(' ')}]`)];
  return supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)];
}

function atMost(path: string, list: readonly unknown[] | null, most: number): FieldError[] {
  const { length } = list ?? [];
  return length > most ? [fieldError.tooMany(path, length, most)] : [];
}

/** Returns the validation errors of the failure policy and the replacement policy. `path` is the path of the spec. */
function validateFailurePolicy(spec: JobSpec, path: string): FieldError[] {
  const { podFailurePolicy: policy, template } = spec;
  if (!policy) return [];
  const at = `${path}.podFailurePolicy.rules`;
  const names = new Set(
    [...(template.spec.containers ?? []), ...(template.spec.initContainers ?? [])].map(({ name }) => name),
  );
  return [
    ...atMost(at, policy.rules, MAX_RULES),
    ...errorsOf(policy.rules ?? [], (rule, i) =>
      validateFailureRule(rule, `${at}[${i}]`, names, spec.backoffLimitPerIndex !== undefined),
    ),
  ];
}

function validateFailureRule(
  rule: FailureRule,
  path: string,
  names: ReadonlySet<string>,
  countsByIndex: boolean,
): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = requireSupported(`${path}.action`, action, ACTIONS);
  if (action === 'FailIndex' && !countsByIndex)
    errors.push(fieldError.invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  if (onExitCodes) errors.push(...validateExitCodes(onExitCodes, `${path}.onExitCodes`, names));
  errors.push(
    ...atMost(`${path}.onPodConditions`, onPodConditions, MAX_CONDITIONS),
    ...errorsOf(onPodConditions, ({ type, status }, i) => {
      const at = `${path}.onPodConditions[${i}]`;
      return [
        ...qualifiedName(type).map((problem) => fieldError.invalid(`${at}.type`, type, problem)),
        ...requireSupported(`${at}.status`, status, STATUSES),
      ];
    }),
  );
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported';
  const neither = 'specifying one of OnExitCodes and OnPodConditions is required';
  const hasConditions = onPodConditions.length > 0;
  if (onExitCodes && hasConditions) errors.push(withoutValue(path, both));
  if (!onExitCodes && !hasConditions) errors.push(withoutValue(path, neither));
  return errors;
}

/** Returns an error about a whole struct. Its message does not contain the value of the struct. */
const withoutValue = (path: string, detail: string): FieldError => ({ type: 'Invalid', path, detail });

function validateExitCodes(
  { containerName, operator, values }: NonNullable<FailureRule['onExitCodes']>,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const codes = values ?? [];
  const shown = () => printed(printGoSyntax(batchV1.type('[]int32 set'), codes));
  const errors = requireSupported(`${path}.operator`, operator, OPERATORS);
  if (containerName !== undefined && !names.has(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template';
    errors.push(fieldError.invalid(`${path}.containerName`, containerName, why));
  }
  const at = `${path}.values`;
  if (codes.length === 0) errors.push(fieldError.invalid(at, shown(), 'at least one value is required'));
  errors.push(...atMost(at, codes, MAX_EXIT_CODES));
  const seen = new Set<number>();
  errors.push(
    ...errorsOf(codes, (code, i) => {
      const ofCode: FieldError[] = [];
      if (operator === 'In' && code === 0)
        ofCode.push(fieldError.invalid(`${at}[${i}]`, code, 'must not be 0 for the In operator'));
      if (seen.has(code)) ofCode.push(fieldError.duplicate(`${at}[${i}]`, code));
      seen.add(code);
      return ofCode;
    }),
  );
  if (codes.some((code, i) => i > 0 && (codes[i - 1] ?? code) > code))
    errors.push(fieldError.invalid(at, shown(), 'must be ordered'));
  return errors;
}

/** Returns the validation errors of the success policy. `path` is the path of the spec. */
function validateSuccessPolicy(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.successPolicy;
  if (!policy) return [];
  const at = `${path}.successPolicy`;
  if (spec.completionMode !== 'Indexed')
    return [
      fieldError.invalid(
        at,
        printed(printGoSyntax(batchV1.struct('SuccessPolicy'), policy)),
        'requires indexed completion mode',
      ),
    ];
  const rules = `${at}.rules`;
  if ((policy.rules ?? []).length === 0)
    return [fieldError.required(rules, 'at least one rules must be specified when the successPolicy is specified')];
  return [
    ...atMost(rules, policy.rules, MAX_RULES),
    ...errorsOf(policy.rules, (rule, i) => validateSuccessRule(rule, `${rules}[${i}]`, spec.completions ?? 0)),
  ];
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: SuccessPolicy['rules'][number],
  path: string,
  completions: number,
): FieldError[] {
  if (succeededIndexes === undefined && succeededCount === undefined)
    return [fieldError.required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  const errors: FieldError[] = [];
  let total = 0;
  if (succeededIndexes !== undefined) {
    const at = `${path}.succeededIndexes`;
    if (succeededIndexes.length > MAX_INDEXES_LENGTH) errors.push(fieldError.tooLong(at, MAX_INDEXES_LENGTH));
    try {
      total = countIndexes(succeededIndexes, completions);
    } catch (error) {
      if (!(error instanceof BadIndexes)) throw error;
      errors.push(fieldError.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${error.message}`));
    }
  }
  if (succeededCount === undefined) return errors;
  const at = `${path}.succeededCount`;
  errors.push(...notNegative(at, succeededCount));
  const above = (most: number, of: string) =>
    fieldError.invalid(at, succeededCount, `must be less than or equal to ${most} (the number of ${of})`);
  if (succeededCount > completions) errors.push(above(completions, 'specified completions'));
  if (succeededIndexes !== undefined && succeededCount > total)
    errors.push(above(total, 'indexes in the specified succeededIndexes field'));
  return errors;
}

/** Returns the validation errors of the replacement policy. With a failure policy, only failed pods may be replaced. */
function validateReplacementPolicy(spec: JobSpec, path: string): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  if (policy === undefined) return [];
  const supported = podFailurePolicy ? ['Failed'] : REPLACEMENTS;
  return supported.includes(policy) ? [] : [fieldError.notSupported(`${path}.podReplacementPolicy`, policy, supported)];
}

import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { quote } from '../../values/quote.js';
import { notNegative } from '../shared/value-rules.js';
import { batchV1 } from './batch-v1.js';
import type { JobSpec } from './batch-v1.types.js';
import { BadIndexes, countIndexes } from './index-intervals.js';

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

/** Returns the problems of the failure policy and the replacement policy. `path` is the path of the spec. */
export function validateFailurePolicy(spec: JobSpec, path: string): FieldError[] {
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

/** Returns a problem of a whole struct, whose value the message does not show. */
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

/** Returns the problems of the success policy. `path` is the path of the spec. */
export function validateSuccessPolicy(spec: JobSpec, path: string): FieldError[] {
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

/** Returns the problems of the replacement policy. With a failure policy, only failed pods may be replaced. */
export function validateReplacementPolicy(spec: JobSpec, path: string): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  if (policy === undefined) return [];
  const supported = podFailurePolicy ? ['Failed'] : REPLACEMENTS;
  return supported.includes(policy) ? [] : [fieldError.notSupported(`${path}.podReplacementPolicy`, policy, supported)];
}

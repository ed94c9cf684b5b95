import { errorsOf, type FieldError, fieldError, type Printed, printed } from '../../../meta/field-error.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { age, nameColumn } from '../../shared/columns.js';
import {
  isOfQuotas,
  type ResourceAmounts,
  roundAmounts,
  validateAmount,
  validateResourceName,
} from '../../shared/resource-rules.js';
import { keepSpec, keepStatus } from '../../shared/workload.js';
import { coreV1 } from '../core-v1.js';
import type { ResourceQuota } from '../core-v1.types.js';

export type { ResourceQuota } from '../core-v1.types.js';

function setDefaults({ spec, status }: Draft<ResourceQuota>): void {
  for (const amounts of [spec.hard, status.hard, status.used]) roundAmounts(amounts);
}

/**
 * Returns the used and the hard quantities as a cell. If `ofLimits` is true, the cell contains the resources that begin with `limits.`,
 * otherwise all other resources.
 */
function usageCell({ status: { hard = {}, used = {} } }: ResourceQuota, ofLimits: boolean): string {
  const names = Object.keys(hard).filter((name) => name.startsWith('limits.') === ofLimits);
  return names
    .sort()
    .map((name) => `${name}: ${Object.hasOwn(used, name) ? used[name] : '0'}/${hard[name]}`)
    .join(', ');
}

/** v1 ResourceQuota: limits for all objects of a namespace together. */
export const resourceQuota = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  metadataChecks: ['changes'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('ResourceQuota'),
  setDefaults,
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = {};
    },
    prepareForUpdate: keepStatus,
    validate: validateQuota,
    validateUpdate: validateQuotaUpdate,
  },
  subresources: {
    status: { resetFields: ['spec'], strategy: { prepareForUpdate: keepSpec, validateUpdate: validateQuotaStatus } },
  },
  columns: [
    nameColumn,
    age,
    {
      name: 'Request',
      type: 'string',
      description: 'The usage and limit of each resource, except for limits.',
      cell: (quota) => usageCell(quota, false),
    },
    {
      name: 'Limit',
      type: 'string',
      description: 'The usage and limit of each resource for limits.',
      cell: (quota) => usageCell(quota, true),
    },
  ],
});

type QuotaScope = (typeof SCOPES)[number];
const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
] as const;

const CONTRADICTIONS: readonly (readonly QuotaScope[])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const COMPUTED: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);

type Spec = ResourceQuota['spec'];

const isScope = (scope: string): boolean => (SCOPES as readonly string[]).includes(scope);
/**
 * Whether a limit can be combined with a scope. With the scope BestEffort, only the number of pods can be limited. With other scopes,
 * compute resources can be limited, too.
 */
const fits = (scope: QuotaScope, name: string): boolean =>
  !isScope(scope) || name === 'pods' || (scope !== 'BestEffort' && COMPUTED.has(name));

/** Returns the validation errors of a quota. */
function validateQuota({ spec }: ResourceQuota): FieldError[] {
  return [...validateAmounts('spec.hard', spec.hard), ...validateScopes(spec), ...validateScopeSelector(spec)];
}

/** Returns the validation errors of a quota update. */
function validateQuotaUpdate(next: ResourceQuota, old: ResourceQuota): FieldError[] {
  const [scopes, before] = [new Set(next.spec.scopes), new Set(old.spec.scopes)];
  const same = scopes.size === before.size && [...scopes].every((scope) => before.has(scope));
  const errors = validateQuota(next);
  return same ? errors : [...errors, scopesRefusal(next.spec)('field is immutable')];
}

/** Returns the validation errors of a status update. */
function validateQuotaStatus({ status }: ResourceQuota): FieldError[] {
  return [...validateAmounts('status.hard', status.hard), ...validateAmounts('status.used', status.used)];
}

function validateAmounts(path: string, amounts: ResourceAmounts = {}): FieldError[] {
  return errorsOf(Object.entries(amounts).sort(byName), ([name, amount]) => {
    const at = `${path}[${name}]`;
    const errors = validateResourceName(at, name);
    if (!name.includes('/') && !isOfQuotas(name))
      errors.push(fieldError.invalid(at, printed(name), 'must be a standard resource for quota'));
    return [...errors, ...validateAmount(at, name, amount)];
  });
}
const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);

/** Returns a function that creates errors whose value is the list of all scopes. The list is printed once for all of these errors. */
function scopesRefusal({ scopes }: Spec, path = 'spec.scopes'): (why: string) => FieldError {
  let shown: Printed | undefined;
  return (why) => {
    shown ??= printed(printGoSyntax(coreV1.type('[]ResourceQuotaScope atomic'), scopes, 'core'));
    return fieldError.invalid(path, shown, why);
  };
}

/** Returns the limits that cannot be combined with a scope. */
const misfits = ({ hard = {} }: Spec, scope: QuotaScope): readonly string[] =>
  Object.keys(hard).filter((name) => isOfQuotas(name) && !fits(scope, name));

function contradictions(scopes: readonly QuotaScope[]): number {
  return CONTRADICTIONS.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;
}

function validateScopes(spec: Spec): FieldError[] {
  const { scopes = [] } = spec;
  const refusal = scopesRefusal(spec);
  const refuse = (times: number, why: string) => Array.from({ length: times }, () => refusal(why));
  return [
    ...errorsOf(scopes, (scope) => [
      ...refuse(isScope(scope) ? 0 : 1, 'unsupported scope'),
      ...errorsOf(misfits(spec, scope), () => refuse(1, 'unsupported scope applied to resource')),
    ]),
    ...refuse(contradictions(scopes), 'conflicting scopes'),
  ];
}

const EXISTS_ONLY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function validateScopeSelector(spec: Spec): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  let shown: Printed | undefined;
  const selector = () => (shown ??= printed(printGoSyntax(coreV1.struct('ScopeSelector'), spec.scopeSelector)));
  const errors = errorsOf(requirements, ({ scopeName, operator, values = [] }) => {
    const problems = isScope(scopeName)
      ? []
      : [fieldError.invalid(`${path}.scopeName`, scopeName, 'unsupported scope')];
    const refused = () => [fieldError.invalid(path, selector(), 'unsupported scope applied to resource')];
    problems.push(...errorsOf(misfits(spec, scopeName), refused));
    if (isScope(scopeName) && scopeName !== 'PriorityClass' && operator !== 'Exists')
      problems.push(fieldError.invalid(`${path}.operator`, operator, EXISTS_ONLY));
    return [...problems, ...validateOperator(path, operator, values)];
  });
  const scopes = requirements.map(({ scopeName }) => scopeName);
  const refusal = scopesRefusal(spec, path);
  for (let n = contradictions(scopes); n > 0; n--) errors.push(refusal('conflicting scopes'));
  return errors;
}

function validateOperator(path: string, operator: string, values: readonly string[]): FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length === 0 ? [fieldError.required(`${path}.values`, why)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length === 0 ? [] : [fieldError.invalid(`${path}.values`, values, why)];
  }
  return [fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator')];
}

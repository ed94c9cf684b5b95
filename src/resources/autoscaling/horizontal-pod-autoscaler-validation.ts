import type { FeatureGates } from '../../meta/features/gates.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Label, pathSegment } from '../../meta/names.js';
import { quantity } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { parseQuantity } from '../../values/quantity.js';
import { validateCounts } from '../shared/counts.js';
import { validateContainerResourceName } from '../shared/resource-rules.js';
import { validateRequired } from '../shared/value-rules.js';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec, MetricTarget } from './autoscaling-v2.types.js';

type Spec = HorizontalPodAutoscaler['spec'];

const MAX_PERIOD = 1800;
const MAX_WINDOW = 3600;
const SOURCES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const FIELDS = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
} as const;
const TARGETS = ['Utilization', 'Value', 'AverageValue'];
const SELECTIONS = ['Disabled', 'Max', 'Min'];
const POLICIES = ['Percent', 'Pods'];

/** Returns the validation errors of an autoscaler. `old` is the stored one. */
export function validateHorizontalPodAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  { HPAScaleToZero: toNone }: Pick<FeatureGates, 'HPAScaleToZero'>,
): FieldError[] {
  const { minReplicas, maxReplicas, behavior } = spec;
  // A minimum of zero replicas requires the feature gate HPAScaleToZero, unless the stored object already has this minimum.
  const least = toNone || old?.spec.minReplicas === 0 ? 0 : 1;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < least)
    errors.push(fieldError.invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`));
  if (maxReplicas < 1) errors.push(fieldError.invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(fieldError.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  return [
    ...errors,
    ...validateReference(spec.scaleTargetRef, 'spec.scaleTargetRef'),
    ...validateMetrics(spec),
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** Returns the validation errors of a status update. */
export const validateHorizontalPodAutoscalerStatus = ({ status }: HorizontalPodAutoscaler): FieldError[] =>
  validateCounts('status', status, ['currentReplicas', 'desiredReplicas']);

const validateReference = ({ kind, name }: Spec['scaleTargetRef'], path: string): FieldError[] => [
  ...validateRequired(`${path}.kind`, kind, pathSegment),
  ...validateRequired(`${path}.name`, name, pathSegment),
];

function validateMetrics({ metrics = [], minReplicas }: Spec): FieldError[] {
  const errors = errorsOf(metrics, (metric, i) => validateMetric(metric, `spec.metrics[${i}]`));
  const isOutside = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !isOutside) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(fieldError.forbidden('spec.metrics', why));
  }
  return errors;
}

function validateMetric(metric: MetricSpec, path: string): FieldError[] {
  const { type } = metric;
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldError.required(`${path}.type`, 'must specify a metric source type'));
  const unknown = SOURCES.includes(type) ? [] : [fieldError.notSupported(`${path}.type`, type, SOURCES)];
  errors.push(...unknown);
  const presentSources = (['object', 'external', 'pods', 'resource', 'containerResource'] as const).filter(
    (field) => metric[field] !== undefined,
  );
  const [first] = presentSources;
  // Only the first of several sources is validated.
  if (first !== undefined) errors.push(...validateSource(metric, first, `${path}.${first}`));
  const expected = Object.hasOwn(FIELDS, type) ? FIELDS[type as keyof typeof FIELDS] : undefined;
  if (expected !== undefined && metric[expected] === undefined)
    errors.push(fieldError.required(`${path}.${expected}`, 'must populate information for the given metric source'));
  // As in upstream, an unknown type is reported both before and after the errors of the source.
  errors.push(...unknown);
  if (presentSources.length > 1)
    for (const field of presentSources)
      if (field !== expected)
        errors.push(fieldError.forbidden(`${path}.${field}`, 'must populate the given metric source only'));
  return errors;
}

type Source = (typeof FIELDS)[keyof typeof FIELDS];

function validateSource(metric: MetricSpec, field: Source, path: string): FieldError[] {
  const { object, external, pods, resource, containerResource } = metric;
  if (field === 'object' && object)
    return [
      ...validateReference(object.describedObject, `${path}.describedObject`),
      ...validateName(object.metric, path),
      ...validateTarget(object.target, path),
      ...requireTarget(object.target, path, 'must set either a target value or averageValue'),
    ];
  if (field === 'external' && external) {
    const { value, averageValue } = external.target;
    const both = 'may not set both a target value for metric and a per-pod target';
    return [
      ...validateName(external.metric, path),
      ...validateTarget(external.target, path),
      ...requireTarget(external.target, path, 'must set either a target value for metric or a per-pod target'),
      ...(value !== undefined && averageValue !== undefined
        ? [fieldError.forbidden(`${path}.target.value`, both)]
        : []),
    ];
  }
  if (field === 'pods' && pods)
    return [
      ...validateName(pods.metric, path),
      ...validateTarget(pods.target, path),
      ...(pods.target.averageValue === undefined
        ? [fieldError.required(`${path}.target.averageValue`, 'must specify a positive target averageValue')]
        : []),
    ];
  if (field === 'resource' && resource)
    return [...neededResource(resource.name, path), ...validateResourceTarget(resource.target, path)];
  if (!containerResource) return [];
  const { name, container, target } = containerResource;
  return [
    ...(name === '' ? neededResource(name, path) : validateContainerResourceName(`${path}.name`, name)),
    ...(container === ''
      ? [fieldError.required(`${path}.container`, 'must specify a container')]
      : dns1123Label(container).map((problem) => fieldError.invalid(`${path}.container`, container, problem))),
    ...validateResourceTarget(target, path),
  ];
}

const neededResource = (name: string, path: string): FieldError[] =>
  name === '' ? [fieldError.required(`${path}.name`, 'must specify a resource name')] : [];

const validateName = ({ name }: { readonly name: string }, path: string): FieldError[] =>
  name === ''
    ? [fieldError.required(`${path}.metric.name`, 'must specify a metric name')]
    : pathSegment(name).map((problem) => fieldError.invalid(`${path}.metric.name`, name, problem));

const requireTarget = ({ value, averageValue }: MetricTarget, path: string, why: string): FieldError[] =>
  value === undefined && averageValue === undefined ? [fieldError.required(`${path}.target.averageValue`, why)] : [];

function validateTarget({ type, value, averageValue, averageUtilization }: MetricTarget, path: string): FieldError[] {
  const at = `${path}.target`;
  const positive = (name: string, amount: string | undefined): FieldError[] => {
    if (amount === undefined || parseQuantity(amount).unscaled > 0n) return [];
    return [fieldError.invalid(`${at}.${name}`, printed(printGoSyntax(quantity(), amount)), 'must be positive')];
  };
  return [
    ...(type === '' ? [fieldError.required(`${at}.type`, 'must specify a metric target type')] : []),
    ...(TARGETS.includes(type)
      ? []
      : [fieldError.invalid(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive('value', value),
    ...positive('averageValue', averageValue),
    ...(averageUtilization === undefined || averageUtilization > 0
      ? []
      : [fieldError.invalid(`${at}.averageUtilization`, averageUtilization, 'must be greater than 0')]),
  ];
}

function validateResourceTarget(target: MetricTarget, path: string): FieldError[] {
  const { averageUtilization, averageValue } = target;
  const errors = validateTarget(target, path);
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    errors.push(fieldError.required(`${path}.target.averageUtilization`, why));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = 'may not set both a target raw value and a target utilization';
    errors.push(fieldError.forbidden(`${path}.target.averageValue`, why));
  }
  return errors;
}

function validateRules(rules: HPAScalingRules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [] } = rules;
  const errors: FieldError[] = [];
  const at = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(fieldError.invalid(at, window, 'must be greater than or equal to zero'));
  if (window > MAX_WINDOW) errors.push(fieldError.invalid(at, window, `must be less than or equal to ${MAX_WINDOW}`));
  if (selectPolicy !== undefined && !SELECTIONS.includes(selectPolicy))
    errors.push(fieldError.notSupported(`${path}.selectPolicy`, selectPolicy, SELECTIONS));
  if (policies.length === 0) errors.push(fieldError.required(`${path}.policies`, 'must specify at least one Policy'));
  return [...errors, ...errorsOf(policies, (policy, i) => validatePolicy(policy, `${path}.policies[${i}]`))];
}

function validatePolicy(
  { type, value, periodSeconds: period }: NonNullable<HPAScalingRules['policies']>[number],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!POLICIES.includes(type)) errors.push(fieldError.notSupported(`${path}.type`, type, POLICIES));
  if (value <= 0) errors.push(fieldError.invalid(`${path}.value`, value, 'must be greater than zero'));
  if (period <= 0) errors.push(fieldError.invalid(`${path}.periodSeconds`, period, 'must be greater than zero'));
  if (period > MAX_PERIOD)
    errors.push(fieldError.invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${MAX_PERIOD}`));
  return errors;
}

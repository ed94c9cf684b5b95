import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { METADATA_CHECK, validateAnnotations, validateLabels } from '../../meta/object-meta-validation.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { compileSelector } from '../../selectors/label-selector-object.js';
import { validateAlwaysRestarted } from '../core/pod/pod-template-spec.js';
import { validatePodAnnotations } from '../core/pod/validation/pod-annotation-validation.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { validateAtMost, validateCollisions, validateCounts } from '../shared/counts.js';
import {
  intOrPercentValue,
  printedIntOrString,
  validateAtMostAll,
  validateIntOrPercent,
} from '../shared/int-or-percent.js';
import { printedSelector, validateRequiredSelector, validateSelected } from '../shared/selected-pods.js';
import { notNegative } from '../shared/value-rules.js';
import { appsV1 } from './apps-v1.js';
import type { StatefulSet } from './apps-v1.types.js';

type Spec = StatefulSet['spec'];

const ORDERS = ['OrderedReady', 'Parallel'];
const RETENTIONS = ['Retain', 'Delete'];

type RollingUpdate = NonNullable<Spec['updateStrategy']['rollingUpdate']>;

const printedRollingUpdate = ({ partition = 0, maxUnavailable }: RollingUpdate): Printed =>
  printed(
    `apps.RollingUpdateStatefulSetStrategy{Partition:${partition}, MaxUnavailable:(*intstr.IntOrString)(${maxUnavailable === undefined ? 'nil' : '0xc000000000'})}`,
  );

function validateRollingUpdate(path: string, { partition, maxUnavailable }: RollingUpdate): FieldError[] {
  const errors = notNegative(`${path}.partition`, partition);
  if (maxUnavailable === undefined) return errors;
  const at = `${path}.maxUnavailable`;
  errors.push(...validateIntOrPercent(at, maxUnavailable));
  if (intOrPercentValue(maxUnavailable) === 0)
    errors.push(fieldError.invalid(at, printedIntOrString(maxUnavailable), 'cannot be 0'));
  return [...errors, ...validateAtMostAll(at, maxUnavailable)];
}

function validateUpdateStrategy(strategy: Spec['updateStrategy']): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy';
  if (type === undefined || type === '') return [fieldError.required(path)];
  if (type === 'RollingUpdate') return validateRollingUpdate(`${path}.rollingUpdate`, rollingUpdate ?? {});
  if (type !== 'OnDelete') {
    const value = printed(printGoSyntax(appsV1.struct('StatefulSetUpdateStrategy'), strategy));
    return [fieldError.invalid(path, value, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (rollingUpdate === undefined) return [];
  const why = "only allowed for updateStrategy 'RollingUpdate'";
  return [fieldError.invalid(`${path}.rollingUpdate`, printedRollingUpdate(rollingUpdate), why)];
}

function validateRetention(policy: Spec['persistentVolumeClaimRetentionPolicy']): FieldError[] {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((when) => {
    const value = policy[when] ?? '';
    if (RETENTIONS.includes(value)) return [];
    return [fieldError.notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, value, RETENTIONS)];
  });
}

/** Returns the validation errors of a stateful set. As in upstream, only the metadata of the template is checked. */
export function validateStatefulSet({ spec }: StatefulSet, { host }: { readonly host: PodRules }): FieldError[] {
  const { podManagementPolicy = '', selector, template } = spec;
  const path = 'spec.template';
  const compiled = compileSelector(selector);
  const errors: FieldError[] = [];
  if (podManagementPolicy === '') errors.push(fieldError.required('spec.podManagementPolicy'));
  else if (!ORDERS.includes(podManagementPolicy))
    errors.push(
      fieldError.invalid('spec.podManagementPolicy', podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"),
    );
  errors.push(
    ...validateUpdateStrategy(spec.updateStrategy),
    ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...validateCounts('spec', spec, ['replicas', 'minReadySeconds']),
    ...notNegative('spec.ordinals.start', spec.ordinals?.start),
    ...validateRequiredSelector(selector, 'statefulset'),
  );
  if (compiled === undefined) errors.push(fieldError.invalid('spec.selector', printedSelector(selector), ''));
  else
    errors.push(
      ...validateSelected(compiled, template.metadata.labels, `${path}.metadata.labels`),
      ...validateLabels(template.metadata.labels, `${path}.labels`),
      ...validateAnnotations(template.metadata.annotations, `${path}.annotations`),
      ...validatePodAnnotations(`${path}.annotations`, template.metadata.annotations, template.spec, host),
    );
  return [...errors, ...validateAlwaysRestarted(template, path, 'StatefulSet')];
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;
const FIXED_TEXT =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const fixedPart = (spec: Spec): object =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !(CHANGEABLE as readonly string[]).includes(name)));

/** Returns the validation errors of a stateful set update. */
export function validateStatefulSetUpdate(next: StatefulSet, old: StatefulSet, context: StrategyContext): FieldError[] {
  const errors = validateStatefulSet(next, { host: rulesAfter(context.host, old.spec.template) });
  if (!equalJson(fixedPart(next.spec), fixedPart(old.spec))) errors.push(fieldError.forbidden('spec', FIXED_TEXT));
  return errors;
}

/** Returns the validation errors of a status update. */
export function validateStatefulSetStatus({ status }: StatefulSet, { status: old }: StatefulSet): FieldError[] {
  const ofReplicas = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return [
    ...validateCounts('status', status, [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ]),
    ...validateAtMost(status, ofReplicas, status.replicas, 'status.replicas'),
    ...validateAtMost(status, ['availableReplicas'], status.readyReplicas, 'status.readyReplicas'),
    METADATA_CHECK,
    ...validateCollisions(status.collisionCount, old.collisionCount),
  ];
}

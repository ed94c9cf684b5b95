import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { validateAtMost, validateCollisions, validateCounts } from '../shared/counts.js';
import {
  intOrPercentValue,
  printedIntOrString,
  validateAtMostAll,
  validateIntOrPercent,
} from '../shared/int-or-percent.js';
import { notNegative } from '../shared/value-rules.js';
import { appsV1 } from './apps-v1.js';
import type { Deployment, DeploymentStrategy } from './apps-v1.types.js';
import { validateReplicatedPods, validateSameSelector } from './replicated-pods.js';

/**
 * The annotation with the revision to roll back to. Upstream keeps the revision in a field of an older version, which clients see only as
 * this annotation.
 */
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

function validateRollback({ annotations }: Deployment['metadata']): FieldError[] {
  const revision = annotations?.[ROLLBACK_TO];
  // As in upstream, the error has the path `spec.rollback.version` instead of that of the annotation.
  return revision === undefined ? [] : notNegative('spec.rollback.version', Number(revision));
}

/** Returns the validation errors of a deployment. */
export function validateDeployment(
  { metadata, spec }: Deployment,
  { host }: { readonly host: PodRules },
): FieldError[] {
  const { progressDeadlineSeconds, minReadySeconds = 0 } = spec;
  const errors = [
    ...validateCounts('spec', spec, ['replicas']),
    ...validateReplicatedPods(spec, host),
    ...validateStrategy(spec.strategy),
    ...validateCounts('spec', spec, ['minReadySeconds', 'revisionHistoryLimit']),
    ...validateRollback(metadata),
    ...validateCounts('spec', spec, ['progressDeadlineSeconds']),
  ];
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds)
    errors.push(
      fieldError.invalid(
        'spec.progressDeadlineSeconds',
        progressDeadlineSeconds,
        'must be greater than minReadySeconds',
      ),
    );
  return errors;
}

/** Returns the validation errors of a deployment update. */
export const validateDeploymentUpdate = (next: Deployment, old: Deployment, context: StrategyContext): FieldError[] => [
  ...validateDeployment(next, { host: rulesAfter(context.host, old.spec.template) }),
  ...validateSameSelector(next.spec.selector, old.spec.selector),
];

const PATH = 'spec.strategy';

const printedStrategy = (strategy: DeploymentStrategy): Printed =>
  printed(printGoSyntax(appsV1.struct('DeploymentStrategy'), strategy));

function validateStrategy(strategy: DeploymentStrategy): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate')
    return rollingUpdate
      ? [fieldError.forbidden(`${PATH}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== 'RollingUpdate')
    return [fieldError.notSupported(PATH, printedStrategy(strategy), ['Recreate', 'RollingUpdate'])];
  const path = `${PATH}.rollingUpdate`;
  if (!rollingUpdate) return [fieldError.required(path, 'this should be defaulted and never be nil')];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...validateIntOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${path}.maxSurge`, maxSurge),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0)
    errors.push(
      fieldError.invalid(
        `${path}.maxUnavailable`,
        printedIntOrString(maxUnavailable ?? 0),
        'may not be 0 when `maxSurge` is 0',
      ),
    );
  return [...errors, ...validateAtMostAll(`${path}.maxUnavailable`, maxUnavailable)];
}

/** Returns the validation errors of a status update. */
export function validateDeploymentStatus({ status }: Deployment, { status: old }: Deployment): FieldError[] {
  return [
    ...validateCounts('status', status, [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
    ]),
    ...validateAtMost(
      status,
      ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
      status.replicas,
      'status.replicas',
    ),
    ...validateAtMost(status, ['availableReplicas'], status.readyReplicas, 'readyReplicas'),
    ...validateCollisions(status.collisionCount, old.collisionCount),
  ];
}

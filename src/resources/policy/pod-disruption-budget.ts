import { type Dialect, domainName } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateConditions } from '../shared/condition-rules.js';
import { validateCounts } from '../shared/counts.js';
import { validateAtMostAll, validateIntOrPercent } from '../shared/int-or-percent.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { policyV1 } from './policy-v1.js';
import type { PodDisruptionBudget } from './policy-v1.types.js';

const UNHEALTHY_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

/**
 * Drops the requirement on the label with which older versions marked a selector for all pods or for none. The requirement is kept if it is
 * the only one of the selector.
 */
function dropOldLabel({ spec }: Draft<PodDisruptionBudget>, dialect: Dialect): void {
  const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
  const label = `pdb.${domainName(dialect, 'deprecated-v1beta1-empty-selector-match')}`;
  const others = matchExpressions.filter(({ key }) => key !== label);
  const hasOnlyThisRequirement =
    matchExpressions.length === 1 &&
    Object.keys(matchLabels).length === 0 &&
    !matchExpressions[0]?.values?.length &&
    ['Exists', 'DoesNotExist'].includes(matchExpressions[0]?.operator ?? '');
  if (!spec.selector || others.length === matchExpressions.length || hasOnlyThisRequirement) return;
  if (others.length > 0) spec.selector.matchExpressions = others;
  else delete spec.selector.matchExpressions;
}

function validateSpec({ spec }: PodDisruptionBudget, { anyValues = false } = {}): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: unhealthy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const why = 'minAvailable and maxUnavailable cannot be both set';
    errors.push(
      fieldError.invalid('spec', printed(printGoSyntax(policyV1.struct('PodDisruptionBudgetSpec'), spec)), why),
    );
  }
  for (const [path, amount] of [
    ['spec.minAvailable', minAvailable],
    ['spec.maxUnavailable', maxUnavailable],
  ] as const)
    errors.push(...validateIntOrPercent(path, amount), ...validateAtMostAll(path, amount));
  if (selector) errors.push(...validateLabelSelector(selector, 'spec.selector', { anyValues }));
  if (unhealthy !== undefined && !UNHEALTHY_POLICIES.includes(unhealthy))
    errors.push(fieldError.notSupported('spec.unhealthyPodEvictionPolicy', unhealthy, UNHEALTHY_POLICIES));
  return errors;
}

/** Validates an update. If the stored selector is invalid, invalid label values are accepted. */
function validateUpdate(next: PodDisruptionBudget, { spec: { selector } }: PodDisruptionBudget): FieldError[] {
  const anyValues = selector !== undefined && validateLabelSelector(selector, 'spec.selector').length > 0;
  return validateSpec(next, { anyValues });
}

const validateStatus = ({ status }: PodDisruptionBudget): FieldError[] => [
  ...validateConditions(status.conditions ?? []),
  ...validateCounts('status', status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']),
];

const amountCell = (amount: number | string | undefined) => (amount === undefined ? 'N/A' : String(amount));

/** policy/v1 PodDisruptionBudget: how many pods of a set may be evicted at the same time. */
export const podDisruptionBudget = defineResource({
  groupStem: 'policy',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: false,
  tracksGeneration: true,
  genericMetadata: true,
  metadataChecks: [],
  checksMetadataLast: true,
  schema: policyV1.struct('PodDisruptionBudget'),
  setDefaults: dropOldLabel,
  resetFields: ['status'],
  nameRule: nameIsPathSegment,
  strategy: {
    prepareForCreate(draft) {
      draft.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    },
    prepareForUpdate: keepStatus,
    validate: (object) => validateSpec(object),
    validateUpdate,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      metadataChecks: [],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Min Available',
      type: 'string',
      description: 'Pods that must remain available.',
      cell: ({ spec }) => amountCell(spec.minAvailable),
    },
    {
      name: 'Max Unavailable',
      type: 'string',
      description: 'Pods that may be unavailable.',
      cell: ({ spec }) => amountCell(spec.maxUnavailable),
    },
    {
      name: 'Allowed Disruptions',
      type: 'integer',
      description: 'The number of pods that may be evicted now.',
      cell: ({ status }) => status.disruptionsAllowed,
    },
    age,
  ],
});

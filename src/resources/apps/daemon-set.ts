import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { compileSelector, validateLabelSelector } from '../../selectors/label-selector-object.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults, validateAlwaysRestarted, validatePodTemplate } from '../core/pod/pod-template-spec.js';
import { podTemplateWarnings } from '../core/pod/pod-warnings.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateCollisions, validateCounts } from '../shared/counts.js';
import {
  intOrPercentValue,
  printedIntOrString,
  validateAtMostAll,
  validateIntOrPercent,
} from '../shared/int-or-percent.js';
import { containerColumns, labelsCell, selectorCell } from '../shared/pod-columns.js';
import { isEmptySelector, printedSelector, validateSelected } from '../shared/selected-pods.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { annotatedNumber } from './annotated-number.js';
import { appsV1 } from './apps-v1.js';
import type { DaemonSet } from './apps-v1.types.js';
import { validateSameSelector } from './replicated-pods.js';

export type { DaemonSet } from './apps-v1.types.js';

/**
 * The annotation with the number of template changes. Upstream keeps the number in an internal field, which clients see only as this
 * annotation.
 */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, value: bigint | number): void {
  const text = String(value);
  if (metadata.annotations?.[TEMPLATE_GENERATION] !== text)
    metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: text };
}

const templateGeneration = ({ metadata }: { readonly metadata: { readonly annotations?: Record<string, string> } }) =>
  Number(metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);

function setDefaults(draft: Draft<DaemonSet>, dialect: Dialect): void {
  const generation = annotatedNumber(draft.metadata.annotations?.[TEMPLATE_GENERATION] ?? '0');
  const { spec } = draft;
  const strategy = spec.updateStrategy;
  strategy.type ??= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  } else if (strategy.rollingUpdate) {
    // Upstream stores `rollingUpdate` by value, so absent numbers become 0.
    strategy.rollingUpdate.maxUnavailable ??= 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateDefaults(spec.template, dialect);
  setTemplateGeneration(draft, generation);
}

function validate({ spec }: DaemonSet, { host }: { readonly host: PodRules }): FieldError[] {
  const { selector, template } = spec;
  const path = 'spec.template';
  const compiled = compileSelector(selector);
  const errors = selector === undefined ? [] : validateLabelSelector(selector, 'spec.selector');
  if (compiled) errors.push(...validateSelected(compiled, template.metadata.labels, `${path}.metadata.labels`));
  if (selector && isEmptySelector(selector))
    errors.push(
      fieldError.invalid('spec.selector', printedSelector(selector), 'empty selector is invalid for daemonset'),
    );
  return [
    ...errors,
    ...validatePodTemplate(template, path, host),
    ...validateAlwaysRestarted(template, path, 'DaemonSet'),
    ...validateCounts('spec', spec, ['minReadySeconds']),
    ...validateUpdateStrategy(spec.updateStrategy),
    ...validateCounts('spec', spec, ['revisionHistoryLimit']),
  ];
}

function validateUpdateStrategy(strategy: DaemonSet['spec']['updateStrategy']): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const path = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const value = printed(printGoSyntax(appsV1.struct('DaemonSetUpdateStrategy'), strategy));
    return [fieldError.notSupported('spec.updateStrategy', value, ['RollingUpdate', 'OnDelete'])];
  }
  if (!rollingUpdate) return [fieldError.required(path)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...validateIntOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${path}.maxSurge`, maxSurge),
    ...validateAtMostAll(`${path}.maxUnavailable`, maxUnavailable),
    ...validateAtMostAll(`${path}.maxSurge`, maxSurge),
  ];
  const some = intOrPercentValue(maxUnavailable) !== 0;
  const surge = intOrPercentValue(maxSurge) !== 0;
  if (some && surge) {
    const why = 'may not be set when maxUnavailable is non-zero';
    errors.push(fieldError.invalid(`${path}.maxSurge`, printedIntOrString(maxSurge ?? 0), why));
  } else if (!some && !surge)
    errors.push(fieldError.required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

const validateStatus = ({ status }: DaemonSet, { status: old }: DaemonSet): FieldError[] => [
  ...validateCounts('status', status, [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ]),
  ...validateCollisions(status.collisionCount, old.collisionCount),
];

const NO_STATUS = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };

/** apps/v1 DaemonSet: one pod on every matching node. */
export const daemonSet = defineResource({
  groupStem: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: appsV1.struct('DaemonSet'),
  setDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfTemplate(),
  strategy: {
    prepareForCreate(draft) {
      Object.assign(draft, { status: { ...NO_STATUS } });
      setTemplateGeneration(draft, Math.max(1, templateGeneration(draft)));
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
      const changed = !equalJson(draft.spec.template, old.spec.template);
      setTemplateGeneration(draft, templateGeneration(old) + (changed ? 1 : 0));
    },
    validate,
    // Upstream reports the validation errors of an update twice.
    validateUpdate(next, old, context) {
      const errors = validate(next, { host: rulesAfter(context.host, old.spec.template) });
      return [...errors, METADATA_CHECK, ...errors, ...validateSameSelector(next.spec.selector, old.spec.selector)];
    },
    warnings: (object, old, { host: { dialect } }) =>
      old && templateGeneration(object) === templateGeneration(old)
        ? []
        : podTemplateWarnings(object.spec.template, 'spec.template', dialect),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate(draft, old) {
          keepSpec(draft, old);
          setTemplateGeneration(draft, templateGeneration(old));
        },
        validateUpdate: validateStatus,
      },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Desired',
      type: 'integer',
      description: 'The nodes that should run the pod.',
      cell: ({ status }) => status.desiredNumberScheduled,
    },
    {
      name: 'Current',
      type: 'integer',
      description: 'The nodes that run the pod and should.',
      cell: ({ status }) => status.currentNumberScheduled,
    },
    {
      name: 'Ready',
      type: 'integer',
      description: 'The nodes where the pod is ready.',
      cell: ({ status }) => status.numberReady,
    },
    {
      name: 'Up-to-date',
      type: 'integer',
      description: 'The nodes with the updated pod.',
      cell: ({ status }) => status.updatedNumberScheduled ?? 0,
    },
    {
      name: 'Available',
      type: 'integer',
      description: 'The nodes where the pod is available.',
      cell: ({ status }) => status.numberAvailable ?? 0,
    },
    {
      name: 'Node Selector',
      type: 'string',
      description: 'Labels that the nodes must have.',
      cell: ({ spec }) => labelsCell(spec.template.spec.nodeSelector),
    },
    age,
    ...containerColumns<DaemonSet>(({ spec }) => spec.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Selects the pods.',
      priority: 1,
      cell: ({ spec }) => selectorCell(spec.selector),
    },
  ],
});

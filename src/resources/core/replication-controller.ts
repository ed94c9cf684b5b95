import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { sortTexts } from '../../values/sorted.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateCounts } from '../shared/counts.js';
import { containerColumns, labelsCell, replicaColumns, selectorText } from '../shared/pod-columns.js';
import { scaleSubresource } from '../shared/scale.js';
import { printedLabels } from '../shared/selected-pods.js';
import { keepSpec, keepStatus, podNameWarnings, validateReplicaStatus } from '../shared/workload.js';
import { coreV1 } from './core-v1.js';
import type { ReplicationController } from './core-v1.types.js';
import { gatedOfTemplate } from './pod/disabled-fields.js';
import { setPodTemplateDefaults, validateAlwaysRestarted, validatePodTemplate } from './pod/pod-template-spec.js';
import { changedTemplateWarnings } from './pod/pod-warnings.js';
import { type PodRules, rulesAfter } from './pod/validation/pod-rules.js';

function setDefaults({ metadata, spec: draft }: Draft<ReplicationController>, dialect: Dialect): void {
  const labels = draft.template?.metadata.labels;
  if (labels !== undefined) {
    if (Object.keys(draft.selector ?? {}).length === 0) draft.selector = { ...labels };
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  }
  draft.replicas ??= 1;
  if (draft.template) setPodTemplateDefaults(draft.template, dialect);
}

function validate(
  { spec: controllerSpec }: ReplicationController,
  { host }: { readonly host: PodRules },
): FieldError[] {
  const { selector = {}, template } = controllerSpec;
  const errors = validateCounts('spec', controllerSpec, ['minReadySeconds']);
  if (Object.keys(selector).length === 0) errors.push(fieldError.required('spec.selector'));
  errors.push(...validateCounts('spec', controllerSpec, ['replicas']));
  const path = 'spec.template';
  if (template === undefined) return [...errors, fieldError.required(path)];
  const { labels } = template.metadata;
  const matches = Object.entries(selector).every(([key, value]) => labels?.[key] === value);
  if (!matches)
    errors.push(
      fieldError.invalid(
        `${path}.metadata.labels`,
        printedLabels(labels),
        '`selector` does not match template `labels`',
      ),
    );
  return [
    ...errors,
    ...validatePodTemplate(template, path, host),
    ...validateAlwaysRestarted(template, path, 'ReplicationController'),
  ];
}

/**
 * Validates an update of an object whose annotations `non-convertible.kubernetes.io/…` name the fields that were lost when it was converted
 * from a ReplicaSet.
 */
function validateConvertible(
  { spec }: ReplicationController,
  { metadata, spec: oldSpec }: ReplicationController,
  dialect: Dialect,
): FieldError[] {
  const { annotations = {} } = metadata;
  const prefix = `non-convertible.${dialect.labelDomain}`;
  return sortTexts(Object.keys(annotations)).flatMap((key) => {
    const [, field, ...more] = key.split('/');
    if (!key.startsWith(prefix) || field === undefined || more.length > 0) return [];
    if (!field.includes('selector'))
      return { ...fieldError.notFound(field, annotations[key]), detail: 'unknown non-convertible field' };
    if (equalJson(spec.selector ?? {}, oldSpec.selector ?? {})) return [];
    return fieldError.invalid('spec.selector', printedLabels(spec.selector), 'cannot update non-convertible selector');
  });
}

/** v1 ReplicationController: a number of identical pods. It is the predecessor of ReplicaSet. */
export const replicationController = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  storedUnder: 'controllers',
  shortNames: ['rc'],
  categories: ['all'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  tracksGeneration: true,
  orphansDependents: true,
  schema: coreV1.struct('ReplicationController'),
  setDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfTemplate(),
  strategy: {
    prepareForCreate(draft) {
      Object.assign(draft, { status: { replicas: 0 } });
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
    },
    validate,
    // As in upstream, the validation errors of an update are reported twice.
    validateUpdate(next, old, context) {
      const errors = validate(next, { host: rulesAfter(context.host, old.spec.template) });
      return [...errors, METADATA_CHECK, ...errors, ...validateConvertible(next, old, context.host.dialect)];
    },
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...changedTemplateWarnings(object, old, object.spec.template, dialect),
    ],
  },
  subresources: {
    scale: scaleSubresource<ReplicationController>({
      selector: ({ spec: { selector } }) => selectorText({ matchLabels: selector ?? {} }),
      failedReadGroupStem: 'autoscaling',
    }),
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateReplicaStatus },
    },
  },
  selectableFields: { 'status.replicas': ({ status: observed }) => String(observed.replicas) },
  columns: [
    nameColumn,
    ...replicaColumns,
    age,
    ...containerColumns<ReplicationController>(({ spec: s }) => s.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Labels of the pods.',
      priority: 1,
      cell: ({ spec: s }) => labelsCell(s.selector),
    },
  ],
});

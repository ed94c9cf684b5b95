import type { Dialect } from '../../meta/dialect.js';
import type { FieldError } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { changedTemplateWarnings } from '../core/pod/pod-warnings.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateCounts } from '../shared/counts.js';
import { containerColumns, replicaColumns, selectorCell, selectorText } from '../shared/pod-columns.js';
import { scaleSubresource } from '../shared/scale.js';
import { keepSpec, keepStatus, podNameWarnings, validateReplicaStatus } from '../shared/workload.js';
import { appsV1 } from './apps-v1.js';
import type { ReplicaSet } from './apps-v1.types.js';
import { validateReplicatedPods, validateSameSelector } from './replicated-pods.js';

function setDefaults({ spec: draft }: Draft<ReplicaSet>, dialect: Dialect): void {
  draft.replicas ??= 1;
  setPodTemplateDefaults(draft.template, dialect);
}

const validate = ({ spec: replicaSetSpec }: ReplicaSet, { host }: { readonly host: PodRules }): FieldError[] => [
  ...validateCounts('spec', replicaSetSpec, ['replicas', 'minReadySeconds']),
  ...validateReplicatedPods(replicaSetSpec, host),
];

/** apps/v1 ReplicaSet: a number of identical pods. */
export const replicaSet = defineResource({
  groupStem: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: appsV1.struct('ReplicaSet'),
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
      const host = rulesAfter(context.host, old.spec.template);
      const errors = validate(next, { host });
      return [...errors, METADATA_CHECK, ...errors, ...validateSameSelector(next.spec.selector, old.spec.selector)];
    },
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...changedTemplateWarnings(object, old, object.spec.template, dialect),
    ],
  },
  subresources: {
    scale: scaleSubresource<ReplicaSet>({
      selector: ({ spec }) => selectorText(spec.selector),
      failedReadGroupStem: 'apps',
    }),
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateReplicaStatus },
    },
  },
  columns: [
    nameColumn,
    ...replicaColumns,
    age,
    ...containerColumns<ReplicaSet>(({ spec: s }) => s.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Selects the pods.',
      priority: 1,
      cell: ({ spec: s }) => selectorCell(s.selector),
    },
  ],
});

import type { Dialect } from '../../meta/dialect.js';
import type { FieldError } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { Draft } from '../../registry/strategy.js';
import { always, listMap, type OutputOf, omitEmpty, omitNull, required, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { podTemplateSpec, setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { changedTemplateWarnings } from '../core/pod/pod-warnings.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { age, nameColumn } from '../fragments/columns.js';
import { count, long } from '../fragments/core-struct.js';
import { validateCounts } from '../fragments/counts.js';
import { labelSelector } from '../fragments/label-selector.js';
import { containerColumns, selectorCell, selectorText } from '../fragments/pod-columns.js';
import { scaleSubresource } from '../fragments/scale.js';
import {
  byType,
  keepSpec,
  keepStatus,
  podNameWarnings,
  validateReplicaStatus,
  workloadCondition,
} from '../fragments/workload.js';
import { validateReplicatedPods, validateSameSelector } from './replicated-pods.js';

const spec = struct('io.k8s.api.apps.v1.ReplicaSetSpec', 'The desired pods.', () => ({
  replicas: omitNull(count, 1, 'The number of pods.'),
  minReadySeconds: omitEmpty(count, 4, 'Seconds that a pod must be ready for to count as available.'),
  selector: omitNull(labelSelector, 2, 'Picks the pods; must match the labels of the template.', { required: true }),
  template: always(podTemplateSpec, 3, 'The pods to make.'),
}));

const condition = workloadCondition('io.k8s.api.apps.v1.ReplicaSetCondition');

const status = struct('io.k8s.api.apps.v1.ReplicaSetStatus', 'The observed pods.', () => ({
  replicas: required(count, 1, 'The number of pods.'),
  fullyLabeledReplicas: omitEmpty(count, 2, 'Pods with the labels of the template.'),
  readyReplicas: omitEmpty(count, 4, 'Pods that are ready.'),
  availableReplicas: omitEmpty(count, 5, 'Pods that have been ready for long enough.'),
  observedGeneration: omitEmpty(long, 3, 'The generation that was last looked at.'),
  conditions: omitEmpty(listMap(condition, ['type']), 6, 'The conditions.', byType),
}));

const schema = topLevel('io.k8s.api.apps.v1.ReplicaSet', 'A number of equal pods.', () => ({
  spec: always(spec, 2, 'The desired pods.'),
  status: always(status, 3, 'The observed pods.'),
}));
export type ReplicaSet = OutputOf<typeof schema>;

function setDefaults({ spec: draft }: Draft<ReplicaSet>, dialect: Dialect): void {
  draft.replicas ??= 1;
  setPodTemplateDefaults(draft.template, dialect);
}

const validate = ({ spec: wanted }: ReplicaSet, { host }: { readonly host: PodRules }): FieldError[] => [
  ...validateCounts('spec', wanted, ['replicas', 'minReadySeconds']),
  ...validateReplicatedPods(wanted, host),
];

export const replicaSetRules = defineRules({
  schema,
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
    // The wire reports the errors of a changed one twice.
    validateUpdate(next, old, context) {
      const host = rulesAfter(context.host, old.spec.template);
      const errors = validate(next, { host });
      return [...errors, ...errors, ...validateSameSelector(next.spec.selector, old.spec.selector)];
    },
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...changedTemplateWarnings(object, old, object.spec.template, dialect),
    ],
  },
  subresources: {
    scale: scaleSubresource<ReplicaSet>({ selector: ({ spec }) => selectorText(spec.selector) }),
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateReplicaStatus },
    },
  },
  columns: [
    nameColumn,
    { name: 'Desired', type: 'integer', description: 'The pods wanted.', cell: ({ spec: s }) => s.replicas ?? 0 },
    { name: 'Current', type: 'integer', description: 'The pods there.', cell: ({ status: s }) => s.replicas },
    {
      name: 'Ready',
      type: 'integer',
      description: 'The pods that are ready.',
      cell: ({ status: s }) => s.readyReplicas ?? 0,
    },
    age,
    ...containerColumns<ReplicaSet>(({ spec: s }) => s.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Picks the pods.',
      priority: 1,
      cell: ({ spec: s }) => selectorCell(s.selector),
    },
  ],
});

import type { Dialect } from '../../meta/dialect.js';
import { nameIsDns1123Label } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft, StrategyContext } from '../../registry/strategy.js';
import { claimSizeWarnings } from '../core/persistent-volume-claim/persistent-volume-claim-validation.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { changedTemplateWarnings } from '../core/pod/pod-warnings.js';
import { age, nameColumn } from '../shared/columns.js';
import { containerColumns, selectorText } from '../shared/pod-columns.js';
import { roundAmounts } from '../shared/resource-rules.js';
import { scaleSubresource } from '../shared/scale.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { appsV1 } from './apps-v1.js';
import type { StatefulSet } from './apps-v1.types.js';
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from './stateful-set-validation.js';

export type { StatefulSet } from './apps-v1.types.js';

function setDefaults({ spec }: Draft<StatefulSet>, dialect: Dialect): void {
  spec.podManagementPolicy ??= 'OrderedReady';
  const strategy = spec.updateStrategy;
  if (strategy.type === undefined) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateDefaults(spec.template, dialect);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    if (claim.kind !== 'PersistentVolumeClaim') claim.kind = 'PersistentVolumeClaim';
    if (claim.apiVersion !== 'v1') claim.apiVersion = 'v1';
    claim.spec.volumeMode ??= 'Filesystem';
    roundAmounts(claim.spec.resources?.limits);
    roundAmounts(claim.spec.resources?.requests);
    claim.status.phase ??= 'Pending';
  }
}

/** Sets the default of maxUnavailable to 1 if the feature gate MaxUnavailableStatefulSet is on. */
function completeStrategy(
  { spec: { updateStrategy } }: Draft<StatefulSet>,
  { host: { gates } }: StrategyContext,
): void {
  if (gates.MaxUnavailableStatefulSet && updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate)
    updateStrategy.rollingUpdate.maxUnavailable ??= 1;
}

function warnings(object: StatefulSet, old: StatefulSet | undefined, { host }: StrategyContext): readonly string[] {
  const { template, volumeClaimTemplates = [] } = object.spec;
  // As in upstream, paths in warnings about an update have `.Spec` after the index, but paths in warnings about a new object do not.
  const inside = old ? '.Spec' : '';
  return [
    ...changedTemplateWarnings(object, old, template, host.dialect),
    ...volumeClaimTemplates.flatMap(({ spec }, i) =>
      claimSizeWarnings(spec, `spec.volumeClaimTemplates[${i}]${inside}`),
    ),
  ];
}

/** apps/v1 StatefulSet: pods that keep their names and their storage. */
export const statefulSet = defineResource({
  groupStem: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  metadataChecks: ['changes'],
  shortNames: ['sts'],
  categories: ['all'],
  scope: 'Namespaced',
  tracksGeneration: true,
  nameRule: nameIsDns1123Label,
  schema: appsV1.struct('StatefulSet'),
  setDefaults,
  resetFields: ['status'],
  gatedFields: [
    ...gatedOfTemplate(),
    { gate: 'StatefulSetAutoDeletePVC', fields: ['spec.persistentVolumeClaimRetentionPolicy'] },
    { gate: 'MaxUnavailableStatefulSet', fields: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] },
  ],
  strategy: {
    prepareForCreate(draft, context) {
      Object.assign(draft, { status: { replicas: 0, availableReplicas: 0 } });
      completeStrategy(draft, context);
    },
    prepareForUpdate(draft, old, context) {
      keepStatus(draft, old);
      completeStrategy(draft, context);
    },
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    warnings,
  },
  subresources: {
    scale: scaleSubresource<StatefulSet>({ selector: ({ spec }) => selectorText(spec.selector) }),
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateStatefulSetStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      description: 'The number of ready pods and of desired pods.',
      cell: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    },
    age,
    ...containerColumns<StatefulSet>(({ spec }) => spec.template),
  ],
});

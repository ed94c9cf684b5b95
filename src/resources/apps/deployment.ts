import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { changedTemplateWarnings } from '../core/pod/pod-warnings.js';
import { age, nameColumn } from '../shared/columns.js';
import { containerColumns, selectorCell, selectorText } from '../shared/pod-columns.js';
import { scaleSubresource } from '../shared/scale.js';
import { keepSpec, keepStatus, podNameWarnings } from '../shared/workload.js';
import { annotatedNumber } from './annotated-number.js';
import { appsV1 } from './apps-v1.js';
import type { Deployment } from './apps-v1.types.js';
import {
  ROLLBACK_TO,
  validateDeployment,
  validateDeploymentStatus,
  validateDeploymentUpdate,
} from './deployment-validation.js';

export type { Deployment } from './apps-v1.types.js';

function setRollback(metadata: Draft<Deployment>['metadata']): void {
  const { annotations } = metadata;
  const revision = annotations?.[ROLLBACK_TO];
  if (annotations === undefined || revision === undefined) return;
  if (revision === '') {
    delete annotations[ROLLBACK_TO];
    if (Object.keys(annotations).length === 0) delete metadata.annotations;
    return;
  }
  const about = `failed to parse annotation[${ROLLBACK_TO}]=${revision} as int64: `;
  annotations[ROLLBACK_TO] = String(annotatedNumber(revision, about));
}

function setDefaults({ metadata, spec }: Draft<Deployment>, dialect: Dialect): void {
  setRollback(metadata);
  spec.replicas ??= 1;
  spec.strategy.type ??= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
    spec.strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setPodTemplateDefaults(spec.template, dialect);
}

/** apps/v1 Deployment: pods that are replaced step by step when their template changes. */
export const deployment = defineResource({
  groupStem: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  metadataChecks: ['changes'],
  shortNames: ['deploy'],
  categories: ['all'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: appsV1.struct('Deployment'),
  setDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfTemplate(),
  strategy: {
    prepareForCreate(draft) {
      Object.assign(draft, { status: {} });
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
      // A change of annotations also increases the generation, because they may contain the revision to roll back to.
      if (!equalJson(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {}))
        draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: validateDeployment,
    validateUpdate: validateDeploymentUpdate,
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...changedTemplateWarnings(object, old, object.spec.template, dialect),
    ],
  },
  subresources: {
    scale: scaleSubresource<Deployment>({
      selector: ({ spec }) => selectorText(spec.selector),
      failedReadGroupStem: 'apps',
    }),
    status: {
      resetFields: ['spec', 'metadata.labels'],
      strategy: {
        prepareForUpdate(draft, old) {
          keepSpec(draft, old);
          Object.assign(draft.metadata, { labels: old.metadata.labels });
        },
        validateUpdate: validateDeploymentStatus,
      },
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
    {
      name: 'Up-to-date',
      type: 'string',
      description: 'The pods of the current template.',
      cell: ({ status }) => status.updatedReplicas ?? 0,
    },
    {
      name: 'Available',
      type: 'string',
      description: 'The pods that are available.',
      cell: ({ status }) => status.availableReplicas ?? 0,
    },
    age,
    ...containerColumns<Deployment>(({ spec }) => spec.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Selects the pods.',
      priority: 1,
      cell: ({ spec }) => selectorCell(spec.selector),
    },
  ],
});

import { equalJson } from '../../json/equal.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { Draft } from '../../registry/strategy.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { changedTemplateWarnings } from '../core/pod/pod-warnings.js';
import { age, nameColumn } from '../fragments/columns.js';
import { containerColumns, selectorCell, selectorText } from '../fragments/pod-columns.js';
import { scaleSubresource } from '../fragments/scale.js';
import { keepSpec, keepStatus, podNameWarnings } from '../fragments/workload.js';
import { type Deployment, deploymentSchema } from './deployment-schema.js';
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from './deployment-validation.js';

export type { Deployment } from './deployment-schema.js';

function setDefaults({ spec }: Draft<Deployment>): void {
  spec.replicas ??= 1;
  spec.strategy.type ??= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
    spec.strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setPodTemplateDefaults(spec.template);
}

export const deploymentRules = defineRules({
  schema: deploymentSchema,
  setDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfTemplate(),
  strategy: {
    prepareForCreate(draft) {
      Object.assign(draft, { status: {} });
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
      // Annotations count, too: they hold what is to be rolled back to.
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
    scale: scaleSubresource<Deployment>({ selector: ({ spec }) => selectorText(spec.selector) }),
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
      description: 'The pods that are ready, of those wanted.',
      cell: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    },
    {
      name: 'Up-to-date',
      type: 'string',
      description: 'The pods made after the present template.',
      cell: ({ status }) => status.updatedReplicas ?? 0,
    },
    {
      name: 'Available',
      type: 'string',
      description: 'The pods that have been ready for long enough.',
      cell: ({ status }) => status.availableReplicas ?? 0,
    },
    age,
    ...containerColumns<Deployment>(({ spec }) => spec.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Picks the pods.',
      priority: 1,
      cell: ({ spec }) => selectorCell(spec.selector),
    },
  ],
});

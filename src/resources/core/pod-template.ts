import { defineResource } from '../../registry/resource-definition.js';
import { nameColumn } from '../shared/columns.js';
import { containerColumns, labelsCell } from '../shared/pod-columns.js';
import { coreV1 } from './core-v1.js';
import type { PodTemplate } from './core-v1.types.js';
import { gatedOfTemplate } from './pod/disabled-fields.js';
import { setPodTemplateDefaults, validatePodTemplate } from './pod/pod-template-spec.js';
import { changedTemplateWarnings } from './pod/pod-warnings.js';
import { rulesAfter } from './pod/validation/pod-rules.js';

/** v1 PodTemplate: a template for pods. */
export const podTemplate = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  metadataChecks: ['changes'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  tracksGeneration: true,
  schema: coreV1.struct('PodTemplate'),
  setDefaults: ({ template }, dialect) => setPodTemplateDefaults(template, dialect),
  gatedFields: gatedOfTemplate('template'),
  strategy: {
    validate: ({ template }, { host }) => validatePodTemplate(template, 'template', host),
    validateUpdate: ({ template }, old, { host }) =>
      validatePodTemplate(template, 'template', rulesAfter(host, old.template)),
    warnings: (object, old, { host: { dialect } }) =>
      changedTemplateWarnings(object, old, object.template, dialect, 'template'),
  },
  columns: [
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template, 0),
    {
      name: 'Pod Labels',
      type: 'string',
      description: 'Labels of the pods.',
      cell: ({ template }) => labelsCell(template.metadata.labels),
    },
  ],
});

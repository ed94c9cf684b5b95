import { defineRules } from '../../registry/built-in-kind.js';
import { always, type OutputOf } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { nameColumn } from '../fragments/columns.js';
import { containerColumns, labelsCell } from '../fragments/pod-columns.js';
import { gatedOfTemplate } from './pod/disabled-fields.js';
import { podTemplateSpec, setPodTemplateDefaults, validatePodTemplate } from './pod/pod-template-spec.js';
import { changedTemplateWarnings } from './pod/pod-warnings.js';
import { rulesAfter } from './pod/validation/pod-rules.js';

const schema = topLevel('io.k8s.api.core.v1.PodTemplate', 'A template of pods.', () => ({
  template: always(podTemplateSpec, 2, 'The pods to make.'),
}));
export type PodTemplate = OutputOf<typeof schema>;

export const podTemplateRules = defineRules({
  schema,
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

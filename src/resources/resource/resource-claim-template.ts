import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK, validateTemplateMeta } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../shared/columns.js';
import { setClaimDefaults, validateClaimSpec } from './resource-claim.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { ResourceClaimTemplate } from './resource-v1alpha3.types.js';

async function validate({ spec: { metadata, spec } }: ResourceClaimTemplate, dialect: Dialect): Promise<FieldError[]> {
  return [...validateTemplateMeta(metadata, 'spec.metadata'), ...(await validateClaimSpec(spec, 'spec.spec', dialect))];
}

/** resource/v1alpha3 ResourceClaimTemplate: a template for the claims of pods. */
export const resourceClaimTemplate = defineResource({
  groupStem: 'resource',
  version: 'v1alpha3',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: resourceV1alpha3.struct('ResourceClaimTemplate'),
  setDefaults: ({ spec }) => setClaimDefaults(spec.spec),
  gatedFields: [{ gate: 'DRAControlPlaneController', fields: ['spec.spec.controller'], onlyNew: true }],
  strategy: {
    validate: (object, { host }) => validate(object, host.dialect),
    // Upstream reports the errors of the spec twice.
    async validateUpdate(next, { spec: old }, { host }) {
      if (equalJson(next.spec, old)) return [];
      const errors = await validate(next, host.dialect);
      const shown = printed(printGoSyntax(resourceV1alpha3.struct('ResourceClaimTemplateSpec'), next.spec));
      return [...errors, METADATA_CHECK, fieldError.invalid('spec', shown, 'field is immutable'), ...errors];
    },
  },
  columns: [nameColumn, age],
});

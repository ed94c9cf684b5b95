import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { validateAnnotations, validateLabels } from '../../meta/object-meta-validation.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { always, required } from '../../schema/authoring.js';
import { objectMeta } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../fragments/columns.js';
import { resourceClaimSpec, resourceStruct } from './device-schema.js';
import { setClaimDefaults, validateClaimSpec } from './resource-claim.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { ResourceClaimTemplate } from './resource-v1alpha3.types.js';

const templateSpec = resourceStruct('ResourceClaimTemplateSpec', 'The claims to make.', () => ({
  metadata: always(objectMeta, 1, 'Labels and annotations of the claims.'),
  spec: required(resourceClaimSpec, 2, 'What they want.'),
}));

async function validate({ spec: { metadata, spec } }: ResourceClaimTemplate, dialect: Dialect): Promise<FieldError[]> {
  return [
    ...validateLabels(metadata.labels, 'spec.metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'spec.metadata.annotations'),
    ...(await validateClaimSpec(spec, 'spec.spec', dialect)),
  ];
}

export const resourceClaimTemplateRules = defineRules({
  schema: resourceV1alpha3.struct('ResourceClaimTemplate'),
  setDefaults: ({ spec }) => setClaimDefaults(spec.spec),
  gatedFields: [{ gate: 'DRAControlPlaneController', fields: ['spec.spec.controller'], onlyNew: true }],
  strategy: {
    validate: (object, { host }) => validate(object, host.dialect),
    validateUpdate: async (next, { spec: old }, { host }) =>
      equalJson(next.spec, old)
        ? []
        : [
            fieldError.invalid('spec', printed(printGoSyntax(templateSpec, next.spec)), 'field is immutable'),
            ...(await validate(next, host.dialect)),
          ],
  },
  columns: [nameColumn, age],
});

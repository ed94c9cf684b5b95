import { defineResource } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import type { ValidatingAdmissionPolicy } from './admissionregistration-v1.types.js';
import { setMatchDefaults } from './match-defaults.js';
import { validatePolicy, validatePolicyStatus } from './validating-admission-policy-validation.js';

export type { ValidatingAdmissionPolicy } from './admissionregistration-v1.types.js';

/** admissionregistration/v1 ValidatingAdmissionPolicy: expressions that requests must satisfy. */
export const validatingAdmissionPolicy = defineResource({
  groupStem: 'admissionregistration',
  version: 'v1',
  knownVersions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  genericMetadata: true,
  metadataChecks: ['whole'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  schema: admissionregistrationV1.struct('ValidatingAdmissionPolicy'),
  setDefaults({ spec }) {
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate: (object, context) => validatePolicy(object, context),
    validateUpdate: (object, old, context) => validatePolicy(object, context, old),
  },
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validatePolicyStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Validations',
      type: 'integer',
      description: 'The number of validations.',
      cell: ({ spec }: ValidatingAdmissionPolicy) => spec.validations?.length ?? 0,
    },
    {
      name: 'ParamKind',
      type: 'string',
      description: 'The kind of its parameters.',
      cell: ({ spec: { paramKind } }: ValidatingAdmissionPolicy) =>
        paramKind ? `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}` : '<unset>',
    },
    age,
  ],
});

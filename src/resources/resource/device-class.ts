import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import type { FieldError } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { validateNodeTerms } from '../core/pod/validation/pod-scheduling-validation.js';
import { age, nameColumn } from '../shared/columns.js';
import { expressionCheck, validateConfigurations, validateSelectors } from './device-validation.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { DeviceClass } from './resource-v1alpha3.types.js';

async function validate({ spec }: DeviceClass, dialect: Dialect, old?: DeviceClass): Promise<FieldError[]> {
  const { selectors, config, suitableNodes } = spec;
  return [
    // Expressions that do not change are not checked again.
    ...(old && equalJson(selectors ?? [], old.spec.selectors ?? [])
      ? []
      : validateSelectors(selectors, 'spec.selectors', await expressionCheck(selectors, dialect))),
    ...validateConfigurations(config, 'spec.config'),
    ...(suitableNodes ? validateNodeTerms('suitableNodes', suitableNodes) : []),
  ];
}

/** resource/v1alpha3 DeviceClass: a class of devices that claims can request. */
export const deviceClass = defineResource({
  groupStem: 'resource',
  version: 'v1alpha3',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  tracksGeneration: true,
  returnsDeletedObject: true,
  schema: resourceV1alpha3.struct('DeviceClass'),
  gatedFields: [{ gate: 'DRAControlPlaneController', fields: ['spec.suitableNodes'] }],
  strategy: {
    validate: (object, { host }) => validate(object, host.dialect),
    // Upstream reports the errors of the spec twice.
    async validateUpdate(next, old, { host }) {
      const errors = await validate(next, host.dialect, old);
      return [...errors, METADATA_CHECK, ...errors];
    },
  },
  columns: [nameColumn, age],
});

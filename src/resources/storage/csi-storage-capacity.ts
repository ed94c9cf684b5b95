import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Subdomain } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { oldLabelText } from '../core/persistent-volume/old-labels.js';
import { notNegativeQuantity } from '../shared/resource-rules.js';
import { printedSelector } from '../shared/selected-pods.js';
import { storageV1 } from './storage-v1.js';
import type { CSIStorageCapacity } from './storage-v1.types.js';

/** storage/v1 CSIStorageCapacity: the free capacity for a storage class in one topology segment. */
export const csiStorageCapacity = defineResource({
  groupStem: 'storage',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: false,
  schema: storageV1.struct('CSIStorageCapacity'),
  strategy: {
    validate: (object) => validateCapacity(object),
    validateUpdate(next, old) {
      const { nodeTopology: before } = old;
      const anyValues = before !== undefined && validateLabelSelector(before, '').length > 0;
      return [...validateCapacity(next, { anyValues }), METADATA_CHECK, ...validateFixedFields(next, old)];
    },
    warnings: ({ nodeTopology: { matchExpressions = [], matchLabels = {} } = {} }, _old, { host }) => {
      const oldLabel = oldLabelText(host.dialect);
      const warnOf = (path: string, key: string) => {
        const text = oldLabel(key);
        return text ? [`nodeTopology.${path}${text}`] : [];
      };
      return [
        ...matchExpressions.flatMap(({ key }, i) => warnOf(`matchExpressions[${i}].key: ${key} is `, key)),
        ...Object.keys(matchLabels).flatMap((key) => warnOf(`matchLabels.${key}: `, key)),
      ];
    },
  },
});

/**
 * Returns the validation errors of an object. With `anyValues`, the topology may contain values that are not valid for labels, because
 * older versions accepted such values.
 */
function validateCapacity(object: CSIStorageCapacity, look = { anyValues: false }): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = object;
  return [
    ...(nodeTopology ? validateLabelSelector(nodeTopology, 'nodeTopology', look) : []),
    ...dns1123Subdomain(storageClassName).map((why) => fieldError.invalid('storageClassName', storageClassName, why)),
    ...(capacity === undefined ? [] : notNegativeQuantity('capacity', capacity)),
  ];
}

function validateFixedFields(next: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const why = 'field is immutable';
  const errors: FieldError[] = [];
  const { nodeTopology, storageClassName } = next;
  if (!equalJson(nodeTopology, old.nodeTopology)) {
    errors.push(fieldError.invalid('nodeTopology', printedSelector(nodeTopology), why));
  }
  if (storageClassName !== old.storageClassName)
    errors.push(fieldError.invalid('storageClassName', storageClassName, why));
  return errors;
}

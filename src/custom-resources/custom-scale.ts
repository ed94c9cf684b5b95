import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Subresource } from '../registry/resource-definition.js';
import type { CrdScale } from '../resources/apiextensions/crd-schema.js';
import { scaleSubresource } from '../resources/fragments/scale.js';
import { scaleNames } from '../resources/fragments/subresource-names.js';
import { fieldAt, stepsOf } from './field-at.js';

/** The subresource `scale` of a custom kind: its numbers are where the definition says. */
export function customScale({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath = '',
}: CrdScale): Subresource<ApiObject> {
  const replicas = stepsOf(specReplicasPath);
  const selector = labelSelectorPath === '' ? undefined : stepsOf(labelSelectorPath);
  const { part } = scaleSubresource<ApiObject>({
    replicas: replicas.join('.'),
    statusReplicas: stepsOf(statusReplicasPath).join('.'),
    selector(object) {
      const text = selector && fieldAt(object, selector);
      return typeof text === 'string' ? text : '';
    },
  });
  return {
    part: {
      ...scaleNames.part,
      ...part,
      read(object) {
        if (fieldAt(object, replicas) === undefined)
          throw apiError.internal(`the spec replicas field "${specReplicasPath}" does not exist`);
        return part.read(object);
      },
      // The object is validated as a whole, its number with it.
      validate: () => [],
    },
  };
}

import { apiError } from '../meta/api-error.js';
import { formatGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Column, Subresource } from '../registry/resource-definition.js';
import type {
  CustomResourceSubresourceScale as CrdScale,
  CustomResourceDefinitionSpec as CrdSpec,
} from '../resources/apiextensions/apiextensions-v1.types.js';
import { scaleSubresource } from '../resources/shared/scale.js';
import { quote } from '../values/quote.js';
import { stepsOf, typedFieldAt } from './field-at.js';

/** The number of replicas that a patch starts from when the object has none. The patch must replace it. */
const NO_NUMBER = -(2 ** 31);

/** Returns the field with the number of replicas for each version that can be scaled, by apiVersion. */
export function scaledFields({ group, versions }: CrdSpec): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const { name: version, subresources } of versions)
    if (subresources?.scale) fields.set(formatGroupVersion({ group, version }), numberField(subresources.scale));
  return fields;
}

const numberField = ({ specReplicasPath }: CrdScale): string => stepsOf(specReplicasPath).join('.');

/**
 * Returns the subresource `scale` of a custom kind, with its numbers at the paths in the definition.
 * @param columns the columns of the kind, because a table of a scale has them, too
 * @param fieldOfVersions the result of {@link scaledFields}
 */
export function customScale(
  scale: CrdScale,
  columns: readonly Column<ApiObject>[],
  fieldOfVersions?: ReadonlyMap<string, string>,
): Subresource<ApiObject> {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const replicas = stepsOf(specReplicasPath);
  const statusReplicas = stepsOf(statusReplicasPath);
  const selector = labelSelectorPath === '' ? undefined : stepsOf(labelSelectorPath);
  const { part } = scaleSubresource<ApiObject>({ replicas: numberField(scale), selector: () => '' });
  const read = (object: ApiObject, without: number) => {
    const specReplicas = valueAt(object, replicas, 'int64') ?? without;
    const currentReplicas = valueAt(object, statusReplicas, 'int64') ?? 0;
    const picked = (selector && valueAt(object, selector, 'string')) ?? '';
    return {
      spec: specReplicas === 0 ? {} : { replicas: specReplicas },
      status: { replicas: currentReplicas, ...(picked === '' ? {} : { selector: picked }) },
    };
  };
  return {
    part: {
      ...part,
      columns,
      ...(fieldOfVersions && { fieldOfVersions }),
      scheme: 'k8s.io/client-go/scale/util.go:131',
      read: (object) => read(object, 0),
      readForChange: (object) => read(object, NO_NUMBER),
      requireShown(object) {
        if (valueAt(object, replicas, 'int64') === undefined)
          throw apiError.internal(`the spec replicas field ${quote(specReplicasPath)} does not exist`);
      },
      // The number is validated with the whole object.
      validate: () => [],
      write(draft, scale) {
        const { spec } = scale as ApiObject & { readonly spec?: { readonly replicas?: number } };
        if (spec?.replicas === NO_NUMBER)
          throw apiError.badRequest(`the spec replicas field ${quote(specReplicasPath)} cannot be empty`);
        part.write(draft, scale);
      },
    },
  };
}

/** Returns the value at a path of fields; undefined when a field is absent. @throws ApiError 500 for a value of another type */
function valueAt<K extends 'int64' | 'string'>(object: object, steps: readonly string[], type: K) {
  const found = typedFieldAt(object, steps, type);
  if (found.problem !== undefined) throw apiError.unknown(found.problem);
  return found.value;
}

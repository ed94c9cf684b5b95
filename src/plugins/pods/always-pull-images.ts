import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import { apiError } from '../../meta/api-error.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { withSpec } from './pod.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const imagesOf = ({ spec }: Pod) => allContainers(spec).map(({ image }) => image);

/** Returns whether an update adds no image. Images that were admitted before the plug-in was enabled are not changed. */
function addsNoImage({ object, oldObject }: AdmissionAttributes<Pod>): boolean {
  if (!oldObject) return false;
  const old = new Set(imagesOf(oldObject));
  return imagesOf(object).every((image) => old.has(image));
}

/** Sets the image pull policy of all containers to Always, so that only pods with the credentials for a private image can use it. */
export const alwaysPullImages: AdmissionPluginFactory<Pod> = () => {
  const pullAlways = (containers: readonly object[]) =>
    containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }));
  return {
    name: 'AlwaysPullImages',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] }],
    handles: (attributes) => !addsNoImage(attributes),
    admit({ object: pod }) {
      const changes = LISTS.flatMap((list) => (pod.spec[list] ? [[list, pullAlways(pod.spec[list])]] : []));
      return withSpec(pod, Object.fromEntries(changes));
    },
    // Plug-ins that run later may have changed the pod, so it is checked again.
    validate(attributes) {
      const { spec } = attributes.object;
      const errors = LISTS.flatMap((list) =>
        (spec[list] ?? []).flatMap(({ imagePullPolicy = '' }, i) => {
          if (imagePullPolicy === 'Always') return [];
          const path = `spec.${list}[${i}].imagePullPolicy`;
          const problem = formatFieldError(fieldError.notSupported(path, imagePullPolicy, ['Always']));
          return [forbiddenRequest(attributes, problem)];
        }),
      );
      const error = aggregateErrors(errors);
      // Upstream wraps the errors in an aggregate without a Status, even if there is only one, so the code is 500.
      if (error) throw apiError.unknown(error.message);
    },
  };
};

import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import { apiError } from '../../meta/api-error.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { type Container, isOfPod, type PodObject, withSpec } from './pod.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const imagesOf = (pod: AdmissionAttributes['object']) =>
  allContainers((pod as PodObject).spec).map(({ image }) => image);

/** Returns whether an update adds no image. Images that were admitted under another policy stay as they are. */
function addsNoImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation !== 'UPDATE') return false;
  const old = new Set(imagesOf(oldObject));
  return imagesOf(object).every((image) => old.has(image));
}

/** Makes every start of a container pull its image, so that only pods with the credentials can use it. */
export const alwaysPullImages: AdmissionPluginFactory = () => {
  const isPod = isOfPod('CREATE', 'UPDATE');
  const pulled = (containers: readonly Container[]) =>
    containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }));
  return {
    name: 'AlwaysPullImages',
    handles: (attributes) => isPod(attributes) && !addsNoImage(attributes),
    admit({ object }) {
      const pod = object as PodObject; // handles() lets only pods in
      const changes = LISTS.flatMap((list) => (pod.spec[list] ? [[list, pulled(pod.spec[list])]] : []));
      return withSpec(pod, Object.fromEntries(changes));
    },
    // The check covers changes that later plug-ins made to the pod.
    validate(attributes) {
      const { spec } = attributes.object as PodObject;
      const errors = LISTS.flatMap((list) =>
        (spec[list] ?? []).flatMap(({ imagePullPolicy = '' }, i) => {
          if (imagePullPolicy === 'Always') return [];
          const path = `spec.${list}[${i}].imagePullPolicy`;
          const problem = formatFieldError(fieldError.notSupported(path, imagePullPolicy, ['Always']));
          return [forbiddenRequest(attributes, problem)];
        }),
      );
      const error = aggregateErrors(errors);
      // Errors in an aggregate, even a single one, are returned without a Status of their own.
      if (error) throw apiError.unknown(error.message);
    },
  };
};

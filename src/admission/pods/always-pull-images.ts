import { aggregateErrors } from '../../meta/aggregate-error.js';
import { apiError } from '../../meta/api-error.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import type { AdmissionAttributes, AdmissionPluginFactory } from '../admission-plugin.js';
import { forbiddenRequest } from '../refusal.js';
import { allContainers } from './all-containers.js';
import { type Container, isOfPod, type PodObject, withSpec } from './pod.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const imagesOf = (pod: AdmissionAttributes['object']) =>
  allContainers((pod as PodObject).spec).map(({ image }) => image);

/** Whether it is an update that brings no image: what was let in with another policy stays as it is. */
function bringsNoImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation !== 'UPDATE') return false;
  const old = new Set(imagesOf(oldObject));
  return imagesOf(object).every((image) => old.has(image));
}

/** Images are pulled whenever a container starts, so that only who has their credentials can use them. */
export const alwaysPullImages: AdmissionPluginFactory = () => {
  const isPod = isOfPod('CREATE', 'UPDATE');
  const pulled = (containers: readonly Container[]) =>
    containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }));
  return {
    name: 'AlwaysPullImages',
    handles: (attributes) => isPod(attributes) && !bringsNoImage(attributes),
    admit({ object }) {
      const pod = object as PodObject; // handles() lets only pods in
      const changes = LISTS.flatMap((list) => (pod.spec[list] ? [[list, pulled(pod.spec[list])]] : []));
      return withSpec(pod, Object.fromEntries(changes));
    },
    // What other plug-ins have made of the pod counts, too.
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
      // Several errors, even one among them, have no form of their own.
      if (error) throw apiError.unknown(error.message);
    },
  };
};

import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionAttributes } from '../admission-plugin.js';

/** Returns whether a request is for one of these resources of a group. Their objects must have the type `T`. */
export const isFor = <T extends ApiObject>(
  attributes: AdmissionAttributes,
  group: string,
  ...resources: readonly string[]
): attributes is AdmissionAttributes<T> =>
  attributes.resource.group === group && resources.includes(attributes.resource.resource);

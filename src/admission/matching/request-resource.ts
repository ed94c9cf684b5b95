import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionAttributes } from '../admission-plugin.js';

/**
 * Returns whether a request is for one of the given resources of a group. The type argument `T` asserts the type of the resources' objects.
 */
export const isFor = <T extends ApiObject>(
  attributes: AdmissionAttributes,
  group: string,
  ...resources: readonly string[]
): attributes is AdmissionAttributes<T> =>
  attributes.resource.group === group && resources.includes(attributes.resource.resource);

/** Returns whether the request is for a Namespace itself. */
export const isNamespace = ({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

/** Returns the namespace of a request. For a Namespace it is the object's own name, and for other cluster-scoped kinds ''. */
export const requestNamespace = (attributes: AdmissionAttributes): string =>
  isNamespace(attributes) ? attributes.name : attributes.namespace;

import type { AdmissionAttributes } from '../admission-plugin.js';

/** Returns whether the request is for a Namespace itself. */
export const isNamespace = ({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

/** Returns the namespace of a request. A Namespace counts as in itself; other cluster-scoped kinds have ''. */
export const requestNamespace = (attributes: AdmissionAttributes): string =>
  isNamespace(attributes) ? attributes.name : attributes.namespace;

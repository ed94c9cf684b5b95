import type { AdmissionAttributes } from '../admission-plugin.js';

/** Whether it is about a Namespace itself. */
export const isNamespace = ({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

/** The namespace that a request is about: a Namespace is in itself. '' for other cluster-scoped kinds. */
export const requestNamespace = (attributes: AdmissionAttributes): string =>
  isNamespace(attributes) ? attributes.name : attributes.namespace;

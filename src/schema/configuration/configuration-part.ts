import { type Fields, struct } from '../authoring.js';

/**
 * Returns a struct within a configuration of the server. Configurations never appear in OpenAPI, so the struct and its fields have no
 * descriptions.
 */
export const configurationPart = <const F extends Fields>(name: string, fields: () => F) =>
  struct(`io.k8s.apiserver.v1beta1.${name}`, '', fields);

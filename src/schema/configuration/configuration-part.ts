import { type Fields, struct } from '../authoring.js';

/**
 * Declares a struct that is part of the schema of a configuration file. OpenAPI documents do not contain configuration files, so the struct
 * and its fields need no descriptions.
 */
export const configurationPart = <const F extends Fields>(name: string, fields: () => F) =>
  struct(`io.k8s.apiserver.v1beta1.${name}`, '', fields);

import { type Fields, struct } from '../authoring.js';

/** A struct within a configuration of the server; those are read only, so that no words about their fields are needed. */
export const configurationPart = <const F extends Fields>(name: string, fields: () => F) =>
  struct(`io.k8s.apiserver.v1beta1.${name}`, '', fields);

import { boolean, type Fields, int32, int64, type StructOptions, string, struct } from '../../schema/authoring.js';

// Shared by the many fields that are nothing but this.
export const text = string();
export const flag = boolean();
/** A whole number of 32 bits. */
export const count = int32();
/** A whole number of 64 bits. */
export const long = int64();

/** A struct of the core group's version v1. */
/* @__NO_SIDE_EFFECTS__ */
export function coreStruct<const F extends Fields>(
  name: string,
  description: string,
  fields: () => F,
  options?: StructOptions,
) {
  return struct(`io.k8s.api.core.v1.${name}`, description, fields, options);
}

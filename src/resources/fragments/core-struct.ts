import type { AnyZod } from '../../schema/authoring.js';
import { boolean, int32, int64, type StructOptions, string, struct } from '../../schema/authoring.js';

// Shared by the many fields that are nothing but this.
export const text = string();
export const flag = boolean();
/** A whole number of 32 bits. */
export const count = int32();
/** A whole number of 64 bits. */
export const long = int64();

/** A struct of the core group's version v1. */
export const coreStruct = <const F extends Readonly<Record<string, AnyZod>>>(
  name: string,
  description: string,
  fields: F,
  options?: StructOptions,
) => struct(`io.k8s.api.core.v1.${name}`, fields, { ...options, description });

import { boolean, int32, int64, map, quantity, string } from '../../schema/authoring.js';

// Shared by the many fields that are nothing but this.
export const text = string();
export const flag = boolean();
/** A whole number of 32 bits. */
export const count = int32();
/** A whole number of 64 bits. */
export const long = int64();
/** Amounts by the names of resources. */
export const resourceList = map(quantity(), { typeName: 'v1.ResourceList' });

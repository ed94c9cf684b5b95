import { boolean, int32, int64, map, quantity, string } from '../../schema/authoring.js';

// Schemas that many fields share.
export const text = string();
export const flag = boolean();
/** A 32-bit integer. */
export const count = int32();
/** A 64-bit integer. */
export const long = int64();
/** Amounts by the name of the resource. */
export const resourceList = map(quantity(), { typeName: 'v1.ResourceList' });

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

/** A text whose type has a name of its own: that of the struct in which it is, and `suffix`. */
/* @__NO_SIDE_EFFECTS__ */
export function textOf(definition: string, suffix: string) {
  return string({ typeName: definition.split('.').slice(-2).join('.') + suffix });
}
/** The status of a condition, as its version calls the type. */
/* @__NO_SIDE_EFFECTS__ */
export function conditionStatus(definition: string) {
  return string({ typeName: `${definition.split('.').at(-2)}.ConditionStatus` });
}

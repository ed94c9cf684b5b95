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

/** Returns the schema of a string whose type has its own name: the name of its struct followed by `suffix`. */
/* @__NO_SIDE_EFFECTS__ */
export function textOf(definition: string, suffix: string) {
  return string({ typeName: definition.split('.').slice(-2).join('.') + suffix });
}
/** Returns the schema of a condition's status, with the type name of its version. */
/* @__NO_SIDE_EFFECTS__ */
export function conditionStatus(definition: string) {
  return string({ typeName: `${definition.split('.').at(-2)}.ConditionStatus` });
}

import { type Adapt, ListView } from './lists.js';
import { MapView } from './maps.js';
import { Double, Uint } from './numbers.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from './value.js';

/**
 * Returns the value of raw JSON without a declared type. Whole numbers in the safe range are ints, other numbers doubles; arrays and
 * objects are viewed, not copied. A member that is a CEL value already is returned unchanged.
 */
export const adaptDynamic: Adapt = (member: unknown): Outcome => {
  switch (typeof member) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return member;
    case 'number':
      return Number.isSafeInteger(member) ? member : new Double(member);
    case 'undefined':
      return null;
    case 'object':
      return adaptObject(member);
    default:
      return new EvaluationError(`unsupported type conversion to a value: ${typeof member}`);
  }
};

function adaptObject(member: object | null): Value {
  if (member === null || member instanceof ObjectValue) return member;
  if (member instanceof Double || member instanceof Uint || member instanceof Uint8Array) return member;
  if (Array.isArray(member)) return new ListView(member, adaptDynamic);
  return new MapView(member as Readonly<Record<string, unknown>>, adaptDynamic);
}

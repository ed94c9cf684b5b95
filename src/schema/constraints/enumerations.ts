import { equalJson } from '../../json/equal.js';

/** The values of an enumeration: scalars by value, lists and objects to be compared one by one. */
interface Enumeration {
  readonly scalars: ReadonlySet<unknown>;
  readonly structures: readonly unknown[];
}

/** Schemas are frozen, so that what was made of one stays right. */
const enumerations = new WeakMap<readonly unknown[], Enumeration>();

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Returns whether a JSON value equals one of the allowed ones. A scalar is found without a walk over the list, which may be very long. */
export function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  let found = enumerations.get(allowed);
  if (found === undefined) {
    found = {
      scalars: new Set(allowed.filter(isScalar)),
      structures: allowed.filter((each) => !isScalar(each)),
    };
    enumerations.set(allowed, found);
  }
  return isScalar(value) ? found.scalars.has(value) : found.structures.some((each) => equalJson(each, value));
}

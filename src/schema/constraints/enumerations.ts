import { canonicalJson } from '../../json/order.js';
import type { JsonValue } from '../../json/value.js';
import { spendChecks } from './budget.js';

/** The values of an enumeration: scalars by value, lists and objects by their canonical text. */
interface Enumeration {
  readonly scalars: ReadonlySet<unknown>;
  readonly structures: ReadonlySet<string>;
}

/** Schemas are frozen, so the cached sets stay valid. */
const enumerations = new WeakMap<readonly unknown[], Enumeration>();

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Returns whether a JSON value equals one of the allowed ones. A scalar is found without a walk over the list, which may be very long. */
export function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  let found = enumerations.get(allowed);
  if (found === undefined) {
    found = {
      scalars: new Set(allowed.filter(isScalar)),
      structures: new Set(allowed.filter((each) => !isScalar(each)).map((each) => canonicalJson(each as JsonValue))),
    };
    enumerations.set(allowed, found);
  }
  if (isScalar(value)) return found.scalars.has(value);
  if (found.structures.size === 0) return false;
  const text = canonicalJson(value as JsonValue);
  spendChecks(text.length >> 3);
  return found.structures.has(text);
}

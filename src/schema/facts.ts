import type { JsonValue } from '../json/value.js';
import type { Property, Schema } from './schema.js';

/** What a property wrapper says. */
export interface PropertyFacts extends Omit<Property, 'schema'> {
  readonly default?: JsonValue;
}

/** What `authoring.ts` knows about a zod schema beyond zod. */
export interface Facts {
  /** The whole description of a leaf. */
  readonly schema?: Schema;
  /** Laid over what the shape of a struct, list or map says. */
  readonly container?: object;
  /** Marks a property wrapper; the property's schema is the wrapped one. */
  readonly property?: PropertyFacts;
}

// Keyed by schema instance, never by content: every authoring function makes a new instance.
const facts = new WeakMap<object, Facts>();

export function recordFacts(schema: object, about: Facts): void {
  facts.set(schema, Object.freeze(about));
}
export function factsOf(schema: object): Facts | undefined {
  return facts.get(schema);
}

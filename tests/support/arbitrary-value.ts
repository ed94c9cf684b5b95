import fc from 'fast-check';
import type { Property, Schema } from '../../src/schema/schema.js';

const DEPTH = 6;
const text = fc.constantFrom('a', 'b-c', 'example.com/d', 'E', '');
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-01-02T03:04:05Z'],
  'micro-time': ['2024-01-02T03:04:05.000006Z'],
  byte: ['AQID'],
  quantity: ['1', '500m', '2Gi'],
};

/** The arbitraries of schemas, by depth. They are cached because kinds share structs, and some structs contain themselves. */
const known = new WeakMap<Schema, Map<number, fc.Arbitrary<unknown>>>();

/** Returns any value of a schema that a client could send; each property of its structs may be absent. */
export function arbitraryValue(schema: Schema, depth = DEPTH): fc.Arbitrary<unknown> {
  const byDepth = known.get(schema) ?? new Map<number, fc.Arbitrary<unknown>>();
  known.set(schema, byDepth);
  const made = byDepth.get(depth) ?? newValue(schema, depth);
  byDepth.set(depth, made);
  return made;
}

function newValue(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return schema.enum
        ? fc.constantFrom(...schema.enum)
        : fc
            .constantFrom(...(FORMATS[schema.format ?? ''] ?? ['a']))
            .chain((value) => (schema.format ? fc.constant(value) : text));
    case 'integer':
      return fc.constantFrom(0, 1, 7, 80);
    case 'number':
      return fc.constantFrom(0, 0.5);
    case 'boolean':
      return fc.boolean();
    case 'intOrString':
      return fc.constantFrom(1, '50%');
    case 'list':
      return depth <= 0 ? fc.constant([]) : fc.array(arbitraryValue(schema.items, depth - 1), { maxLength: 2 });
    case 'map':
      return depth <= 0
        ? fc.constant({})
        : fc.dictionary(fc.constantFrom('k', 'l'), arbitraryValue(schema.values, depth - 1), { maxKeys: 2 });
    case 'object':
      return depth <= 0 ? fc.constant({}) : arbitraryStruct(schema.properties, depth - 1);
    default:
      return fc.constant({ any: 'thing' });
  }
}

function arbitraryStruct(properties: ReadonlyMap<string, Property>, depth: number): fc.Arbitrary<unknown> {
  const members = [...properties].filter(([name]) => name !== 'metadata' || depth < DEPTH - 1);
  return fc.record(Object.fromEntries(members.map(([name, { schema }]) => [name, arbitraryValue(schema, depth)])), {
    requiredKeys: [],
  });
}

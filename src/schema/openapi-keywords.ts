import type { JsonObject, JsonValue } from '../json/value.js';
import type { Constraint } from './schema.js';

/** The members of a schema, in the order in which upstream's documents have them. Extensions follow, sorted by name. */
const MEMBERS: ReadonlyMap<string, number> = new Map(
  [
    'description',
    'type',
    'nullable',
    'format',
    'title',
    'default',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'multipleOf',
    'enum',
    'maxProperties',
    'minProperties',
    'required',
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'not',
    'properties',
    'additionalProperties',
    '$ref',
  ].map((name, rank) => [name, rank]),
);
const rankOf = (name: string): number => MEMBERS.get(name) ?? MEMBERS.size;

/** Compares entries by their names. */
export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Returns a schema with its members in upstream's order. */
export function inOrder(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).sort((a, b) => rankOf(a[0]) - rankOf(b[0]) || byName(a, b)));
}

/** The combined schemas of a schema. */
export type Combined = Pick<Constraint, 'allOf' | 'anyOf' | 'oneOf' | 'not'>;

const KEYWORDS = [
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Returns the keywords of a schema that constrain a value itself. @param without a keyword to leave out */
export function keywords(schema: Constraint, without?: string): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const name of KEYWORDS) {
    const value = schema[name];
    if (value !== undefined && name !== without) out[name] = value;
  }
  return out;
}

/** Returns the combined schemas (`allOf`, …) of a schema. */
export function junctors({ allOf, anyOf, oneOf, not }: Combined): JsonObject {
  return {
    ...(allOf === undefined ? {} : { allOf: allOf.map(constraint) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(constraint) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(constraint) }),
    ...(not === undefined ? {} : { not: constraint(not) }),
  };
}

function constraint(one: Constraint): JsonObject {
  return inOrder({
    ...(one.type === undefined ? {} : { type: one.type }),
    ...keywords(one),
    ...(one.format === undefined ? {} : { format: one.format }),
    ...(one.required === undefined ? {} : { required: one.required }),
    ...(one.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            [...one.properties].sort(byName).map(([name, inner]) => [name, constraint(inner)]),
          ),
        }),
    ...(one.items === undefined ? {} : { items: constraint(one.items) }),
    ...(one.values === undefined ? {} : { additionalProperties: constraint(one.values) }),
    ...junctors(one),
  });
}

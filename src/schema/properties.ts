import type { ObjectSchema, Property, Schema } from './schema.js';

/** The properties of a struct. They are created when the first one is read, so an unused struct costs nothing. */
export class LazyProperties implements ReadonlyMap<string, Property> {
  #make: (() => ReadonlyMap<string, Property>) | undefined;
  #made: ReadonlyMap<string, Property> | undefined;

  constructor(make: () => ReadonlyMap<string, Property>) {
    this.#make = make;
  }

  #all(): ReadonlyMap<string, Property> {
    if (this.#made !== undefined) return this.#made;
    const properties = this.#make?.() ?? new Map();
    this.#make = undefined;
    this.#made = properties;
    return properties;
  }

  get size(): number {
    return this.#all().size;
  }
  get(name: string): Property | undefined {
    return (this.#made ?? this.#all()).get(name);
  }
  has(name: string): boolean {
    return (this.#made ?? this.#all()).has(name);
  }
  keys() {
    return this.#all().keys();
  }
  values() {
    return this.#all().values();
  }
  entries() {
    return this.#all().entries();
  }
  [Symbol.iterator]() {
    return this.#all()[Symbol.iterator]();
  }
  forEach(callback: (property: Property, name: string, map: ReadonlyMap<string, Property>) => void): void {
    for (const [name, property] of this.#all()) callback(property, name, this);
  }
}

/** Up to this number of properties, visiting all of them is cheaper than sorting the members of an object. */
const FEW = 32;

const namesOfRequired = new WeakMap<ObjectSchema['properties'], readonly string[]>();
const NONE: readonly string[] = [];

/** Returns the names of the members that a schema requires of an object. */
export function requiredNames(schema: Schema): readonly string[] {
  if (schema.required !== undefined) return schema.required;
  if (schema.type !== 'object') return NONE;
  const { properties } = schema;
  let names = namesOfRequired.get(properties);
  if (!names) {
    names = [...properties].flatMap(([name, { required }]) => (required === true ? [name] : []));
    namesOfRequired.set(properties, names);
  }
  return names;
}

const ranks = new WeakMap<ObjectSchema['properties'], ReadonlyMap<string, number>>();

/** Returns the position of each property in its schema. */
function ranksOf(properties: ObjectSchema['properties']): ReadonlyMap<string, number> {
  let known = ranks.get(properties);
  if (!known) {
    known = new Map([...properties.keys()].map((name, rank) => [name, rank]));
    ranks.set(properties, known);
  }
  return known;
}

/**
 * Returns a function that lists the properties to visit for an object, in the order of the schema. The list contains at least the
 * properties that the object has and the properties for which `always` returns true. It contains all properties where that is cheaper than
 * sorting. So the cost of many small objects is not multiplied by the number of properties in their schema.
 */
export function presentProperties(always: (property: Property) => boolean = () => false) {
  const selected = new WeakMap<ObjectSchema['properties'], readonly string[]>();
  const alwaysOf = (properties: ObjectSchema['properties']): readonly string[] => {
    let names = selected.get(properties);
    if (!names)
      selected.set(properties, (names = [...properties].flatMap(([name, one]) => (always(one) ? [name] : []))));
    return names;
  };
  return ({ properties }: ObjectSchema, value: object): Iterable<readonly [string, Property]> => {
    if (properties.size <= FEW) return properties;
    const own = Object.keys(value);
    if (own.length * 2 > properties.size) return properties;
    const rank = ranksOf(properties);
    const names = new Set([...alwaysOf(properties), ...own]);
    return [...names]
      .flatMap((name) => {
        const property = properties.get(name);
        return property ? [[name, property] as const] : [];
      })
      .sort(([a], [b]) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  };
}

import type { Property } from './schema.js';

/** The properties of a struct, made when one is first asked for: an unused struct costs nothing. */
export class LazyProperties implements ReadonlyMap<string, Property> {
  #make: (() => ReadonlyMap<string, Property>) | undefined;
  #made: ReadonlyMap<string, Property> | undefined;

  constructor(make: () => ReadonlyMap<string, Property>) {
    this.#make = make;
  }

  #all(): ReadonlyMap<string, Property> {
    if (this.#made !== undefined) return this.#made;
    const made = this.#make?.() ?? new Map();
    this.#make = undefined;
    this.#made = made;
    return made;
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

import type { ObjectType } from '../typing/type.js';
import { equal } from '../values/equality.js';
import { type Adapt, collect, ListView } from '../values/lists.js';
import { ObjectView } from '../values/maps.js';
import { EvaluationError, ListValue, type Outcome, type Value } from '../values/value.js';
import { spend } from '../values/work.js';

/**
 * A view of a map list (`x-kubernetes-list-type: map`). The order of the items does not affect equality, and `+` replaces items with equal
 * keys.
 */
export class KeyedView extends ListView {
  private readonly keys: readonly string[];
  constructor(
    array: readonly unknown[],
    adapt: Adapt | undefined,
    keys: readonly string[],
    items: Adapt | undefined,
    objects?: ObjectType,
  ) {
    super(array, adapt, undefined, objects, items);
    this.keys = keys;
  }

  override equals(other: Value): boolean | undefined {
    if (!(other instanceof ListValue)) return super.equals(other);
    if (other.size !== this.size) return false;
    const theirs = this.indexed(other);
    const own = this.indexed(this);
    if (theirs.size !== own.size || own.size !== this.size) return super.equals(other);
    for (const [key, value] of own) {
      const their = theirs.get(key);
      if (their === undefined || !equal(value, their)) return false;
    }
    return true;
  }

  override plus(other: ListValue): Outcome {
    const values = collect(this);
    const more = collect(other);
    if (values instanceof EvaluationError) return values;
    if (more instanceof EvaluationError) return more;
    const places = new Map(values.map((value, i) => [this.keyOf(value), i]));
    for (const value of more) {
      const key = this.keyOf(value);
      const place = places.get(key);
      if (place === undefined) {
        places.set(key, values.length);
        values.push(value);
      } else values[place] = value;
    }
    return new KeyedView(values, undefined, this.keys, this.items);
  }

  private indexed(list: ListValue): ReadonlyMap<string, Outcome> {
    spend(list.size);
    const elements = new Map<string, Outcome>();
    for (let i = 0; i < list.size; i++) {
      const value = list.at(i);
      elements.set(this.keyOf(value), value);
    }
    return elements;
  }

  /**
   * Returns the keys of an item as JSON, which distinguishes strings, numbers and booleans. The keys are read from the members of the API
   * object, because some names of keys cannot be written in an expression.
   */
  private keyOf(value: Outcome): string {
    if (!(value instanceof ObjectView)) return '';
    return JSON.stringify(this.keys.map((key) => (Object.hasOwn(value.members, key) ? [value.members[key]] : [])));
  }
}

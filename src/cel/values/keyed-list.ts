import { equal } from './equality.js';
import { type Adapt, collect, ListView } from './lists.js';
import { textOf } from './print.js';
import { typeName } from './types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from './value.js';

/** An array of objects that keys tell apart (list type `map`): order does not count; `+` replaces elements by key, then adds the new ones. */
export class KeyedView extends ListView {
  /** Fields that are keys, as expressions name them. */
  readonly keys: readonly string[];
  constructor(array: readonly unknown[], keys: readonly string[], adapt?: Adapt) {
    super(array, adapt);
    this.keys = keys;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    const theirs = byKey(other, this.keys);
    for (let i = 0; i < this.size; i++) {
      const own = this.at(i);
      const their = theirs.get(keyOf(own, this.keys));
      if (their === undefined || !equal(own, their)) return false;
    }
    return true;
  }

  override plus(other: ListValue): Outcome {
    const values = collect(this);
    const more = collect(other);
    if (values instanceof EvaluationError) return values;
    if (more instanceof EvaluationError) return more;
    const places = new Map(values.map((value, i) => [keyOf(value, this.keys), i]));
    for (const value of more) {
      const key = keyOf(value, this.keys);
      const place = places.get(key);
      if (place === undefined) places.set(key, values.push(value) - 1);
      else values[place] = value;
    }
    // The sum is such a list itself.
    return new KeyedView(values, this.keys);
  }
}

function byKey(list: ListValue, keys: readonly string[]): Map<string, Outcome> {
  const found = new Map<string, Outcome>();
  for (let i = 0; i < list.size; i++) found.set(keyOf(list.at(i), keys), list.at(i));
  return found;
}

function keyOf(value: Outcome, keys: readonly string[]): string {
  if (!(value instanceof MapValue)) return '';
  return JSON.stringify(
    keys.map((key) => {
      const part = value.get(key);
      if (part === undefined || part instanceof EvaluationError) return null;
      return [typeName(part), textOf(part) ?? null];
    }),
  );
}

import { MAP_INSERT, TWO_VARIABLE_MACROS } from '../syntax/extension-macros.js';
import { mapOf, param } from '../typing/type.js';
import { GrowingMap } from '../values/maps.js';
import { describe } from '../values/print.js';
import { EvaluationError, type MapValue, type Outcome, type Value } from '../values/value.js';
import { global, libraryOf } from './declare.js';
import type { Library } from './library.js';

const K = param('K');
const V = param('V');
const MAP = mapOf(K, V);

/** Returns a map to which entries can be added in place: the map itself if a fold created it, or a copy of any other map. */
const growing = (map: MapValue): GrowingMap => (map instanceof GrowingMap ? map : new GrowingMap(map));

function insert(map: GrowingMap, key: Value, value: Value): Outcome {
  return map.add(key, value) ? map : new EvaluationError(`insert failed: key ${describe(key)} already exists`);
}

function insertAll(map: GrowingMap, other: MapValue): Outcome {
  for (const key of other.keys()) {
    const value = other.get(key) ?? null;
    if (value instanceof EvaluationError) return value;
    const inserted = insert(map, key, value);
    if (inserted instanceof EvaluationError) return inserted;
  }
  return map;
}

/** The library of macros with two variables: index and element, or key and value. */
export const twoVariableComprehensions: Library = libraryOf(
  () => [
    global(MAP_INSERT, '@mapInsert_map_key_value', [MAP, K, V], MAP, (map: MapValue, key: Value, value: Value) =>
      insert(growing(map), key, value),
    ),
    global(MAP_INSERT, '@mapInsert_map_map', [MAP, MAP], MAP, (map: MapValue, other: MapValue) =>
      insertAll(growing(map), other),
    ),
  ],
  { name: 'two-variable comprehensions', macros: TWO_VARIABLE_MACROS },
);

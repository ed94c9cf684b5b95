import { OPERATORS } from '../syntax/ast.js';
import { OPTIONAL_MACROS } from '../syntax/extension-macros.js';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, param, STRING, type Type } from '../typing/type.js';
import { noSuchOverload } from '../values/arithmetic.js';
import { Double, Uint } from '../values/numbers.js';
import { NONE, Optional } from '../values/optional.js';
import { Duration, Timestamp } from '../values/time.js';
import { EvaluationError, ListValue, MapValue, type Value } from '../values/value.js';
import { global, libraryOf, member } from './declare.js';
import type { Library } from './library.js';

const V = param('V');
const K = param('K');
const OPTIONAL = optionalOf(V);

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof Double || value instanceof Uint) return value.value === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.seconds === -62_135_596_800 && value.nanos === 0;
  return value instanceof Optional && value.value === undefined;
}

/** The compiler handles selections and alternatives of optionals itself; this implementation only reports that no overload matches. */
const compiled = (): EvaluationError => noSuchOverload();
const select = (id: string, from: Type, key: Type, result: Type) =>
  global(OPERATORS.optionalIndex, id, [from, key], optionalOf(result), compiled);

/** The library of optional values and their syntax. */
export const optionals: Library = libraryOf(
  () => [
    global('optional.of', 'optional_of', [V], OPTIONAL, (value: Value) => new Optional(value)),
    global('optional.ofNonZeroValue', 'optional_ofNonZeroValue', [V], OPTIONAL, (value: Value) =>
      isZero(value) ? NONE : new Optional(value),
    ),
    global('optional.none', 'optional_none', [], OPTIONAL, () => NONE),
    member('value', 'optional_value', [OPTIONAL], V, (of: Optional) =>
      of.value === undefined ? new EvaluationError('optional.none() dereference') : of.value,
    ),
    member('hasValue', 'optional_hasValue', [OPTIONAL], BOOL, (of: Optional) => of.value !== undefined),
    member('or', 'optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, compiled),
    member('orValue', 'optional_orValue_value', [OPTIONAL, V], V, compiled),
    global(OPERATORS.optionalSelect, 'select_optional_field', [DYN, STRING], OPTIONAL, compiled),
    select('list_optindex_optional_int', listOf(V), INT, V),
    select('optional_list_optindex_optional_int', optionalOf(listOf(V)), INT, V),
    select('map_optindex_optional_value', mapOf(K, V), K, V),
    select('optional_map_optindex_optional_value', optionalOf(mapOf(K, V)), K, V),
    global(OPERATORS.index, 'optional_list_index_int', [optionalOf(listOf(V)), INT], OPTIONAL, compiled),
    global(OPERATORS.index, 'optional_map_index_value', [optionalOf(mapOf(K, V)), K], OPTIONAL, compiled),
  ],
  { name: 'optional', types: [OPTIONAL], macros: OPTIONAL_MACROS, optionalSyntax: true },
);

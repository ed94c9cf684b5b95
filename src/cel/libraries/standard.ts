import type { FunctionDeclaration, Overload } from '../declarations.js';
import { OPERATORS } from '../syntax/ast.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  param,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../typing/type.js';
import type { Library } from './library.js';

const A = param('A');
const B = param('B');
const LIST = listOf(A);
const MAP = mapOf(A, B);

type Signature = readonly [id: string, parameters: readonly Type[], result: Type];
const declare = (name: string, ...signatures: readonly Signature[]): FunctionDeclaration => ({
  name,
  overloads: signatures.map(([id, parameters, result]): Overload => ({ id, parameters, result })),
});
const member = (name: string, ...signatures: readonly Signature[]): FunctionDeclaration => ({
  name,
  overloads: signatures.map(([id, parameters, result]): Overload => ({ id, parameters, result, receiver: true })),
});

const NAMES: readonly (readonly [string, Type])[] = [
  ['int64', INT],
  ['uint64', UINT],
  ['double', DOUBLE],
];

function comparison(operator: string, name: string): FunctionDeclaration {
  const alike: readonly (readonly [string, Type])[] = [
    ['bool', BOOL],
    ...NAMES,
    ['string', STRING],
    ['bytes', BYTES],
    ['timestamp', TIMESTAMP],
    ['duration', DURATION],
  ];
  const crossed = NAMES.flatMap(([left, a]) =>
    NAMES.filter(([right]) => right !== left).map(
      ([right, b]): Signature => [`${name}_${left}_${right}`, [a, b], BOOL],
    ),
  );
  return declare(operator, ...alike.map(([id, type]): Signature => [`${name}_${id}`, [type, type], BOOL]), ...crossed);
}

const arithmetic = (name: string, types = NAMES): readonly Signature[] =>
  types.map(([id, type]): Signature => [`${name}_${id}`, [type, type], type]);

function conversion(name: string, result: Type, from: readonly (readonly [string, Type])[], to: string) {
  return declare(name, ...from.map(([id, type]): Signature => [`${id}_to_${to}`, [type], result]));
}

const sized: readonly (readonly [string, Type])[] = [
  ['string', STRING],
  ['bytes', BYTES],
  ['list', LIST],
  ['map', MAP],
];
const timed = (name: string, id: string, ...extra: readonly Signature[]): FunctionDeclaration =>
  member(
    name,
    [`timestamp_to_${id}`, [TIMESTAMP], INT],
    [`timestamp_to_${id}_with_tz`, [TIMESTAMP, STRING], INT],
    ...extra,
  );
const lasting = (unit: string): Signature => [`duration_to_${unit}`, [DURATION], INT];

const functions: readonly FunctionDeclaration[] = [
  declare(OPERATORS.conditional, ['conditional', [BOOL, A, A], A]),
  declare(OPERATORS.and, ['logical_and', [BOOL, BOOL], BOOL]),
  declare(OPERATORS.or, ['logical_or', [BOOL, BOOL], BOOL]),
  declare(OPERATORS.not, ['logical_not', [BOOL], BOOL]),
  declare(OPERATORS.notStrictlyFalse, ['not_strictly_false', [BOOL], BOOL]),
  declare(OPERATORS.equals, ['equals', [A, A], BOOL]),
  declare(OPERATORS.notEquals, ['not_equals', [A, A], BOOL]),
  comparison(OPERATORS.less, 'less'),
  comparison(OPERATORS.lessEquals, 'less_equals'),
  comparison(OPERATORS.greater, 'greater'),
  comparison(OPERATORS.greaterEquals, 'greater_equals'),
  declare(
    OPERATORS.add,
    ['add_bytes', [BYTES, BYTES], BYTES],
    ['add_double', [DOUBLE, DOUBLE], DOUBLE],
    ['add_duration_duration', [DURATION, DURATION], DURATION],
    ['add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP],
    ['add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP],
    ['add_int64', [INT, INT], INT],
    ['add_list', [LIST, LIST], LIST],
    ['add_string', [STRING, STRING], STRING],
    ['add_uint64', [UINT, UINT], UINT],
  ),
  declare(
    OPERATORS.subtract,
    ...arithmetic('subtract'),
    ['subtract_duration_duration', [DURATION, DURATION], DURATION],
    ['subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP],
    ['subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION],
  ),
  declare(OPERATORS.multiply, ...arithmetic('multiply')),
  declare(OPERATORS.divide, ...arithmetic('divide')),
  declare(OPERATORS.modulo, ...arithmetic('modulo', NAMES.slice(0, 2))),
  declare(OPERATORS.negate, ['negate_double', [DOUBLE], DOUBLE], ['negate_int64', [INT], INT]),
  declare(OPERATORS.index, ['index_list', [LIST, INT], A], ['index_map', [MAP, A], B]),
  declare(OPERATORS.in, ['in_list', [A, LIST], BOOL], ['in_map', [A, MAP], BOOL]),
  declare('size', ...sized.map(([id, type]): Signature => [`size_${id}`, [type], INT])),
  member('size', ...sized.map(([id, type]): Signature => [`${id}_size`, [type], INT])),
  declare('type', ['type', [A], typeOf(A)]),
  declare('dyn', ['to_dyn', [A], DYN]),
  declare('bool', ['bool_to_bool', [BOOL], BOOL], ['string_to_bool', [STRING], BOOL]),
  declare('bytes', ['bytes_to_bytes', [BYTES], BYTES], ['string_to_bytes', [STRING], BYTES]),
  conversion('double', DOUBLE, [...NAMES, ['string', STRING]], 'double'),
  conversion('int', INT, [...NAMES, ['string', STRING], ['duration', DURATION], ['timestamp', TIMESTAMP]], 'int64'),
  conversion('uint', UINT, [...NAMES, ['string', STRING]], 'uint64'),
  conversion(
    'duration',
    DURATION,
    [
      ['duration', DURATION],
      ['int64', INT],
      ['string', STRING],
    ],
    'duration',
  ),
  conversion(
    'timestamp',
    TIMESTAMP,
    [
      ['timestamp', TIMESTAMP],
      ['int64', INT],
      ['string', STRING],
    ],
    'timestamp',
  ),
  conversion(
    'string',
    STRING,
    [['string', STRING], ['bool', BOOL], ['bytes', BYTES], ...NAMES, ['duration', DURATION], ['timestamp', TIMESTAMP]],
    'string',
  ),
  member('contains', ['contains_string', [STRING, STRING], BOOL]),
  member('endsWith', ['ends_with_string', [STRING, STRING], BOOL]),
  member('startsWith', ['starts_with_string', [STRING, STRING], BOOL]),
  declare('matches', ['matches', [STRING, STRING], BOOL]),
  member('matches', ['matches_string', [STRING, STRING], BOOL]),
  timed('getFullYear', 'year'),
  timed('getMonth', 'month'),
  timed('getDayOfYear', 'day_of_year'),
  timed('getDate', 'day_of_month_1_based'),
  timed('getDayOfMonth', 'day_of_month'),
  timed('getDayOfWeek', 'day_of_week'),
  timed('getHours', 'hours', lasting('hours')),
  timed('getMinutes', 'minutes', lasting('minutes')),
  timed('getSeconds', 'seconds', lasting('seconds')),
  timed('getMilliseconds', 'milliseconds', lasting('milliseconds')),
];

/** Operators and functions of the language itself. */
export const standard: Library = Object.freeze({
  name: 'standard',
  functions,
  types: [BOOL, BYTES, DOUBLE, DURATION, INT, listOf(DYN), mapOf(DYN, DYN), NULL, STRING, TIMESTAMP, typeOf(DYN), UINT],
});

import { once } from '../../values/memoize.js';
import type { OverloadCost } from '../cost/cost.js';
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
import { add, divide, modulo, multiply, negate, noSuchOverload, subtract } from '../values/arithmetic.js';
import {
  toBool,
  toByteString,
  toDouble,
  toDurationValue,
  toInt,
  toText,
  toTimestampValue,
  toUint,
} from '../values/conversions.js';
import { compare, equals } from '../values/equality.js';
import { contains } from '../values/lists.js';
import { wellKnownMessages } from '../values/messages.js';
import { costSize } from '../values/size.js';
import { sizeOfText } from '../values/text.js';
import { hasType, typeName, typeOfValue } from '../values/types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from '../values/value.js';
import { withTables } from './declare.js';
import { forAllTypes, type Implementation, type Library } from './library.js';
import { matches } from './pattern.js';
import { timeFunctions, timeImplementations } from './time.js';

const A = param('A');
const B = param('B');
const LIST_A = listOf(A);
const MAP_AB = mapOf(A, B);

type Row = readonly [id: string, parameters: readonly Type[], result: Type];
const overloads = (rows: readonly Row[], receiver = false): Overload[] =>
  rows.map(([id, parameters, result]) =>
    receiver ? { id, parameters, result, receiver } : { id, parameters, result },
  );
const fn = (name: string, rows: readonly Row[], members: readonly Row[] = []): FunctionDeclaration => ({
  name,
  overloads: [...overloads(rows), ...overloads(members, true)],
});

/** Declares arithmetic overloads. Each row has the id, the types of both operands and the type of the result. */
const arithmetic = (name: string, rows: readonly (readonly [string, Type, Type, Type])[]): FunctionDeclaration =>
  fn(
    name,
    rows.map(([id, left, right, result]) => [id, [left, right], result] as const),
  );

const ADDITIONS = [
  ['add_bytes', BYTES, BYTES, BYTES],
  ['add_double', DOUBLE, DOUBLE, DOUBLE],
  ['add_duration_duration', DURATION, DURATION, DURATION],
  ['add_duration_timestamp', DURATION, TIMESTAMP, TIMESTAMP],
  ['add_timestamp_duration', TIMESTAMP, DURATION, TIMESTAMP],
  ['add_int64', INT, INT, INT],
  ['add_list', LIST_A, LIST_A, LIST_A],
  ['add_string', STRING, STRING, STRING],
  ['add_uint64', UINT, UINT, UINT],
] as const;
const SUBTRACTIONS = [
  ['subtract_double', DOUBLE, DOUBLE, DOUBLE],
  ['subtract_duration_duration', DURATION, DURATION, DURATION],
  ['subtract_int64', INT, INT, INT],
  ['subtract_timestamp_duration', TIMESTAMP, DURATION, TIMESTAMP],
  ['subtract_timestamp_timestamp', TIMESTAMP, TIMESTAMP, DURATION],
  ['subtract_uint64', UINT, UINT, UINT],
] as const;
const numeric = (word: string, types: readonly Type[]): (readonly [string, Type, Type, Type])[] =>
  types.map((type) => [`${word}_${wordOf(type)}`, type, type, type] as const);
const wordOf = (type: Type): string => (type === INT ? 'int64' : type === UINT ? 'uint64' : type.kind);

const ORDERED: readonly Type[] = [BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION];
const NUMBERS: readonly Type[] = [INT, UINT, DOUBLE];
function ordering(name: string, word: string): FunctionDeclaration {
  const alike = ORDERED.map((type): Row => [`${word}_${wordOf(type)}`, [type, type], BOOL]);
  const crossed = NUMBERS.flatMap((a) =>
    NUMBERS.filter((b) => b !== a).map((b): Row => [`${word}_${wordOf(a)}_${wordOf(b)}`, [a, b], BOOL]),
  );
  return fn(name, [...alike, ...crossed]);
}

const conversion = (name: string, result: Type, from: readonly Type[]): FunctionDeclaration =>
  fn(
    name,
    from.map((type) => [`${wordOf(type)}_to_${wordOf(result)}`, [type], result] as const),
  );

const declarations = once((): readonly FunctionDeclaration[] => [
  fn(OPERATORS.conditional, [['conditional', [BOOL, A, A], A]]),
  fn(OPERATORS.and, [['logical_and', [BOOL, BOOL], BOOL]]),
  fn(OPERATORS.or, [['logical_or', [BOOL, BOOL], BOOL]]),
  fn(OPERATORS.not, [['logical_not', [BOOL], BOOL]]),
  fn(OPERATORS.notStrictlyFalse, [['not_strictly_false', [BOOL], BOOL]]),
  fn(OPERATORS.equals, [['equals', [A, A], BOOL]]),
  fn(OPERATORS.notEquals, [['not_equals', [A, A], BOOL]]),
  arithmetic(OPERATORS.add, ADDITIONS),
  arithmetic(OPERATORS.subtract, SUBTRACTIONS),
  arithmetic(OPERATORS.multiply, numeric('multiply', [DOUBLE, INT, UINT])),
  arithmetic(OPERATORS.divide, numeric('divide', [DOUBLE, INT, UINT])),
  arithmetic(OPERATORS.modulo, numeric('modulo', [INT, UINT])),
  fn(OPERATORS.negate, [
    ['negate_double', [DOUBLE], DOUBLE],
    ['negate_int64', [INT], INT],
  ]),
  ordering(OPERATORS.less, 'less'),
  ordering(OPERATORS.lessEquals, 'less_equals'),
  ordering(OPERATORS.greater, 'greater'),
  ordering(OPERATORS.greaterEquals, 'greater_equals'),
  fn(OPERATORS.index, [
    ['index_list', [LIST_A, INT], A],
    ['index_map', [MAP_AB, A], B],
  ]),
  fn(OPERATORS.in, [
    ['in_list', [A, LIST_A], BOOL],
    ['in_map', [A, MAP_AB], BOOL],
  ]),
  fn(
    'size',
    [
      ['size_bytes', [BYTES], INT],
      ['size_list', [LIST_A], INT],
      ['size_map', [MAP_AB], INT],
      ['size_string', [STRING], INT],
    ],
    [
      ['bytes_size', [BYTES], INT],
      ['list_size', [LIST_A], INT],
      ['map_size', [MAP_AB], INT],
      ['string_size', [STRING], INT],
    ],
  ),
  fn('type', [['type', [A], typeOf(A)]]),
  conversion('bool', BOOL, [BOOL, STRING]),
  conversion('bytes', BYTES, [BYTES, STRING]),
  conversion('double', DOUBLE, [DOUBLE, INT, STRING, UINT]),
  conversion('duration', DURATION, [DURATION, INT, STRING]),
  fn('dyn', [['to_dyn', [A], DYN]]),
  conversion('int', INT, [INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT]),
  conversion('string', STRING, [STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT]),
  conversion('timestamp', TIMESTAMP, [TIMESTAMP, INT, STRING]),
  conversion('uint', UINT, [UINT, DOUBLE, INT, STRING]),
  fn('matches', [['matches', [STRING, STRING], BOOL]], [['matches_string', [STRING, STRING], BOOL]]),
  fn('contains', [], [['contains_string', [STRING, STRING], BOOL]]),
  fn('endsWith', [], [['ends_with_string', [STRING, STRING], BOOL]]),
  fn('startsWith', [], [['starts_with_string', [STRING, STRING], BOOL]]),
  ...timeFunctions(),
]);

const ordered =
  (holds: (order: number) => boolean): Implementation =>
  (a, b) => {
    const order = compare(a as Value, b as Value);
    return order === undefined ? noSuchOverload() : holds(order);
  };

const size: Implementation = (value) => {
  if (typeof value === 'string') return sizeOfText(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof ListValue || value instanceof MapValue ? value.size : noSuchOverload();
};

const memberOf: Implementation = (value, container) => {
  if (container instanceof ListValue) return contains(container, value as Value);
  if (!(container instanceof MapValue)) return noSuchOverload();
  const found = container.get(value as Value);
  return found instanceof EvaluationError ? found : found !== undefined;
};

const not: Implementation = (value) => (typeof value === 'boolean' ? !value : noSuchOverload());

const texts =
  (holds: (text: string, part: string) => boolean): Implementation =>
  (text, part) =>
    typeof text === 'string' && typeof part === 'string' ? holds(text, part) : noSuchOverload();

/** Implementations that all overloads of a function share; they check the types of their arguments. */
const byFunction = (): Readonly<Record<string, Implementation>> => ({
  [OPERATORS.not]: not,
  [OPERATORS.notStrictlyFalse]: (value) => value !== false,
  [OPERATORS.equals]: (a, b) => equals(a, b) ?? noSuchOverload(),
  // As in upstream, values that cannot be compared are an error for `==`, but different for `!=`.
  [OPERATORS.notEquals]: (a, b) => equals(a, b) !== true,
  [OPERATORS.add]: add as Implementation,
  [OPERATORS.subtract]: subtract as Implementation,
  [OPERATORS.multiply]: multiply as Implementation,
  [OPERATORS.divide]: divide as Implementation,
  [OPERATORS.modulo]: modulo as Implementation,
  [OPERATORS.negate]: negate as Implementation,
  [OPERATORS.less]: ordered((order) => order < 0),
  [OPERATORS.lessEquals]: ordered((order) => order <= 0),
  [OPERATORS.greater]: ordered((order) => order > 0),
  [OPERATORS.greaterEquals]: ordered((order) => order >= 0),
  [OPERATORS.in]: memberOf,
  size,
  type: (value) => typeOfValue(value as Value),
  bool: toBool as Implementation,
  bytes: toByteString as Implementation,
  double: toDouble as Implementation,
  duration: toDurationValue as Implementation,
  dyn: (value) => value as Outcome,
  int: toInt as Implementation,
  string: toText as Implementation,
  timestamp: toTimestampValue as Implementation,
  uint: toUint as Implementation,
  matches: matches as Implementation,
  contains: texts((text, part) => text.includes(part)),
  endsWith: texts((text, part) => text.endsWith(part)),
  startsWith: texts((text, part) => text.startsWith(part)),
});

const CONVERSIONS: ReadonlySet<string> = new Set('bool bytes double duration int string timestamp uint'.split(' '));

/** Wraps a conversion so that the error for a value of a type from which it does not convert names the call, as upstream's error does. */
function conversionOf(name: string, from: readonly Overload[], convert: Implementation): Implementation {
  return (value) => {
    const outcome = convert(value as Value);
    if (!(outcome instanceof EvaluationError)) return outcome;
    const isDeclared = from.some(({ parameters: [type] }) => type !== undefined && hasType(value as Value, type));
    return isDeclared ? outcome : new EvaluationError(`no such overload: ${name}(${typeName(value as Value)})`);
  };
}

/**
 * Types whose values handle every call themselves in upstream's engine. Their error for an operator that they do not have does not name the
 * operator.
 */
const RECEIVERS = 'string google.protobuf.Duration google.protobuf.Timestamp';
const NUMERIC = 'double int uint';
/** The types of first operands that have an operator. For any other first operand, upstream's error names the operator. */
const OPERANDS: Readonly<Record<string, string>> = {
  [OPERATORS.add]: `${NUMERIC} bytes list`,
  [OPERATORS.subtract]: NUMERIC,
  [OPERATORS.multiply]: NUMERIC,
  [OPERATORS.divide]: NUMERIC,
  [OPERATORS.modulo]: 'int uint',
  [OPERATORS.negate]: 'bool double int',
  [OPERATORS.less]: `${NUMERIC} bool bytes`,
  [OPERATORS.lessEquals]: `${NUMERIC} bool bytes`,
  [OPERATORS.greater]: `${NUMERIC} bool bytes`,
  [OPERATORS.greaterEquals]: `${NUMERIC} bool bytes`,
  size: 'bytes list map',
};

/** Adds the operator's name to its error if upstream does so for the type of the first operand: `no such overload: _<_` for `null < 1`. */
function operatorOf(name: string, operands: string, operate: Implementation): Implementation {
  const unnamed = new Set(`${RECEIVERS} ${operands}`.split(' '));
  return (a, b) => {
    const outcome = operate(a as Value, b as Value);
    const isRefused = outcome instanceof EvaluationError && outcome.message === 'no such overload';
    return isRefused && !unnamed.has(typeName(a as Value)) ? new EvaluationError(`no such overload: ${name}`) : outcome;
  };
}

function withErrors({ name, overloads: of }: FunctionDeclaration, implementation: Implementation): Implementation {
  const operands = OPERANDS[name];
  if (operands !== undefined) return operatorOf(name, operands, implementation);
  return CONVERSIONS.has(name) ? conversionOf(name, of, implementation) : implementation;
}

const implementations = once((): Readonly<Record<string, Implementation>> => {
  const shared = byFunction();
  const own = declarations().flatMap((declaration) => {
    const implementation = shared[declaration.name];
    if (implementation === undefined) return [];
    const run = forAllTypes(withErrors(declaration, implementation));
    return declaration.overloads.map(({ id }) => [id, run] as const);
  });
  return { ...Object.fromEntries(own), ...timeImplementations() };
});

/** Returns the cost of traversing a string: a tenth of a unit for each character. */
export const traversal = (size: number): number => Math.ceil(size * 0.1);
/** Returns the cost of a call that reads its first argument `times` times. */
export const reading = (times: number): OverloadCost => ({
  actual: ([argument]) => traversal(costSize(argument as Outcome) * times),
});
/** Returns the cost of a pattern: a unit for every four characters. */
export const patternCost = (size: number): number => Math.ceil(size * 0.25);

type Sizes = (first: number, second: number) => number;
const bySize = (cost: Sizes): OverloadCost => ({
  actual: ([a, b]) => cost(costSize(a as Outcome), costSize(b as Outcome)),
  certainOnly: true,
});
const FIRST = bySize((a) => traversal(a));
const SHORTER = bySize((a, b) => traversal(Math.min(a, b)));
const BOTH = bySize((a, b) => traversal(a + b));
const MATCHING = bySize((a, b) => traversal(1 + a) * patternCost(b));

const COMPARISONS = ['less', 'less_equals', 'greater', 'greater_equals'];
const costs = (): Readonly<Record<string, OverloadCost>> => ({
  ...Object.fromEntries(COMPARISONS.flatMap((word) => ['string', 'bytes'].map((type) => [`${word}_${type}`, SHORTER]))),
  equals: SHORTER,
  not_equals: SHORTER,
  add_string: BOTH,
  add_bytes: BOTH,
  in_list: bySize((_, b) => b),
  matches_string: MATCHING,
  contains_string: bySize((a, b) => traversal(a) * traversal(b)),
  starts_with_string: FIRST,
  ends_with_string: FIRST,
  string_to_bytes: FIRST,
  bytes_to_string: FIRST,
});

/** Types that expressions can refer to by name. */
const NAMED = [
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf(DYN),
  mapOf(DYN, DYN),
  NULL,
  STRING,
  TIMESTAMP,
  typeOf(),
  UINT,
];

/** The library of the language itself. */
export const standard: Library = withTables(
  () => ({ functions: declarations(), implementations: implementations(), costs: costs() }),
  { name: 'standard', types: NAMED, messages: wellKnownMessages },
);

const ORDERINGS: ReadonlySet<string> = new Set([
  OPERATORS.less,
  OPERATORS.lessEquals,
  OPERATORS.greater,
  OPERATORS.greaterEquals,
]);

/**
 * The library of the language in releases before Kubernetes 1.28. In these, numbers of different types cannot be compared: `1.5 > 1` is a
 * checking error.
 */
export const standardOfOneType: Library = withTables(
  () => {
    const functions = declarations().map((one) =>
      ORDERINGS.has(one.name) ? { ...one, overloads: one.overloads.filter(({ parameters: [a, b] }) => a === b) } : one,
    );
    const declared = new Set(functions.flatMap(({ overloads: of }) => of.map(({ id }) => id)));
    const own = Object.entries(implementations()).filter(([id]) => declared.has(id));
    return { functions, implementations: Object.fromEntries(own), costs: costs() };
  },
  { name: 'standard', types: NAMED, messages: wellKnownMessages },
);

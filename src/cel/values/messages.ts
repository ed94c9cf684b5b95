import { once } from '../../values/memoize.js';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  type SimpleType,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapperOf,
} from '../typing/type.js';
import { ArrayList } from './lists.js';
import { MapBuilder } from './maps.js';
import { Double, Uint } from './numbers.js';
import { toDuration, toTimestamp } from './time.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from './value.js';

/** An object that an expression can construct by the name of a type: `T{field: value}`. */
export interface Message {
  /** The type of the value that {@link make} returns. */
  readonly type: Type;
  readonly fields: Readonly<Record<string, Type>>;
  /** Constructs the value from its fields. If the checker ran, the field values have their declared types; unset fields are absent. */
  make(fields: ReadonlyMap<string, Value>): Outcome;
}

const NANOS = 1_000_000_000n;
const INT32: readonly [bigint, bigint] = [-(2n ** 31n), 2n ** 31n - 1n];
const UINT32: readonly [bigint, bigint] = [0n, 2n ** 32n - 1n];

const wrapper = (of: Type, none: Value, convert: (value: Value) => Outcome = (value) => value): Message => ({
  type: wrapperOf(of as SimpleType),
  fields: { value: of },
  make: (fields) => convert(fields.get('value') ?? none),
});

/** Returns a conversion that only checks that a value is in the range of a smaller integer type. */
const within =
  ([least, most]: readonly [bigint, bigint]) =>
  (value: Value): Outcome => {
    const exact = integerOf(value);
    return exact < least || exact > most ? new EvaluationError('integer overflow') : value;
  };

function integerOf(value: Value | undefined): bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  return value instanceof Uint ? BigInt(value.value) : 0n;
}

/** Returns the fields `seconds` and `nanos` together, in nanoseconds. */
const nanosecondsOf = (fields: ReadonlyMap<string, Value>): bigint =>
  integerOf(fields.get('seconds')) * NANOS + integerOf(fields.get('nanos'));

function timestamp(fields: ReadonlyMap<string, Value>): Outcome {
  const all = nanosecondsOf(fields);
  const nanos = ((all % NANOS) + NANOS) % NANOS;
  return toTimestamp(Number((all - nanos) / NANOS), Number(nanos)) ?? new EvaluationError('timestamp overflow');
}

/** Returns a value as JSON represents it: all numbers are doubles, and ints that a double cannot hold are strings. */
function jsonOf(value: Value): Outcome {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint) {
    const exact = Number(integerOf(value));
    return Number.isSafeInteger(exact) ? new Double(exact) : String(integerOf(value));
  }
  if (value instanceof ListValue) return jsonList(value);
  return value instanceof MapValue ? jsonMap(value) : value;
}

function jsonList(list: ListValue): Outcome {
  const values: Value[] = [];
  for (let i = 0; i < list.size; i++) {
    const element = list.at(i);
    const value = element instanceof EvaluationError ? element : jsonOf(element);
    if (value instanceof EvaluationError) return value;
    values.push(value);
  }
  return new ArrayList(values);
}

function jsonMap(map: MapValue): Outcome {
  const builder = new MapBuilder();
  for (const key of map.keys()) {
    if (typeof key !== 'string') return new EvaluationError('bad key type');
    const member = map.get(key) ?? null;
    const value = member instanceof EvaluationError ? member : jsonOf(member);
    if (value instanceof EvaluationError) return value;
    builder.add(key, value);
  }
  return builder.done();
}

const JSON_MAP = mapOf(STRING, DYN);
const JSON_LIST = listOf(DYN);

/**
 * The protobuf messages that are built into the language. `Any` contains the bytes of another message, which this server does not parse.
 */
export const wellKnownMessages = once(
  (): Readonly<Record<string, Message>> => ({
    'google.protobuf.Any': {
      type: ANY,
      fields: { type_url: STRING, value: BYTES },
      make: (fields) => new EvaluationError(`unknown type: '${String(fields.get('type_url') ?? '')}'`),
    },
    'google.protobuf.BoolValue': wrapper(BOOL, false),
    'google.protobuf.BytesValue': wrapper(BYTES, new Uint8Array()),
    'google.protobuf.DoubleValue': wrapper(DOUBLE, new Double(0)),
    'google.protobuf.FloatValue': wrapper(DOUBLE, new Double(0), (value) =>
      value instanceof Double ? new Double(Math.fround(value.value)) : value,
    ),
    'google.protobuf.Int32Value': wrapper(INT, 0, within(INT32)),
    'google.protobuf.Int64Value': wrapper(INT, 0),
    'google.protobuf.StringValue': wrapper(STRING, ''),
    'google.protobuf.UInt32Value': wrapper(UINT, new Uint(0), within(UINT32)),
    'google.protobuf.UInt64Value': wrapper(UINT, new Uint(0)),
    'google.protobuf.Duration': {
      type: DURATION,
      fields: { seconds: INT, nanos: INT },
      make: (fields) => toDuration(nanosecondsOf(fields)) ?? new EvaluationError('duration overflow'),
    },
    'google.protobuf.Timestamp': { type: TIMESTAMP, fields: { seconds: INT, nanos: INT }, make: timestamp },
    'google.protobuf.Struct': {
      type: JSON_MAP,
      fields: { fields: JSON_MAP },
      make: (fields) => jsonOf(fields.get('fields') ?? new MapBuilder().done()),
    },
    'google.protobuf.ListValue': {
      type: JSON_LIST,
      fields: { values: JSON_LIST },
      make: (fields) => jsonOf(fields.get('values') ?? new ArrayList([])),
    },
    'google.protobuf.Value': {
      type: DYN,
      fields: {
        null_value: NULL,
        number_value: DOUBLE,
        string_value: STRING,
        bool_value: BOOL,
        struct_value: JSON_MAP,
        list_value: JSON_LIST,
      },
      make: (fields) => jsonOf([...fields.values()].at(-1) ?? null),
    },
  }),
);

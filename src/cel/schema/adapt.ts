import type { ListSchema, Schema } from '../../schema/schema.js';
import type { ObjectType, Plain, Type } from '../typing/type.js';
import { ListView, SetView } from '../values/lists.js';
import { MapView, ObjectView } from '../values/maps.js';
import { canonicalInt, Double, INT_MAX, INT_MIN } from '../values/numbers.js';
import { isDate, parseDuration, parseTimestamp, Timestamp, toTimestamp } from '../values/time.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { KeyedView } from './keyed-list.js';

/** Converts a value inside an API object, whatever its depth, to a CEL value. */
export type Reader = (member: unknown) => Outcome;

const invalid = (message: string): EvaluationError => new EvaluationError(`invalid data, ${message}`);
const noObject = () => invalid('expected a map for the provided schema with type=object');
const wrongType = (expectedType: string, member: unknown) =>
  invalid(`expected ${expectedType}, got ${typeInUpstream(member)}`);

/** Returns the name that upstream gives the type of a member of an API object. */
function typeInUpstream(member: unknown): string {
  switch (typeof member) {
    case 'symbol':
      return member.description ?? '';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(member) ? 'int64' : 'float64';
    case 'object':
      return Array.isArray(member) ? '[]interface {}' : 'map[string]interface {}';
    default:
      return typeof member;
  }
}

/** Returns the reader of a schema, extended for null: null is converted to null if the schema is nullable, and to an error otherwise. */
export const nullable = (schema: Schema, place: Readable): Reader => withNull(schema, place, null);

/** Returns a reader for a property. If the schema allows null, a property that is null counts as absent. */
export const ofProperty = (schema: Schema, place: Readable): ((member: unknown) => Outcome | undefined) =>
  withNull(schema, place, undefined);

interface Readable {
  readonly type: Type;
  readonly read: Reader;
}

function withNull<T>(schema: Schema, { type, read }: Readable, value: T): (member: unknown) => Outcome | T {
  const ofNull = () => (schema.nullable === true ? value : invalid('got null for schema with nullable=false'));
  if (type.kind !== 'object') return (member) => (member === null ? ofNull() : read(member));
  // Most members that are read are objects. This closure converts them itself, which saves a call of `read`.
  return (member) => {
    if (isObject(member)) return new ObjectView(member, type);
    return member === null ? ofNull() : read(member);
  };
}

export const readObject =
  (type: ObjectType): Reader =>
  (member) => {
    if (!isObject(member)) return noObject();
    return new ObjectView(member, type);
  };

export const readMap =
  (values: Reader): Reader =>
  (member) =>
    isObject(member) ? new MapView(member, values, true) : noObject();

export function readList(schema: ListSchema, items: Reader, plain: Plain | undefined, element: Type): Reader {
  const { listType, mapKeys = [] } = schema;
  const objects = element.kind === 'object' ? element : undefined;
  return (member) => {
    if (!Array.isArray(member)) return invalid('expected an array for the provided schema with type=array');
    if (listType === 'set') return new SetView(member, items, plain, undefined, items);
    if (listType === 'map') return new KeyedView(member, items, mapKeys, items, objects);
    return new ListView(member, items, plain, objects, items);
  };
}

export const readText: Reader = (member) => (typeof member === 'string' ? member : wrongType('string', member));
export const readBool: Reader = (member) => (typeof member === 'boolean' ? member : wrongType('bool', member));
export const readNumber: Reader = (member) => {
  if (typeof member === 'number') return new Double(member);
  return typeof member === 'bigint' ? new Double(Number(member)) : wrongType('float', member);
};

export const readInt: Reader = (member) => {
  if (typeof member === 'number') {
    if (Number.isSafeInteger(member)) return member;
    if (Number.isInteger(member)) return clampInt(BigInt(member));
  }
  return typeof member === 'bigint' ? clampInt(member) : wrongType('int', member);
};
/** Limits a number to the range of int64, because JSON numbers that passed through a double may have been rounded beyond it. */
function clampInt(value: bigint): Value {
  if (value > INT_MAX) return INT_MAX;
  return canonicalInt(value < INT_MIN ? INT_MIN : value);
}

export const readIntOrString: Reader = (member) => {
  if (typeof member === 'string') return member;
  const value = readInt(member);
  return value instanceof EvaluationError
    ? invalid('expected XIntOrString value to be either a string or integer')
    : value;
};

/** The readers of string schemas, by `format`. Each one converts a string in that format to its CEL value. */
export const FORMAT_READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['byte', readFormatted(readBytes)],
  ['duration', readFormatted(parseDuration)],
  ['date', readFormatted(readDate)],
  ['date-time', readFormatted(readTime)],
  ['micro-time', readFormatted(readTime)],
]);

function readFormatted(parse: (text: string) => Value | undefined): Reader {
  return (member) => {
    if (typeof member !== 'string') return wrongType('string', member);
    return parse(member) ?? invalid(`'${member.slice(0, 100)}' is not of the format that the schema names`);
  };
}

function readBytes(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
function readDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const [, year = 0, month = 0, day = 0] = match?.map(Number) ?? [];
  if (!isDate(year, month, day)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return toTimestamp(date.getTime() / 1000, 0);
}
function readTime(text: string): Timestamp | undefined {
  const time = parseTimestamp(text);
  return time instanceof Timestamp ? time : undefined;
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (member: unknown): member is Members =>
  typeof member === 'object' && member !== null && !Array.isArray(member);

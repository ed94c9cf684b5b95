import type { ListSchema, Schema } from '../../schema/schema.js';
import type { Type } from '../typing/type.js';
import { KeyedView } from '../values/keyed-list.js';
import { type Adapt, ListView, SetView } from '../values/lists.js';
import { MapView, ObjectView } from '../values/maps.js';
import { adaptDynamic } from '../values/natives.js';
import { Double, toInt64 } from '../values/numbers.js';
import { plainBool, plainText } from '../values/plain.js';
import { isDate, parseDuration, parseTimestamp, Timestamp } from '../values/time.js';
import { EvaluationError, type Outcome } from '../values/value.js';
import { escapeName } from './escape.js';
import type { SchemaType } from './schema-type.js';

type Members = Readonly<Record<string, unknown>>;
const wrong = (message: string): EvaluationError => new EvaluationError(message);

/** Makes values of what a place of an API object holds. Lists, maps and objects are viewed, not copied. */
export function adapterOf(schema: Schema, place: SchemaType): Adapt {
  const adapt = typed(schema, place);
  const { nullable } = schema;
  return (member) => {
    if (member !== null && member !== undefined) return adapt(member);
    return nullable === true ? null : wrong('invalid data, got null for schema with nullable=false');
  };
}

/** As a field of an object: null is as good as absent. */
export function fieldAdapterOf(schema: Schema, place: SchemaType): Adapt {
  const adapt = typed(schema, place);
  if (adapt === asText) return plainText;
  if (adapt === asBool) return plainBool;
  return (member) => (member === null ? undefined : adapt(member));
}

function typed(schema: Schema, place: SchemaType): Adapt {
  switch (schema.type) {
    case 'list':
      return listAdapter(schema, place);
    case 'map': {
      const values = place.values && adapterOf(schema.values, place.values);
      return (member) => (isObject(member) ? new MapView(member, values) : wrong(EXPECTED_MAP));
    }
    case 'object':
      return objectAdapter(place.type);
    case 'string':
      return textAdapter(schema.format);
    case 'integer':
      return toInt;
    case 'number':
      return (member) => (typeof member === 'number' ? new Double(member) : wrong('invalid data, expected a number'));
    case 'boolean':
      return asBool;
    case 'intOrString':
      return (member) =>
        typeof member === 'string' || Number.isInteger(member)
          ? adaptDynamic(member)
          : wrong('invalid data, expected XIntOrString value to be either a string or integer');
    default:
      return adaptDynamic;
  }
}

const EXPECTED_MAP = 'invalid data, expected a map for the provided schema with type=object';
const isObject = (member: unknown): member is Members =>
  typeof member === 'object' && member !== null && !Array.isArray(member);

function objectAdapter(type: Type): Adapt {
  return (member) => {
    if (!isObject(member)) return wrong(EXPECTED_MAP);
    return type.kind === 'object' ? new ObjectView(member, type) : adaptDynamic(member);
  };
}

function listAdapter(schema: ListSchema, { items }: SchemaType): Adapt {
  const adapt = items && adapterOf(schema.items, items);
  const expected = 'invalid data, expected an array for the provided schema with type=array';
  if (schema.listType === 'set') {
    return (member) => (Array.isArray(member) ? new SetView(member, adapt) : wrong(expected));
  }
  const keys = schema.listType === 'map' ? (schema.mapKeys ?? []).map((key) => escapeName(key) ?? key) : [];
  if (keys.length > 0) {
    return (member) => (Array.isArray(member) ? new KeyedView(member, keys, adapt) : wrong(expected));
  }
  return (member) => (Array.isArray(member) ? new ListView(member, adapt) : wrong(expected));
}

function toInt(member: unknown): Outcome {
  if (typeof member === 'number') {
    if (Number.isSafeInteger(member)) return member;
    if (Number.isInteger(member)) return toInt64(BigInt(member)) ?? wrong('integer overflow');
  }
  return typeof member === 'bigint' ? member : wrong('invalid data, expected an integer');
}

const asBool = (member: unknown): Outcome =>
  typeof member === 'boolean' ? member : wrong('invalid data, expected a boolean');
const asText = (member: unknown): Outcome =>
  typeof member === 'string' ? member : wrong('invalid data, expected a string');

function textAdapter(format: string | undefined): Adapt {
  const parse = PARSERS[format ?? ''];
  if (parse === undefined) return asText;
  return (member) => (typeof member === 'string' ? parse(member) : asText(member));
}

const PARSERS: Readonly<Record<string, (text: string) => Outcome>> = {
  byte: (text) => decodeBase64(text) ?? wrong(`Invalid byte formatted string ${text}`),
  duration: (text) => parseDuration(text) ?? wrong(`Invalid duration ${text}`),
  date: (text) => parseDate(text) ?? wrong(`Invalid date formatted string ${text}`),
  'date-time': dateTime,
  'micro-time': dateTime,
};

function dateTime(text: string): Outcome {
  const time = parseTimestamp(text.replace('t', 'T').replace(/z$/, 'Z'));
  return time === undefined || time === 'range' ? wrong(`Invalid date-time formatted string ${text}`) : time;
}

function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null || !isDate(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  const time = parseTimestamp(`${text}T00:00:00Z`);
  return time instanceof Timestamp ? time : undefined;
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

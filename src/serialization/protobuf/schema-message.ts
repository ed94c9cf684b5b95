import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';
import { inline, type Message, type MessageField, mapOf, message, repeated, single } from './message.js';
import { boolean, bytes, double, float, int32, int64, text, type ValueCodec } from './scalars.js';
import { intOrString, listMessage, microTime, quantity, rawExtension, time, variantMessage } from './well-known.js';

const messages = new WeakMap<ObjectSchema, Message>();

/**
 * Returns the message of a struct, which is created once; undefined if its fields have no numbers, as in custom resources. Properties
 * without a number (`kind` and `apiVersion`) are not part of the message.
 */
export function messageOf(schema: ObjectSchema): Message | undefined {
  const known = messages.get(schema);
  if (known !== undefined) return known;
  const { definition = '', properties } = schema;
  // A built-in struct without any fields is an empty message, although no field has a number.
  const isEmpty = definition !== '' && properties.size === 0;
  if (!isEmpty && ![...properties.values()].some(({ number }) => number !== undefined)) return undefined;
  const structMessage = message(definition.slice(definition.lastIndexOf('.') + 1), () => fieldsOf(schema));
  messages.set(schema, structMessage);
  return structMessage;
}

/** A property with its path: the field numbers of the messages that contain it, then its own number. */
interface Placed {
  readonly name: string;
  readonly property: Property;
  readonly path: readonly number[];
}

function fieldsOf({ properties }: ObjectSchema): MessageField[] {
  const placed: Placed[] = [];
  for (const [name, property] of properties) {
    const { number } = property;
    if (number !== undefined) placed.push({ name, property, path: typeof number === 'number' ? [number] : number });
  }
  return placedFields(placed);
}

function placedFields(placed: readonly Placed[]): MessageField[] {
  const fields: MessageField[] = [];
  const inlined = new Map<number, Placed[]>();
  for (const { name, property, path } of placed) {
    const [number = 0, ...inner] = path;
    if (inner.length === 0) fields.push(fieldOf(number, name, property));
    else inlined.set(number, [...(inlined.get(number) ?? []), { name, property, path: inner }]);
  }
  for (const [number, members] of inlined) {
    const name = `field ${number}`;
    const inside = message(name, () => placedFields(members));
    fields.push(inline(number, inside, name));
  }
  return fields;
}

function fieldOf(number: number, name: string, { schema, presence }: Property): MessageField {
  if (schema.type === 'list' && schema.ownMessage)
    return single(number, name, listMessage(codecOf(schema.items)), true);
  if (schema.type === 'list') return repeated(number, name, codecOf(schema.items));
  if (schema.type === 'map') return mapOf(number, name, codecOf(schema.values));
  // Fields that are not pointers upstream are written even if they are empty. Byte slices are the exception.
  const byValue = (presence === 'omitEmpty' || presence === 'always') && !isBytes(schema);
  return single(number, name, codecOf(schema), !byValue);
}

const isBytes = (schema: Schema) => schema.type === 'string' && schema.format === 'byte';

/**
 * Returns the codec of a schema.
 * @throws TypeError for a struct without field numbers inside a struct with field numbers, which is an error in the schema.
 */
function codecOf(schema: Schema): ValueCodec {
  switch (schema.type) {
    case 'object': {
      const message = messageOf(schema);
      if (message === undefined)
        throw new TypeError(`no field numbers of ${schema.definition ?? 'a struct without a name'}`);
      return message;
    }
    case 'list':
      return listMessage(codecOf(schema.items));
    case 'string':
      return stringCodec(schema.format);
    case 'integer':
      return schema.format === 'int32' ? int32 : int64;
    case 'number':
      return schema.format === 'float' ? float : double;
    case 'boolean':
      return boolean;
    case 'intOrString':
      return intOrString;
    case 'any':
      return schema.variants === undefined ? rawExtension : variantMessage(schema.variants, codecOf);
    case 'map':
      throw new TypeError('a map can only be the value of a field');
  }
}

function stringCodec(format: string | undefined): ValueCodec {
  switch (format) {
    case 'date-time':
      return time;
    case 'micro-time':
      return microTime;
    case 'byte':
      return bytes;
    case 'quantity':
      return quantity;
    default:
      return text;
  }
}

import type { ObjectSchema, Property, Schema, StringSchema } from '../../schema/schema.js';
import { utf8Length } from '../../values/utf8.js';
import type { Bounds } from '../cost/cost.js';
import type { Path } from '../cost/estimate.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type Field,
  INT,
  listOf,
  mapOf,
  objectType,
  type Plain,
  STRING,
  TIMESTAMP,
  type Type,
} from '../typing/type.js';
import {
  FORMAT_READERS,
  nullable,
  ofProperty,
  type Reader,
  readBool,
  readInt,
  readIntOrString,
  readList,
  readMap,
  readNumber,
  readObject,
  readText,
} from './adapt.js';
import { escapeName, isReserved } from './escape.js';

/** The maximum size of a request in bytes. It limits the size of every value for which the schema has no limit. */
export const MAX_REQUEST_SIZE = 3 * 1024 * 1024;

/** The CEL type of the values that one schema describes, with the sizes from which costs are estimated. */
export interface SchemaType {
  readonly type: Type;
  /** The maximum number of elements of a list or map, or of bytes of a string; 0 for values without a size. */
  readonly maxElements: number;
  /** Converts a member of an API object that the schema describes to a CEL value. */
  readonly read: Reader;
  readonly items?: SchemaType;
  readonly values?: SchemaType;
  /** Returns the schema type of the field that has this name in expressions. */
  field(name: string): SchemaType | undefined;
}

const STRING_SCHEMA: Schema = Object.freeze({ type: 'string' });
/** The readers that return some members unchanged, each with the JavaScript type of those members. */
const PLAIN: ReadonlyMap<Reader, Plain> = new Map([
  [readText, 'string'],
  [readBool, 'boolean'],
  [readInt, 'number'],
]);
const KEY: SchemaType = { type: STRING, maxElements: 0, read: readText, field: () => undefined };

export interface SchemaTypeOptions {
  /** The name of the type, which is also the prefix of the names of nested types. Default: `object`. */
  readonly name?: string;
  /** Whether the schema describes a whole object, which has `apiVersion`, `kind` and the names in `metadata`. Default: false. */
  readonly resource?: boolean;
  /** Whether a property named by a reserved word (`namespace`) can also be used without escapes, as from release 1.31. Default: false. */
  readonly reservedNames?: boolean;
}

/** Returns the type that a schema describes; undefined for a schema without a type, because expressions cannot see its values. */
export function schemaType(schema: Schema, options: SchemaTypeOptions = {}): SchemaType | undefined {
  const { name = 'object', resource = false, reservedNames = false } = options;
  return place(schema, { name, reservedNames, definitions: [] }, resource);
}

/** The position of a schema within the schema of the whole object. */
interface At {
  readonly name: string;
  readonly reservedNames: boolean;
  /** The OpenAPI definitions of built-in kinds around this position, the outermost first. */
  readonly definitions: readonly string[];
}
const below = (at: At, name: string): At => ({ ...at, name: `${at.name}.${name}` });

const MACHINERY = 'io.k8s.apimachinery.pkg';
const QUANTITY_DEFINITION = `${MACHINERY}.api.resource.Quantity`;
/** Definitions of built-in kinds that OpenAPI describes as objects without properties. */
const EMPTY_OBJECTS: ReadonlySet<string | undefined> = new Set([
  `${MACHINERY}.apis.meta.v1.FieldsV1`,
  `${MACHINERY}.runtime.RawExtension`,
]);
const EMPTY_OBJECT: ObjectSchema = Object.freeze({ type: 'object', properties: new Map() });

/**
 * Returns sizes for a cost estimate. The first name of a path is a variable; every variable is assumed to hold the value that the schema
 * describes.
 */
export function sizesOf(root: SchemaType): (at: { readonly path: Path | undefined }) => Bounds | undefined {
  return ({ path }) => {
    if (path === undefined || path.length === 0) return undefined;
    let at: SchemaType | undefined = root;
    for (let i = 1; i < path.length && at !== undefined; i++) at = step(at, path[i] ?? '');
    return at === undefined ? undefined : { min: 0, max: at.maxElements };
  };
}

function step(at: SchemaType, name: string): SchemaType | undefined {
  if (name === '@items' || name === '@values') return at.items ?? at.values;
  if (name === '@keys') return at.values && KEY;
  return at.field(name);
}

function place(schema: Schema, at: At, resource: boolean): SchemaType | undefined {
  switch (schema.type) {
    case 'any':
      return EMPTY_OBJECTS.has(schema.definition) ? objectPlace(EMPTY_OBJECT, at) : undefined;
    case 'list': {
      const items = place(schema.items, below(at, '@idx'), isEmbedded(schema.items));
      if (items === undefined) return undefined;
      const most = Math.floor((MAX_REQUEST_SIZE - 2) / (minSize(schema.items) + 1));
      const read = readList(schema, nullable(schema.items, items), PLAIN.get(items.read), items.type);
      return { ...simple(listOf(items.type), read, positive(schema.maxItems) ?? most), items };
    }
    case 'map': {
      const values = place(schema.values, below(at, '@elem'), isEmbedded(schema.values));
      if (values === undefined) return undefined;
      const most = Math.floor((MAX_REQUEST_SIZE - 2) / (minSize(schema.values) + 6));
      const read = readMap(nullable(schema.values, values));
      return { ...simple(mapOf(STRING, values.type), read, positive(schema.maxProperties) ?? most), values };
    }
    case 'object':
      if (schema.declaredType === 'intOrString') return simple(DYN, readIntOrString, MAX_REQUEST_SIZE - 2);
      // As schemas without properties, those without a type are unknown to expressions.
      if (schema.declaredType !== undefined) return undefined;
      if (schema.definition !== undefined) return definedPlace(schema, schema.definition, at, resource);
      return objectPlace(resource ? asResource(schema) : schema, at);
    case 'string':
      // In OpenAPI, a quantity is a string or a number and has no type.
      return schema.definition === QUANTITY_DEFINITION ? undefined : textPlace(schema);
    case 'integer':
      return simple(INT, readInt);
    case 'number':
      return simple(DOUBLE, readNumber);
    case 'boolean':
      return simple(BOOL, readBool);
    case 'intOrString':
      return simple(DYN, readIntOrString, MAX_REQUEST_SIZE - 2);
  }
}

/** Places an object with a definition. As in upstream, an object inside an object with the same definition has no fields. */
function definedPlace(schema: ObjectSchema, definition: string, at: At, resource: boolean): SchemaType {
  if (at.definitions.includes(definition)) return objectPlace(EMPTY_OBJECT, at);
  return objectPlace(resource ? asResource(schema) : schema, { ...at, definitions: [...at.definitions, definition] });
}

/** Returns whether a schema describes a whole object of the API within another one. */
export const isEmbedded = (schema: Schema): boolean => schema.type === 'object' && schema.embeddedResource === true;
const positive = (value: number | undefined): number | undefined => (value === undefined ? value : Math.max(0, value));
const simple = (type: Type, read: Reader, maxElements = 0): SchemaType => ({
  type,
  maxElements,
  read,
  field: () => undefined,
});

function textPlace(schema: StringSchema): SchemaType {
  const { format = '', maxLength } = schema;
  const read = FORMAT_READERS.get(format) ?? readText;
  switch (format) {
    case 'byte':
      return simple(BYTES, read, positive(maxLength) ?? MAX_REQUEST_SIZE - 2);
    case 'duration':
      return simple(DURATION, read, 32);
    case 'date':
      return simple(TIMESTAMP, read, 12);
    case 'date-time':
    case 'micro-time':
      return simple(TIMESTAMP, read, 32);
  }
  // The schema limits the number of characters, but costs count bytes, so each character counts as the maximum of four bytes.
  if (maxLength !== undefined) return simple(STRING, read, Math.max(0, maxLength) * 4);
  // The enumeration of a custom resource definition may contain null and other values that no string equals.
  const texts = (schema.enum ?? []).filter((value: unknown) => typeof value === 'string');
  const longest = texts.reduce((most, value) => Math.max(most, utf8Length(value)), 0);
  return simple(STRING, read, schema.enum?.length ? longest : MAX_REQUEST_SIZE - 2);
}

/** Makes the type of an object. Fields are created on first use, because schemas may be wide or recursive. */
function objectPlace(schema: ObjectSchema, at: At): SchemaType {
  const properties = new Map<string, string>();
  const aliases = new Map<string, string>();
  for (const property of schema.properties.keys()) {
    const escaped = escapeName(property);
    if (escaped === undefined) continue;
    properties.set(escaped, property);
    if (at.reservedNames && isReserved(property)) aliases.set(property, escaped);
  }
  const places = new Map<string, SchemaType | undefined>();
  // As in upstream, sizes and the names of types are those of escaped names: a reserved word without escapes has no known size.
  const field = (escaped: string): SchemaType | undefined => {
    if (places.has(escaped)) return places.get(escaped);
    const property = properties.get(escaped) ?? '';
    const own = properties.has(escaped) ? schema.properties.get(property)?.schema : undefined;
    const placed = own && place(own, below(at, escaped), isEmbedded(own));
    places.set(escaped, placed);
    return placed;
  };
  const get = (requestedName: string): Field | undefined => {
    const escaped = aliases.get(requestedName) ?? requestedName;
    const known = fields.get(escaped);
    if (known !== undefined) return known;
    const placed = field(escaped);
    const property = properties.get(escaped);
    const own = property === undefined ? undefined : schema.properties.get(property)?.schema;
    if (placed === undefined || property === undefined || own === undefined) return undefined;
    const plain = placed.type.kind === 'object' ? 'object' : PLAIN.get(placed.read);
    const adapt = ofProperty(own, placed);
    const fieldOfSchema: Field = { type: placed.type, property, adapt, ...(plain === undefined ? {} : { plain }) };
    fields.set(escaped, fieldOfSchema);
    return fieldOfSchema;
  };
  const fields = new Map<string, Field>();
  function* names(): Iterable<string> {
    for (const escaped of properties.keys()) if (field(escaped) !== undefined) yield escaped;
  }
  const type = objectType(at.name, { get, names });
  return { type, maxElements: 0, read: readObject(type), field };
}

const FORMAT_SIZES = new Map([
  ['duration', 3],
  ['date', 12],
  ['date-time', 21],
  ['micro-time', 21],
]);
const minSizes = new WeakMap<Schema, number>();

/** Returns the minimum size, in bytes of JSON, of a value that the schema describes. */
export function minSize(schema: Schema): number {
  const known = minSizes.get(schema);
  if (known !== undefined) return known;
  // A schema can contain itself. The recursion then finds this preliminary size and ends.
  minSizes.set(schema, 2);
  const size = findMinSize(schema);
  minSizes.set(schema, size);
  return size;
}

function findMinSize(schema: Schema): number {
  switch (schema.type) {
    case 'integer':
    case 'number':
    case 'intOrString':
      return 1;
    case 'boolean':
      return 4;
    case 'string':
      return FORMAT_SIZES.get(schema.format ?? '') ?? 2;
    case 'object': {
      let size = 2;
      for (const [name, { schema: own, required }] of schema.properties) {
        if (required && own.default === undefined && isVisible(own)) size += utf8Length(name) + minSize(own) + 4;
      }
      return size;
    }
    default:
      return 2;
  }
}

function isVisible(schema: Schema): boolean {
  if (schema.type === 'list') return isVisible(schema.items);
  if (schema.type === 'map') return isVisible(schema.values);
  return schema.type !== 'any';
}

/** Adds to the schema of a whole object the members that every such object has. Other metadata is not visible to expressions. */
function asResource(schema: ObjectSchema): ObjectSchema {
  const { properties } = schema;
  const metadata = properties.get('metadata')?.schema;
  const named = metadata?.type === 'object' ? metadata.properties : undefined;
  const isText = (property: Property | undefined) => property?.schema.type === 'string';
  const whole = isText(properties.get('kind')) && isText(properties.get('apiVersion'));
  if (whole && isText(named?.get('name')) && isText(named?.get('generateName'))) return schema;
  const text: Property = { schema: STRING_SCHEMA };
  const names = new Map([
    ['name', text],
    ['generateName', text],
  ]);
  return {
    ...schema,
    properties: new Map<string, Property>([
      ...properties,
      ['kind', text],
      ['apiVersion', text],
      ['metadata', { schema: { type: 'object', properties: names } }],
    ]),
  };
}

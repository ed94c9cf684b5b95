/**
 * Functions to declare structs in code, one field per line with its protobuf number. They are used for configuration files and for the few
 * structs of the API that differ between the API dialects. All other structs are in tables (field-table.ts).
 *
 * ```ts
 * const secretReference = struct('io.k8s.api.core.v1.SecretReference', 'Names a secret.', () => ({
 *   name: omitEmpty(string(), 1, 'Name of the secret.'),
 *   namespace: omitEmpty(string(), 2, 'Its namespace.'),
 * }), { mapType: 'atomic' });
 *
 * const widget = topLevel('io.example.v1.Widget', 'A widget.', () => ({   // object-meta-schema.ts: adds kind, apiVersion, metadata
 *   spec: always(struct('io.example.v1.WidgetSpec', 'Wanted.', () => ({   // a struct held by value: {} when absent
 *     size: required(int32(), 1, 'The size.'),             // in OpenAPI's `required`; 0 when absent
 *     paused: omitNull(boolean(), 2, 'Whether it rests.'), // a pointer: false stays
 *     secret: omitNull(secretReference, 3, 'The secret.'), // a pointer to a struct
 *     tags: omitEmpty(listSet(string()), 4, 'Tags.'),
 *     parts: omitEmpty(listMap(part, ['name']), 5, 'The parts.', { patchStrategy: ['merge'], patchMergeKey: 'name' }),
 *     started: always(time(), 6, 'When it began.'),        // null when absent; omitNull(time()) for a pointer
 *   })), 2, 'Wanted.'),
 * }));
 * type Widget = OutputOf<typeof widget>;                   // deep readonly
 * ```
 *
 * Leaves: string boolean int32 int64 double time microTime bytes quantity intOrString any.
 * Containers: struct, list (no declared list type), listAtomic, listSet, listMap, map.
 * Properties: omitEmpty omitNull always required; a bare schema stays as the client sent it.
 *
 * Each function returns the schema itself; its static type exists for the compiler only. Properties are in the order in which upstream
 * serializes them. The fields of a struct are given by a function, which is called when the first field is read. So an unused kind costs
 * next to nothing, and a struct may contain itself. Every function here is marked as free of side effects, so that bundlers drop the kinds
 * that are not imported.
 */
import type { JsonValue } from '../json/value.js';
import type { Filled } from '../meta/sent-form.js';
import { LazyProperties } from './properties.js';
import type { ListSchema, MapSchema, ObjectSchema, Property, Schema, StringSchema, Variants } from './schema.js';

/** A schema of values of type `T`. The type exists for the compiler only, and any zod schema satisfies it, too. */
export interface Typed<T> {
  readonly _zod: { readonly output: T };
}
/** The type of a schema's values. */
export type OutputOf<S extends Typed<unknown>> = S['_zod']['output'];
/** A property that may be absent. */
export interface Optional<T> {
  readonly _zod: { readonly output: T | undefined; readonly optout: 'optional' };
}

/** The fields of a struct: properties, or bare schemas. */
export type Fields = Readonly<Record<string, Typed<unknown>>>;
type OptionalKey<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
/** A property that is always serialized. Clients may leave it out when they send the struct. */
export interface AlwaysShown<T> {
  readonly _zod: { readonly output: T; readonly filled: true };
}
type FilledKey<F extends Fields> = { [K in keyof F]: F[K] extends AlwaysShown<unknown> ? K : never }[keyof F];
/** The values of a struct. Optional properties may be absent and are never `undefined`. */
export type StructOutput<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKey<F>>]: OutputOf<F[K]> } & {
    [K in OptionalKey<F>]?: Exclude<OutputOf<F[K]>, undefined>;
  }
> &
  Filled<FilledKey<F>>;
// Lists and maps that are always serialized are null when empty. Times can be null, too, but their own type already includes null.
type Shown<T> = T extends readonly unknown[]
  ? T | null
  : T extends object
    ? string extends keyof T
      ? T | null
      : T
    : T;

/** Freezes a schema and casts it to a typed schema. */
const typed = <T>(schema: Schema): Typed<T> => Object.freeze(schema) as unknown as Typed<T>;
/** Casts a typed schema to the {@link Schema} that it is at run time. */
const asSchema = (schema: Typed<unknown>): Schema => schema as unknown as Schema;

export interface StringOptions<E extends string = string> {
  readonly enum?: readonly E[];
  /** The type's name in decoding errors, if the Go type has a name of its own, e.g. `v1.SecretType`. */
  readonly typeName?: string;
}
/* @__NO_SIDE_EFFECTS__ */
export function string<const E extends string = string>(options: StringOptions<E> = {}): Typed<E> {
  return typed({ type: 'string', ...options });
}

/* @__NO_SIDE_EFFECTS__ */
export function boolean(): Typed<boolean> {
  return typed({ type: 'boolean' });
}
/* @__NO_SIDE_EFFECTS__ */
export function int32(): Typed<number> {
  return typed({ type: 'integer', format: 'int32' });
}
/* @__NO_SIDE_EFFECTS__ */
export function int64(): Typed<number> {
  return typed({ type: 'integer', format: 'int64' });
}
/* @__NO_SIDE_EFFECTS__ */
export function double(): Typed<number> {
  return typed({ type: 'number', format: 'double' });
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Returns the schema of a time: RFC 3339 in whole seconds. If the property is always serialized, an absent time is null. */
/* @__NO_SIDE_EFFECTS__ */
export function time(): Typed<string | null> {
  return typed({ type: 'string', format: 'date-time', definition: `${META}.Time` });
}
/** Returns the schema of a time with microseconds: RFC 3339 with six digits after the second. */
/* @__NO_SIDE_EFFECTS__ */
export function microTime(): Typed<string | null> {
  return typed({ type: 'string', format: 'micro-time', definition: `${META}.MicroTime` });
}
/** Returns the schema of bytes as a base64 string, with `listType: 'atomic'` if upstream declares it. */
/* @__NO_SIDE_EFFECTS__ */
export function bytes(options: { readonly listType?: 'atomic' } = {}): Typed<string> {
  return typed({ type: 'string', format: 'byte', ...options });
}
/**
 * Returns the schema of a quantity like `500m` or `2Gi`. The client may send a number; the value is stored as a string in canonical form.
 */
/* @__NO_SIDE_EFFECTS__ */
export function quantity(): Typed<string> {
  return typed({ type: 'string', format: 'quantity', definition: 'io.k8s.apimachinery.pkg.api.resource.Quantity' });
}
/* @__NO_SIDE_EFFECTS__ */
export function intOrString(): Typed<number | string> {
  return typed({ type: 'intOrString', definition: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' });
}
export interface AnyOptions {
  /** The name in OpenAPI, e.g. `io.k8s.apimachinery.pkg.runtime.RawExtension`. */
  readonly definition?: string;
  readonly variants?: Variants;
}
/** Returns the schema of arbitrary JSON, which is kept unchanged. */
/* @__NO_SIDE_EFFECTS__ */
export function any(options: AnyOptions = {}): Typed<JsonValue> {
  return typed({ type: 'any', ...options });
}

export interface StructOptions {
  /** `atomic`: the struct is owned and merged as a whole. Default: granular. */
  readonly mapType?: 'atomic';
}
/**
 * Returns the schema of a struct.
 * @param definition its name in OpenAPI, e.g. `io.k8s.api.core.v1.Taint`; decoding errors print its last two parts
 * @param description '' for none
 */
/* @__NO_SIDE_EFFECTS__ */
export function struct<const F extends Fields>(
  definition: string,
  description: string,
  fields: () => F,
  options: StructOptions = {},
): Typed<StructOutput<F>> {
  const schema: ObjectSchema = {
    type: 'object',
    definition,
    ...(description === '' ? {} : { description }),
    properties: new LazyProperties(() => propertiesOf(fields())),
    ...options,
  };
  return typed(schema);
}

function propertiesOf(fields: Fields): ReadonlyMap<string, Property> {
  const properties = new Map<string, Property>();
  for (const [name, field] of Object.entries(fields))
    properties.set(name, isProperty(field) ? field : Object.freeze({ schema: asSchema(field), required: true }));
  return properties;
}
const isProperty = (field: object): field is Property & Typed<unknown> => 'schema' in field;

/** Returns the untyped schema of a struct. @throws TypeError for a schema of another type */
export function structSchema(schema: Typed<unknown>): ObjectSchema {
  const struct = asSchema(schema);
  if (struct.type !== 'object') throw new TypeError('not a struct');
  return struct;
}

export interface ContainerOptions {
  /** The type's name in decoding errors, if the Go type has a name of its own, e.g. `v1.ExtraValue`. */
  readonly typeName?: string;
}
export interface ListOptions extends ContainerOptions {
  /** Whether the list is a message of its own in protobuf, so that an empty list differs from an absent one. */
  readonly ownMessage?: boolean;
}
type ListOf<S extends Typed<unknown>> = Typed<readonly OutputOf<S>[]>;
const listOf = <S extends Typed<unknown>>(item: S, facts: Omit<ListSchema, 'type' | 'items'>): ListOf<S> =>
  typed({ type: 'list', items: asSchema(item), ...facts });
/** Returns a list without a declared list type. It is merged like an atomic list. */
/* @__NO_SIDE_EFFECTS__ */
export function list<S extends Typed<unknown>>(item: S, options: ListOptions = {}): ListOf<S> {
  return listOf(item, options);
}
/* @__NO_SIDE_EFFECTS__ */
export function listAtomic<S extends Typed<unknown>>(item: S): ListOf<S> {
  return listOf(item, { listType: 'atomic' });
}
/* @__NO_SIDE_EFFECTS__ */
export function listSet<S extends Typed<unknown>>(item: S): ListOf<S> {
  return listOf(item, { listType: 'set' });
}
/** Returns a list of structs that are identified by the values of `mapKeys`. */
/* @__NO_SIDE_EFFECTS__ */
export function listMap<S extends Typed<unknown>>(
  item: S,
  mapKeys: readonly string[],
  options: ListOptions = {},
): ListOf<S> {
  return listOf(item, { listType: 'map', mapKeys, ...options });
}

type MapOf<S extends Typed<unknown>> = Typed<{ readonly [key: string]: OutputOf<S> }>;
const mapOf = <S extends Typed<unknown>>(value: S, facts: Omit<MapSchema, 'type' | 'values'>): MapOf<S> =>
  typed({ type: 'map', values: asSchema(value), ...facts });
/* @__NO_SIDE_EFFECTS__ */
export function map<S extends Typed<unknown>>(value: S, options: ContainerOptions = {}): MapOf<S> {
  return mapOf(value, options);
}

export interface PropertyOptions {
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
}
/** The field's number in protobuf; undefined for a field that has no number, such as `kind` and `apiVersion`. */
type Number = number | undefined;
function property(
  schema: Typed<unknown>,
  facts: Omit<Property, 'schema'>,
  number: Number,
  description: string | undefined,
  options: PropertyOptions | undefined,
): unknown {
  return Object.freeze({
    schema: asSchema(schema),
    ...facts,
    ...(number === undefined ? {} : { number }),
    ...(description === undefined ? {} : { description }),
    ...options,
  });
}
type Present<S extends Typed<unknown>> = NonNullable<OutputOf<S>>;

/**
 * Returns a property that is left out when empty: "", 0, false, [], {}. For structs and times use `always` (held by value) or `omitNull` (a
 * pointer).
 */
/* @__NO_SIDE_EFFECTS__ */
export function omitEmpty<S extends Typed<unknown>>(
  schema: S,
  number?: Number,
  description?: string,
  options?: PropertyOptions,
) {
  // The format is read only if the type is string, so the cast is safe.
  const { type, format } = asSchema(schema) as StringSchema;
  if ((type as string) === 'object' || (type === 'string' && /time$/.test(format ?? '')))
    throw new TypeError('a struct or time has no empty form: use always (held by value) or omitNull (a pointer)');
  return property(schema, { presence: 'omitEmpty' }, number, description, options) as Optional<Present<S>>;
}
/** Returns a property that is left out only when null or absent (a pointer with `omitempty` upstream). */
/* @__NO_SIDE_EFFECTS__ */
export function omitNull<S extends Typed<unknown>>(
  schema: S,
  number?: Number,
  description?: string,
  options?: PropertyOptions,
) {
  return property(schema, { presence: 'omitNull' }, number, description, options) as Optional<Present<S>>;
}
/**
 * Returns a property that is always serialized. When absent, it has its zero value: "", 0, false, null (lists, maps, times), the zero
 * struct.
 */
/* @__NO_SIDE_EFFECTS__ */
export function always<S extends Typed<unknown>>(
  schema: S,
  number?: Number,
  description?: string,
  options?: PropertyOptions,
) {
  return property(schema, { presence: 'always' }, number, description, options) as AlwaysShown<Shown<OutputOf<S>>>;
}
/** Returns an `always` property that OpenAPI lists as required. Its static type is never null, because it assumes a validated object. */
/* @__NO_SIDE_EFFECTS__ */
export function required<S extends Typed<unknown>>(
  schema: S,
  number?: Number,
  description?: string,
  options?: PropertyOptions,
) {
  const facts = { presence: 'always', required: true } as const;
  return property(schema, facts, number, description, options) as Typed<Present<S>>;
}

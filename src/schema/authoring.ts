/**
 * How kinds are written: zod schemas with the facts zod has no place for.
 *
 * ```ts
 * const secretReference = struct('io.k8s.api.core.v1.SecretReference', {
 *   name: omitEmpty(string(), 'Name of the secret.'),
 *   namespace: omitEmpty(string()),
 * }, { mapType: 'atomic' });
 *
 * const widget = topLevel('io.example.v1.Widget', {      // object-meta-schema.ts: adds kind, apiVersion, metadata
 *   spec: always(struct('io.example.v1.WidgetSpec', {    // a struct held by value: shows as {} when absent
 *     size: required(int32(), 'The size.'),               // in OpenAPI's `required`; 0 when absent
 *     paused: omitNull(boolean()),                       // a pointer: false stays
 *     secret: omitNull(secretReference),                 // a pointer to a struct
 *     tags: omitEmpty(listSet(string())),
 *     parts: omitEmpty(listMap(part, ['name']), 'The parts.', { patchStrategy: ['merge'], patchMergeKey: 'name' }),
 *     started: always(time()),                           // null when absent; omitNull(time()) for a pointer
 *   })),
 * });
 * type Widget = z.output<typeof widget>;   // deep readonly; also `OutputOf<typeof widget>`
 * const schema = schemaOf(widget);         // zod-to-schema.ts: the IR
 * ```
 *
 * Leaves: string boolean int32 int64 double time microTime bytes quantity intOrString any anyObject.
 * Containers: struct, list (no declared list type), listAtomic, listSet, listMap, map, atomicMap, lazy (recursion).
 * Properties: omitEmpty omitNull always required; a bare schema stays as the client sent it.
 *
 * zod never runs on these; it carries the types and the shape. Properties are in wire order.
 */
import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '../json/value.js';
import { factsOf, type PropertyFacts, recordFacts } from './facts.js';
import type { Schema } from './schema.js';

/** A zod schema of any make. */
export type AnyZod = z.core.$ZodType;
/** A zod schema whose values are `T`. */
export type Typed<T> = z.ZodMiniType<T, T>;
/** The type of a schema's values. */
export type OutputOf<S extends AnyZod> = z.output<S>;
/** A property that may be absent. */
export type Optional<T> = z.ZodMiniOptional<Typed<T>>;

type Fields = Readonly<Record<string, AnyZod>>;
type OptionalKey<F extends Fields> = { [K in keyof F]: F[K]['_zod']['optout'] extends 'optional' ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
/** Values of a struct: optional properties may be absent and are never `undefined`. */
export type StructOutput<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKey<F>>]: z.output<F[K]> } & {
    [K in OptionalKey<F>]?: Exclude<z.output<F[K]>, undefined>;
  }
>;
// Lists and maps that are always shown are null when empty, as are times (whose own type says so).
type Shown<T> = T extends readonly unknown[]
  ? T | null
  : T extends object
    ? string extends keyof T
      ? T | null
      : T
    : T;

function leaf<T>(schema: z.ZodMiniType, ir: Schema): Typed<T> {
  recordFacts(schema, { schema: ir });
  // zod's own output type is wider (string for an enum, unknown for any JSON): the facts narrow it.
  return schema as unknown as Typed<T>;
}

export interface StringOptions<E extends string = string> {
  readonly enum?: readonly E[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Shows in OpenAPI only. */
  readonly format?: string;
  /** Name in decoding errors where upstream has a type of its own, e.g. `v1.SecretType`. */
  readonly typeName?: string;
}
export const string = <const E extends string = string>(options: StringOptions<E> = {}) =>
  leaf<E>(z.string(), { type: 'string', ...options });

export interface NumberOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly typeName?: string;
}
export const boolean = () => leaf<boolean>(z.boolean(), { type: 'boolean' });
export const int32 = (options: NumberOptions = {}) =>
  leaf<number>(z.int32(), { type: 'integer', format: 'int32', ...options });
export const int64 = (options: NumberOptions = {}) =>
  leaf<number>(z.int(), { type: 'integer', format: 'int64', ...options });
export const double = (options: NumberOptions = {}) =>
  leaf<number>(z.number(), { type: 'number', format: 'double', ...options });

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** RFC 3339 in whole seconds; null where an always shown one is absent. */
export const time = () =>
  leaf<string | null>(z.nullable(z.string()), { type: 'string', format: 'date-time', definition: `${META}.Time` });
/** RFC 3339 with six digits after the second. */
export const microTime = () =>
  leaf<string | null>(z.nullable(z.string()), {
    type: 'string',
    format: 'micro-time',
    definition: `${META}.MicroTime`,
  });
/** Base64 text. `listType: 'atomic'` where upstream declares its bytes so. */
export const bytes = (options: { readonly listType?: 'atomic' } = {}) =>
  leaf<string>(z.string(), { type: 'string', format: 'byte', ...options });
/** An amount like `500m` or `2Gi`; the client may send a number, held as text in canonical form. */
export const quantity = () =>
  leaf<string>(z.string(), {
    type: 'string',
    format: 'quantity',
    definition: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  });
export const intOrString = () =>
  leaf<number | string>(z.union([z.int32(), z.string()]), {
    type: 'intOrString',
    definition: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  });
export interface AnyOptions {
  /** E.g. `io.k8s.apimachinery.pkg.runtime.RawExtension`. */
  readonly definition?: string;
  readonly granular?: boolean;
}
/** Raw JSON, kept as it is. */
export const any = (options: AnyOptions = {}) => leaf<JsonValue>(z.unknown(), { type: 'any', ...options });

/** Raw JSON that is an object, as far as types go. */
export const anyObject = (options: AnyOptions = {}) => leaf<JsonObject>(z.unknown(), { type: 'any', ...options });

export interface StructOptions {
  readonly description?: string;
  /** `atomic`: owned and merged as a whole. */
  readonly mapType?: 'atomic';
  readonly preserveUnknown?: boolean;
}
/** A struct with its OpenAPI definition name; the end of the name is its name in decoding errors. */
export function struct<const F extends Fields>(definition: string, fields: F, options: StructOptions = {}) {
  const schema = z.looseObject(fields);
  recordFacts(schema, { container: { definition, ...options } });
  // The same values, written without index signature and `undefined`.
  return schema as unknown as Typed<StructOutput<F>>;
}

export interface ContainerOptions {
  readonly description?: string;
  /** Name in decoding errors where upstream has a type of its own, e.g. `v1.ExtraValue`. */
  readonly typeName?: string;
}
function listOf<S extends AnyZod>(item: S, container: object): Typed<readonly z.output<S>[]> {
  const schema = z.array(item);
  recordFacts(schema, { container });
  return schema as unknown as Typed<readonly z.output<S>[]>; // readonly
}
/** Without a declared list type, which means atomic. */
export const list = <S extends AnyZod>(item: S, options: ContainerOptions = {}) => listOf(item, options);
export const listAtomic = <S extends AnyZod>(item: S, options: ContainerOptions = {}) =>
  listOf(item, { listType: 'atomic', ...options });
export const listSet = <S extends AnyZod>(item: S, options: ContainerOptions = {}) =>
  listOf(item, { listType: 'set', ...options });
/** Items are structs identified by the values of `mapKeys`. */
export const listMap = <S extends AnyZod>(item: S, mapKeys: readonly string[], options: ContainerOptions = {}) =>
  listOf(item, { listType: 'map', mapKeys, ...options });

function mapOf<S extends AnyZod>(value: S, container: object): Typed<{ readonly [key: string]: z.output<S> }> {
  const schema = z.record(z.string(), value);
  recordFacts(schema, { container });
  return schema as unknown as Typed<{ readonly [key: string]: z.output<S> }>; // readonly
}
export const map = <S extends AnyZod>(value: S, options: ContainerOptions = {}) => mapOf(value, options);
/** A map owned and merged as a whole. */
export const atomicMap = <S extends AnyZod>(value: S, options: ContainerOptions = {}) =>
  mapOf(value, { mapType: 'atomic', ...options });

/** A struct named before it is defined, for recursion. The type must be written out: zod cannot infer a circle. */
export const lazy = <T>(get: () => Typed<T>): Typed<T> => z.lazy(get) as unknown as Typed<T>; // the same values

export interface PropertyOptions {
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** Shows in OpenAPI; built-in kinds fill it in by their strategy. */
  readonly default?: JsonValue;
}
function property(schema: z.ZodMiniType, facts: PropertyFacts, description?: string, options: PropertyOptions = {}) {
  recordFacts(schema, { property: { ...facts, ...options, ...(description === undefined ? {} : { description }) } });
  return schema as unknown; // each wrapper names the type
}
type Present<S extends AnyZod> = NonNullable<z.output<S>>;

/** Disappears when empty: "", 0, false, [], {}. Not for structs and times: `always` when held by value, else `omitNull`. */
export function omitEmpty<S extends AnyZod>(schema: S, description?: string, options?: PropertyOptions) {
  const ir = factsOf(schema)?.schema;
  if (schema._zod.def.type === 'object' || (ir?.type === 'string' && /time$/.test(ir.format ?? '')))
    throw new TypeError('a struct or time has no empty form: use always (held by value) or omitNull (a pointer)');
  return property(z.optional(schema), { presence: 'omitEmpty' }, description, options) as Optional<Present<S>>;
}
/** Disappears only when null or absent: what upstream holds as a pointer. */
export const omitNull = <S extends AnyZod>(schema: S, description?: string, options?: PropertyOptions) =>
  property(z.optional(schema), { presence: 'omitNull' }, description, options) as Optional<Present<S>>;
/** Always shown, as its zero value when absent: "", 0, false, null (lists, maps, times), the zero struct. */
export const always = <S extends AnyZod>(schema: S, description?: string, options?: PropertyOptions) =>
  property(z.readonly(schema), { presence: 'always' }, description, options) as Typed<Shown<z.output<S>>>;
/** `always`, and in OpenAPI's list of required properties. The type takes validation for granted: never null. */
export const required = <S extends AnyZod>(schema: S, description?: string, options?: PropertyOptions) =>
  property(z.readonly(schema), { presence: 'always', required: true }, description, options) as Typed<Present<S>>;

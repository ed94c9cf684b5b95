import type { ApiObject } from '../meta/object-meta.js';
import type { SentAs } from '../meta/sent-form.js';
import { structSchema } from '../schema/authoring.js';
import { prepareSchema } from '../schema/constraints/patterns.js';
import { isTypedMetadata, topLevel } from '../schema/object-meta-schema.js';
import { LazyProperties } from '../schema/properties.js';
import type { ObjectSchema, Property, Schema } from '../schema/schema.js';
import { type ZodProblems, zodProblems } from '../schema/zod/problems.js';
import { hasRemainder } from '../schema/zod/remainder.js';
import { schemaOf } from '../schema/zod-to-schema.js';
import { once } from '../values/memoize.js';
import { checkDefinition } from './definitions/check-definition.js';
import type { ResourceDefinition } from './definitions/definition.js';
import { withSeparateStatus } from './definitions/separate-status.js';

export type { Column, RowCondition } from './definitions/column.js';
export type {
  AnsweringKind,
  ComputedKind,
  Converter,
  Deprecation,
  FieldReader,
  ObjectNameRule,
  ResourceDefinition,
  StorageForm,
  StoredAs,
  Verb,
  VirtualCall,
  VirtualKind,
} from './definitions/definition.js';
export type { GatedFields } from './definitions/gated-fields.js';
export type {
  CreateSubresource,
  CreateSubresourceCall,
  ObjectSubresource,
  PartSubresource,
  RelayAnswer,
  RelayCall,
  RelayDestination,
  RelayParameter,
  RelaySubresource,
  RelayText,
  Subresource,
} from './definitions/subresource.js';

/** A zod schema. It may come from any copy or variant of the package, because only its static types are used here. */
export interface ZodSchema<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/**
 * The object type of a schema that declares the fields beside apiVersion, kind and metadata. Fields with a default are optional when an
 * object is sent.
 */
export type ObjectWith<S extends ZodSchema> = ApiObject &
  S['_zod']['output'] &
  (S extends { readonly _zod: { readonly input: infer Input } } ? SentAs<Input> : unknown);

/** An object of a kind whose fields are known at run time only. */
export type DeclaredObject = ApiObject & { readonly [field: string]: unknown };

/**
 * The members of a {@link ResourceDefinition} that the callers of {@link defineResource} pass in addition to the schema. Absent members get
 * their defaults.
 */
type DefinitionFacts<T extends ApiObject> = Omit<
  ResourceDefinition<T>,
  'schema' | 'checkObject' | 'listKind' | 'singular' | 'decoding'
> &
  Partial<Pick<ResourceDefinition<T>, 'listKind' | 'singular' | 'decoding'>>;

/** A kind with a zod schema, which defines the type of its objects. */
export type ResourceDefinitionInput<S extends ZodSchema> = DefinitionFacts<ObjectWith<S>> & {
  /** The fields beside apiVersion, kind and metadata: a zod object schema. */
  readonly schema: S;
};

/** A kind whose schema is data, such as the one that `openApiToSchema` returns for the JSON of an OpenAPI schema. */
export type DeclaredResourceInput<T extends ApiObject> = DefinitionFacts<T> & {
  /** The schema of an object. Its apiVersion, kind and metadata are replaced by the schemas that all kinds have for them. */
  readonly schema: Schema;
};

/** The static type of a definition's objects. */
export type ObjectOf<D> = D extends ResourceDefinition<infer T> ? T : never;

/**
 * Declares a kind. Discovery, validation, field ownership, OpenAPI and the typed client all follow from this one declaration.
 *
 * Rules of a zod schema that OpenAPI schemas cannot express (refinements, unions, checks of keys) are checked by zod itself, after the
 * other validation. In a custom resource kind, `subresources: { status: {} }` separates the status: the object's own route does not change
 * it, and `/status` changes nothing else.
 * @throws TypeError if
 * - a member is missing, unknown or has an invalid value, such as an invalid name or a `listKind` that equals `kind`;
 * - a path in `resetFields` or `gatedFields` does not name a field of the schema;
 * - the schema is not an object schema;
 * - the schema has parts that a server cannot store: transforms, coercion, or types that JSON does not have.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineResource<const S extends ZodSchema>(
  input: ResourceDefinitionInput<S>,
): ResourceDefinition<ObjectWith<S>>;
/** Defines a kind whose schema is data, such as the result of `openApiToSchema`. @throws TypeError for the same reasons. */
export function defineResource<T extends ApiObject = DeclaredObject>(
  input: DeclaredResourceInput<T>,
): ResourceDefinition<T>;
export function defineResource(input: AnyInput): ResourceDefinition {
  return completeDefinition(input, checkDefinition);
}

type AnyInput = DefinitionFacts<ApiObject> & { readonly schema: ZodSchema | Schema };

/**
 * Returns a definition with the defaults of its absent members.
 * @param check checks the definition of a custom kind. The kinds of a CustomResourceDefinition need no check, because it was validated.
 */
export function completeDefinition(
  input: AnyInput,
  check?: (definition: ResourceDefinition) => void,
): ResourceDefinition {
  if ((input.group === undefined) === (input.groupStem === undefined))
    throw new TypeError(`${input.kind}: give either group (for a custom kind) or groupStem (for a built-in one)`);
  for (const field of ['version', 'kind', 'plural', 'scope', 'schema'] as const)
    if (!input[field]) throw new TypeError(`defineResource: ${field} is missing`);
  const own = input.group !== undefined; // A custom resource kind, not a built-in one.
  const { fields, checkObject } = readSchema(input.kind, input.schema);
  if (fields.type !== 'object') throw new TypeError(`${input.kind}: the schema must describe an object`);
  const definition: ResourceDefinition = {
    listKind: `${input.kind}List`,
    singular: input.kind.toLowerCase(),
    decoding: own ? 'structural' : 'typed',
    allowUnconditionalUpdate: !own,
    genericMetadata: own,
    tracksGeneration: own,
    listItemsCarryKind: own,
    ...input,
    ...(checkObject ? { checkObject } : {}),
    schema: wholeObjectSchema(fields),
  };
  if (!own) return Object.freeze(definition);
  check?.(definition);
  return Object.freeze(definition.subresources?.['status'] ? withSeparateStatus(definition) : definition);
}

/**
 * Returns a schema as data, and the zod check of the rules that data cannot express (refinements, unions). @throws TypeError for types that
 * cannot be stored.
 */
function readSchema(
  kind: string,
  schema: ZodSchema | Schema,
): { readonly fields: Schema; readonly checkObject?: ZodProblems } {
  if (!('_zod' in schema) && !('_def' in schema)) return { fields: schema };
  // A schema of an older zod lacks the members of `ZodSchema`. The cast is safe, because `schemaOf` refuses such a schema.
  const zod: ZodSchema = schema as ZodSchema;
  try {
    const fields = schemaOf(zod);
    return hasRemainder(zod) ? { fields, checkObject: zodProblems(zod) } : { fields };
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`${kind}: ${error.message}`) : error;
  }
}

/** Puts kind, apiVersion and metadata before a kind's own fields, unless the schema already declares the common metadata. */
function wholeObjectSchema(schema: ObjectSchema): ObjectSchema {
  const properties = new LazyProperties(() => {
    const metadata = schema.properties.get('metadata');
    if (metadata && isTypedMetadata(metadata.schema)) return schema.properties;
    const all = new Map(commonProperties());
    for (const [name, property] of schema.properties) if (!all.has(name)) all.set(name, property);
    return all;
  });
  return Object.freeze({ ...schema, properties });
}

/** The kind, apiVersion and metadata of custom resources. They have no field numbers, because custom resources have no protobuf form. */
const commonProperties = /* @__PURE__ */ once((): ReadonlyMap<string, Property> => {
  const properties = new Map<string, Property>();
  for (const [name, { number: _none, ...property }] of structSchema(topLevel('', '', () => ({}))).properties)
    properties.set(name, Object.freeze(property));
  return properties;
});

/**
 * Compiles the patterns of schemas that were passed as data (OpenAPI). It must run before the definitions are served.
 * @throws SyntaxError for a pattern that does not compile.
 */
export async function prepareDefinitions(definitions: readonly ResourceDefinition[]): Promise<void> {
  for (const definition of definitions)
    if (definition.decoding === 'structural') await prepareSchema(definition.schema);
}

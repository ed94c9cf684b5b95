import { always, type Fields, list, required, struct, structSchema, type Typed } from './authoring.js';
import { METADATA, TYPE_META } from './field-table.js';
import { metaV1 } from './meta-v1.js';
import type { ObjectSchema } from './schema.js';

export const ownerReference = /* @__PURE__ */ metaV1.struct('OwnerReference');
/** The metadata of every persisted object (spec 2.4). */
export const objectMeta = /* @__PURE__ */ metaV1.struct('ObjectMeta');
/** The metadata of a list. */
export const listMeta = /* @__PURE__ */ metaV1.struct('ListMeta');

// Items of a list have neither `kind` nor `apiVersion` on the wire, but the static types declare both everywhere.
const typeMeta = () => Object.fromEntries(TYPE_META) as unknown as { kind: Typed<string>; apiVersion: Typed<string> };

/** Returns the struct of a kind: `kind`, `apiVersion`, `metadata` (protobuf number 1), and then `fields`. */
/* @__NO_SIDE_EFFECTS__ */
export function topLevel<const F extends Fields>(definition: string, description: string, fields: () => F) {
  const all = () => ({
    ...typeMeta(),
    metadata: always(objectMeta, 1, METADATA),
    ...fields(),
  });
  return struct(definition, description, all);
}

/** Returns a struct with `kind` and `apiVersion` but without metadata, such as the options of a request. */
/* @__NO_SIDE_EFFECTS__ */
export function withTypeMeta<const F extends Fields>(definition: string, fields: () => F) {
  return struct(definition, '', () => ({ ...typeMeta(), ...fields() }));
}

/** Returns the struct of a kind's list. `definition` is the name of the list, e.g. `io.k8s.api.core.v1.SecretList`. */
export const listKind = <S extends Typed<unknown>>(definition: string, item: S) =>
  struct(definition, '', () => ({
    ...typeMeta(),
    metadata: always(listMeta, 1, 'The metadata of the list.'),
    items: required(list(item), 2, 'The objects.'),
  }));

const WHOLE = /* @__PURE__ */ topLevel('', '', () => ({}));
const withImplicit = /* @__PURE__ */ new WeakMap<ObjectSchema, ObjectSchema['properties']>();

/**
 * Returns the properties of an object schema. If the schema is that of an embedded object, they include `apiVersion`, `kind` and
 * `metadata`, which it does not have to declare.
 */
export function propertiesOf(schema: ObjectSchema): ObjectSchema['properties'] {
  if (schema.embeddedResource !== true) return schema.properties;
  let properties = withImplicit.get(schema);
  if (!properties) {
    properties = new Map([...schema.properties, ...structSchema(WHOLE).properties]);
    withImplicit.set(schema, properties);
  }
  return properties;
}

/** Returns whether a schema is that of an object's `metadata`, which is validated by rules of its own. */
export const isTypedMetadata = (schema: { readonly definition?: string }) =>
  schema.definition === 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

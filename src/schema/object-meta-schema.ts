import {
  always,
  anyObject,
  boolean,
  type Fields,
  int64,
  list,
  listAtomic,
  listMap,
  listSet,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  type StructOptions,
  string,
  struct,
  structSchema,
  type Typed,
  time,
} from './authoring.js';
import type { ObjectSchema } from './schema.js';

/** Spec 2.4. */
const ownerReferenceStruct = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference',
  'Names an object that this one belongs to.',
  () => ({
    apiVersion: required(string(), 5, 'Group and version of the owner.'),
    kind: required(string(), 1, 'Kind of the owner.'),
    name: required(string(), 3, 'Name of the owner.'),
    uid: required(string({ typeName: 'types.UID' }), 4, 'Uid of the owner.'),
    controller: omitNull(boolean(), 6, 'Whether the owner manages this object.'),
    blockOwnerDeletion: omitNull(
      boolean(),
      7,
      'Whether the owner stays until this object is gone when deleted in the foreground.',
    ),
  }),
  { mapType: 'atomic' },
);
export interface OwnerReference extends OutputOf<typeof ownerReferenceStruct> {}
export const ownerReference: Typed<OwnerReference> = ownerReferenceStruct;

/** Spec 6.1. */
const managedFieldsEntryStruct = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry',
  'Fields that one manager owns.',
  () => ({
    manager: omitEmpty(string(), 1, 'The manager that owns the fields.'),
    operation: omitEmpty(
      string<'Apply' | 'Update'>({ typeName: 'v1.ManagedFieldsOperationType' }),
      2,
      'Apply or Update.',
    ),
    apiVersion: omitEmpty(string(), 3, 'Version of the kind that the fields belong to.'),
    time: omitNull(time(), 4, 'When the set of fields last changed.'),
    fieldsType: omitEmpty(string(), 6, 'Format of the set: FieldsV1.'),
    fieldsV1: omitNull(
      anyObject({ definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1' }),
      7,
      'The set of fields.',
    ),
    subresource: omitEmpty(string(), 8, 'Subresource that the fields were written through.'),
  }),
);
export interface ManagedFieldsEntry extends OutputOf<typeof managedFieldsEntryStruct> {}
export const managedFieldsEntry: Typed<ManagedFieldsEntry> = managedFieldsEntryStruct;

/** The metadata of every persisted object (spec 2.4). */
const objectMetaStruct = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  'The metadata of an object.',
  () => ({
    name: omitEmpty(string(), 1, 'Unique among the living objects of its kind and namespace.'),
    generateName: omitEmpty(string(), 2, 'Start of a name that the server completes.'),
    namespace: omitEmpty(string(), 3, 'Namespace of the object.'),
    selfLink: omitEmpty(string(), 4, 'No longer set.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 5, 'Unique in time and space; set by the server.'),
    resourceVersion: omitEmpty(string(), 6, 'Revision of the last write; opaque.'),
    generation: omitEmpty(int64(), 7, 'Counts the changes of the wanted state.'),
    creationTimestamp: always(
      time(),
      8,
      'CreationTimestamp is a timestamp of when the object was made; set by the server.',
    ),
    deletionTimestamp: omitNull(time(), 9, 'When the object is to be gone; set by the server.'),
    deletionGracePeriodSeconds: omitNull(int64(), 10, 'Seconds between the deletion and its taking effect.'),
    labels: omitEmpty(map(string()), 11, 'Keys and values to select by.'),
    annotations: omitEmpty(map(string()), 12, 'Keys and values for tools.'),
    ownerReferences: omitEmpty(listMap(ownerReference, ['uid']), 13, 'Objects that this one belongs to.', {
      patchStrategy: ['merge'],
      patchMergeKey: 'uid',
    }),
    finalizers: omitEmpty(listSet(string()), 14, 'Finalizers that hold the object.', { patchStrategy: ['merge'] }),
    managedFields: omitEmpty(listAtomic(managedFieldsEntry), 17, 'Fields by the manager that owns them.'),
  }),
);
export interface ObjectMeta extends OutputOf<typeof objectMetaStruct> {}
export const objectMeta: Typed<ObjectMeta> = objectMetaStruct;

/** The metadata of a list. */
export const listMeta = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta', 'The metadata of a list.', () => ({
  selfLink: omitEmpty(string(), 1, 'No longer set.'),
  resourceVersion: omitEmpty(string(), 2, 'Revision the list was read at; opaque.'),
  continue: omitEmpty(string(), 3, 'Token for the next page.'),
  remainingItemCount: omitNull(int64(), 4, 'How many items are left.'),
}));

// Both are absent on the wire inside lists, which the static types ignore.
const typeMeta = () => ({
  kind: omitEmpty(string(), undefined, 'Name of the kind.') as unknown as Typed<string>,
  apiVersion: omitEmpty(
    string(),
    undefined,
    'APIVersion defines the group and the version of the kind.',
  ) as unknown as Typed<string>,
});

/** Returns the struct of a kind: `kind`, `apiVersion` and `metadata` (number 1), then `fields`. */
/* @__NO_SIDE_EFFECTS__ */
export function topLevel<const F extends Fields>(
  definition: string,
  description: string,
  fields: () => F,
  options?: StructOptions,
) {
  const all = () => ({
    ...typeMeta(),
    metadata: always(objectMeta, 1, "Standard object's metadata: its name, labels and what the server knows of it."),
    ...fields(),
  });
  return struct(definition, description, all, options);
}

/** Returns a struct with `kind` and `apiVersion`, but without metadata, like the options of requests. */
/* @__NO_SIDE_EFFECTS__ */
export function withTypeMeta<const F extends Fields>(
  definition: string,
  description: string,
  fields: () => F,
  options?: StructOptions,
) {
  return struct(definition, description, () => ({ ...typeMeta(), ...fields() }), options);
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
 * Returns the properties of an object. An embedded object has the common ones (`apiVersion`, `kind`, `metadata`) without declaring them.
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

/** Returns whether a schema is the typed metadata of an object, which has rules of its own. */
export const isTypedMetadata = (schema: { readonly definition?: string }) =>
  schema.definition === 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

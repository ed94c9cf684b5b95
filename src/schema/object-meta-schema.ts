import {
  type AnyZod,
  always,
  anyObject,
  boolean,
  int64,
  list,
  listAtomic,
  listMap,
  listSet,
  map,
  omitEmpty,
  omitNull,
  required,
  type StructOptions,
  string,
  struct,
  type Typed,
  time,
} from './authoring.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Spec 2.4. */
export const ownerReference = struct(
  `${META}.OwnerReference`,
  {
    apiVersion: required(string(), 'Group and version of the owner.'),
    kind: required(string(), 'Kind of the owner.'),
    name: required(string(), 'Name of the owner.'),
    uid: required(string({ typeName: 'types.UID' }), 'Uid of the owner.'),
    controller: omitNull(boolean(), 'Whether the owner manages this object.'),
    blockOwnerDeletion: omitNull(
      boolean(),
      'Whether the owner stays until this object is gone when deleted in the foreground.',
    ),
  },
  { mapType: 'atomic', description: 'Names an object that this one belongs to.' },
);

/** Spec 6.1. */
export const managedFieldsEntry = struct(
  `${META}.ManagedFieldsEntry`,
  {
    manager: omitEmpty(string(), 'The manager that owns the fields.'),
    operation: omitEmpty(string<'Apply' | 'Update'>({ typeName: 'v1.ManagedFieldsOperationType' }), 'Apply or Update.'),
    apiVersion: omitEmpty(string(), 'Version of the kind that the fields belong to.'),
    time: omitNull(time(), 'When the set of fields last changed.'),
    fieldsType: omitEmpty(string(), 'Format of the set: FieldsV1.'),
    fieldsV1: omitNull(anyObject({ definition: `${META}.FieldsV1` }), 'The set of fields.'),
    subresource: omitEmpty(string(), 'Subresource that the fields were written through.'),
  },
  { description: 'Fields that one manager owns.' },
);

/** What every persisted object carries about itself (spec 2.4). */
export const objectMeta = struct(
  `${META}.ObjectMeta`,
  {
    name: omitEmpty(string(), 'Unique among the living objects of its kind and namespace.'),
    generateName: omitEmpty(string(), 'Start of a name that the server completes.'),
    namespace: omitEmpty(string(), 'Namespace of the object.'),
    selfLink: omitEmpty(string(), 'No longer set.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 'Unique in time and space; set by the server.'),
    resourceVersion: omitEmpty(string(), 'Revision of the last write; opaque.'),
    generation: omitEmpty(int64(), 'Counts the changes of the wanted state.'),
    creationTimestamp: always(time(), 'When the object was made; set by the server.'),
    deletionTimestamp: omitNull(time(), 'When the object is to be gone; set by the server.'),
    deletionGracePeriodSeconds: omitNull(int64(), 'Seconds between the deletion and its taking effect.'),
    labels: omitEmpty(map(string()), 'Keys and values to select by.'),
    annotations: omitEmpty(map(string()), 'Keys and values for tools.'),
    ownerReferences: omitEmpty(listMap(ownerReference, ['uid']), 'Objects that this one belongs to.', {
      patchStrategy: ['merge'],
      patchMergeKey: 'uid',
    }),
    finalizers: omitEmpty(listSet(string()), 'Finalizers that hold the object.', { patchStrategy: ['merge'] }),
    managedFields: omitEmpty(listAtomic(managedFieldsEntry), 'Fields by the manager that owns them.'),
  },
  { description: 'The metadata of an object.' },
);

/** What a list says about itself. */
export const listMeta = struct(
  `${META}.ListMeta`,
  {
    selfLink: omitEmpty(string(), 'No longer set.'),
    resourceVersion: omitEmpty(string(), 'Revision the list was read at; opaque.'),
    continue: omitEmpty(string(), 'Token for the next page.'),
    remainingItemCount: omitNull(int64(), 'How many items are left.'),
  },
  { description: 'The metadata of a list.' },
);

// Absent on the wire inside lists, which the types need not know.
const typeMeta = () => ({
  kind: omitEmpty(string(), 'Name of the kind.') as AnyZod as Typed<string>,
  apiVersion: omitEmpty(string(), 'Group and version of the kind.') as AnyZod as Typed<string>,
});

/** A kind: `kind`, `apiVersion` and `metadata`, then `fields`. */
export const topLevel = <const F extends Readonly<Record<string, AnyZod>>>(
  definition: string,
  fields: F,
  options?: StructOptions,
) =>
  struct(
    definition,
    { ...typeMeta(), metadata: always(objectMeta, 'The metadata of the object.'), ...fields },
    options,
  );

/** A struct with `kind` and `apiVersion` only, like the options of requests. */
export const withTypeMeta = <const F extends Readonly<Record<string, AnyZod>>>(
  definition: string,
  fields: F,
  options?: StructOptions,
) => struct(definition, { ...typeMeta(), ...fields }, options);

/** The list of a kind. `definition` is the list's own, e.g. `io.k8s.api.core.v1.SecretList`. */
export const listKind = <S extends AnyZod>(definition: string, item: S) =>
  struct(definition, {
    ...typeMeta(),
    metadata: always(listMeta, 'The metadata of the list.'),
    items: required(list(item), 'The objects.'),
  });

/** Whether a schema is that of an object's own metadata, which has rules of its own. */
export const isTypedMetadata = (schema: { readonly definition?: string }) => schema.definition === `${META}.ObjectMeta`;

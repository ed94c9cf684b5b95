import type { GroupVersionKind } from '../meta/group-version.js';
import {
  always,
  anyObject,
  boolean,
  int32,
  int64,
  list,
  listAtomic,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  structSchema,
  type Typed,
} from './authoring.js';
import { listMeta, withTypeMeta } from './object-meta-schema.js';
import type { OpenApiRoot } from './openapi.js';
import type { ObjectSchema } from './schema.js';

/** The short names of the schemas that requests and answers use beside the kinds themselves. */
export type MetaSchemaName = keyof typeof makers;

const addressByClient = () =>
  struct(
    'io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR',
    'Where clients of one network reach the server.',
    () => ({
      clientCIDR: required(string(), 1, 'The network of the client.'),
      serverAddress: required(string(), 2, 'Where that client reaches the server.'),
    }),
  );

const groupVersion = () =>
  struct('io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery', 'One version of a group.', () => ({
    groupVersion: required(string(), 1, 'The group and the version.'),
    version: required(string(), 2, 'The version alone.'),
  }));

const apiGroup = () =>
  withTypeMeta('io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup', 'A group and its versions.', () => ({
    name: required(string(), 1, 'Name of the group.'),
    versions: required(listAtomic(groupVersion()), 2, 'The versions served.'),
    preferredVersion: always(groupVersion(), 3, 'The version to use when in doubt.'),
    serverAddressByClientCIDRs: omitEmpty(listAtomic(addressByClient()), 4, 'Where clients reach the server.'),
  }));

const apiResource = () =>
  struct('io.k8s.apimachinery.pkg.apis.meta.v1.APIResource', 'A resource that is served.', () => ({
    name: required(string(), 1, 'The name in the URL.'),
    singularName: required(string(), 6, 'The name of one.'),
    namespaced: required(boolean(), 2, 'Whether objects are in a namespace.'),
    group: omitEmpty(string(), 8, 'Group of the kind, where it is not that of the list.'),
    version: omitEmpty(string(), 9, 'Version of the kind, where it is not that of the list.'),
    kind: required(string(), 3, 'The kind of its objects.'),
    verbs: required(list(string(), { ownMessage: true }), 4, 'Verbs it supports.'),
    shortNames: omitEmpty(listAtomic(string()), 5, 'Other names for tools.'),
    categories: omitEmpty(listAtomic(string()), 7, 'Groups of resources for tools.'),
    storageVersionHash: omitEmpty(string(), 10, 'Changes with the version that objects are stored in; opaque.'),
  }));

const statusDetails = () =>
  struct('io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails', 'The object and causes of a status.', () => ({
    name: omitEmpty(string(), 1, 'Name of the object in question.'),
    group: omitEmpty(string(), 2, 'Group of the resource in question.'),
    kind: omitEmpty(string(), 3, 'Resource or kind in question.'),
    uid: omitEmpty(string(), 6, 'Uid of the object in question.'),
    causes: omitEmpty(
      listAtomic(
        struct('io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause', 'One of several things that are wrong.', () => ({
          reason: omitEmpty(string(), 1, 'The problem, in one word.'),
          message: omitEmpty(string(), 2, 'The problem, for people.'),
          field: omitEmpty(string(), 3, 'The field at fault.'),
        })),
      ),
      4,
      'All that is wrong.',
    ),
    retryAfterSeconds: omitEmpty(int32(), 5, 'Seconds to wait before trying again.'),
  }));

/** The options of a deletion; also part of evictions. */
export const deleteOptions = withTypeMeta(
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'How to delete.',
  () => ({
    gracePeriodSeconds: omitNull(int64(), 1, 'Seconds until the deletion takes effect; 0 is at once.'),
    preconditions: omitNull(
      struct(
        'io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions',
        'What must be true for the deletion to happen.',
        () => ({
          uid: omitNull(string({ typeName: 'types.UID' }), 1, 'The uid the object must have.'),
          resourceVersion: omitNull(string(), 2, 'The revision the object must have.'),
        }),
      ),
      2,
      'What must be true for the deletion to happen.',
    ),
    orphanDependents: omitNull(boolean(), 3, 'Old form of propagationPolicy: whether dependents stay.'),
    propagationPolicy: omitNull(
      string({ typeName: 'v1.DeletionPropagation' }),
      4,
      'The treatment of dependents: Orphan, Background or Foreground.',
    ),
    dryRun: omitEmpty(listAtomic(string()), 5, 'All: do everything but delete.'),
  }),
);

const makers = {
  Status: () =>
    withTypeMeta(
      'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
      'The answer of a request that answers no object.',
      () => ({
        metadata: always(listMeta, 1, 'Revision of the server.'),
        status: omitEmpty(string(), 2, 'Success or Failure.'),
        message: omitEmpty(string(), 3, 'What happened, for people.'),
        reason: omitEmpty(string(), 4, 'What happened, in one word.'),
        details: omitNull(statusDetails(), 5, 'What it is about.', { listType: 'atomic' }),
        code: omitEmpty(int32(), 6, 'The HTTP status.'),
      }),
    ),
  DeleteOptions: () => deleteOptions,
  Patch: () =>
    struct('io.k8s.apimachinery.pkg.apis.meta.v1.Patch', 'A change of an object, as its media type says.', () => ({})),
  WatchEvent: () =>
    struct('io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent', 'One change.', () => ({
      type: required(string(), 1, 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
      object: required(
        anyObject({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }),
        2,
        'The object, or a Status.',
      ),
    })),
  APIVersions: () =>
    withTypeMeta('io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions', 'The versions of the core group.', () => ({
      versions: required(listAtomic(string()), 1, 'The versions served.'),
      serverAddressByClientCIDRs: required(listAtomic(addressByClient()), 2, 'Where clients reach the server.'),
    })),
  APIGroup: apiGroup,
  APIGroupList: () =>
    withTypeMeta('io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList', 'The groups that are served.', () => ({
      groups: required(listAtomic(apiGroup()), 1, 'The groups.'),
    })),
  APIResourceList: () =>
    withTypeMeta('io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList', 'The resources of a group version.', () => ({
      groupVersion: required(string(), 1, 'The group and the version.'),
      resources: required(listAtomic(apiResource()), 2, 'The resources.'),
    })),
  Info: () =>
    struct('io.k8s.apimachinery.pkg.version.Info', 'What the server was built from.', () => ({
      major: required(string()),
      minor: required(string()),
      gitVersion: required(string()),
      gitCommit: required(string()),
      gitTreeState: required(string()),
      buildDate: required(string()),
      goVersion: required(string()),
      compiler: required(string()),
      platform: required(string()),
    })),
} satisfies Readonly<Record<string, () => Typed<unknown>>>;

// The kinds that exist under the same name in every group version.
const EVERYWHERE: ReadonlySet<string> = new Set<MetaSchemaName>(['DeleteOptions', 'WatchEvent']);
const NO_KINDS: ReadonlySet<string> = new Set<MetaSchemaName>(['Patch', 'Info']);

const made = new Map<MetaSchemaName, ObjectSchema>();

/** Returns the schema of a name, which is made at first use. */
export function metaSchema(name: MetaSchemaName): ObjectSchema {
  const known = made.get(name);
  if (known !== undefined) return known;
  const schema = structSchema(makers[name]());
  made.set(name, schema);
  return schema;
}

/** Returns the definition name of a short name. */
export function metaDefinition(name: MetaSchemaName): string {
  return metaSchema(name).definition ?? name;
}

/** Returns the root that describes a name in an OpenAPI document; `groupVersions` are the served ones. */
export function metaRoot(name: MetaSchemaName, groupVersions: readonly Omit<GroupVersionKind, 'kind'>[]): OpenApiRoot {
  const root: OpenApiRoot = { schema: metaSchema(name) };
  if (NO_KINDS.has(name)) return root;
  const all = EVERYWHERE.has(name) ? groupVersions : [{ group: '', version: 'v1' }];
  return { ...root, groupVersionKinds: all.map(({ group, version }) => ({ group, version, kind: name })) };
}

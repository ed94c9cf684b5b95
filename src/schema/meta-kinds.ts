import type { GroupVersionKind } from '../meta/group-version.js';
import {
  type AnyZod,
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
} from './authoring.js';
import { listMeta, withTypeMeta } from './object-meta-schema.js';
import type { OpenApiRoot } from './openapi.js';
import type { ObjectSchema, Schema } from './schema.js';
import { schemaOf } from './zod-to-schema.js';

/** What requests and answers hold beside the kinds themselves, by short name. */
export type MetaSchemaName = keyof typeof makers;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const addressByClient = () =>
  struct(
    `${META}.ServerAddressByClientCIDR`,
    {
      clientCIDR: required(string(), 'The network of the client.'),
      serverAddress: required(string(), 'Where that client reaches the server.'),
    },
    { description: 'Where clients of one network reach the server.' },
  );

const groupVersion = () =>
  struct(
    `${META}.GroupVersionForDiscovery`,
    {
      groupVersion: required(string(), 'The group and the version.'),
      version: required(string(), 'The version alone.'),
    },
    { description: 'One version of a group.' },
  );

const apiGroup = () =>
  withTypeMeta(
    `${META}.APIGroup`,
    {
      name: required(string(), 'Name of the group.'),
      versions: required(listAtomic(groupVersion()), 'The versions served.'),
      preferredVersion: always(groupVersion(), 'The version to use when in doubt.'),
      serverAddressByClientCIDRs: omitEmpty(listAtomic(addressByClient()), 'Where clients reach the server.'),
    },
    { description: 'A group and its versions.' },
  );

const apiResource = () =>
  struct(
    `${META}.APIResource`,
    {
      name: required(string(), 'The name in the URL.'),
      singularName: required(string(), 'The name of one.'),
      namespaced: required(boolean(), 'Whether objects are in a namespace.'),
      group: omitEmpty(string(), 'Group of the kind, where it is not that of the list.'),
      version: omitEmpty(string(), 'Version of the kind, where it is not that of the list.'),
      kind: required(string(), 'The kind of its objects.'),
      verbs: required(list(string()), 'Verbs it supports.'),
      shortNames: omitEmpty(listAtomic(string()), 'Other names for tools.'),
      categories: omitEmpty(listAtomic(string()), 'Groups of resources for tools.'),
      storageVersionHash: omitEmpty(string(), 'Changes with the version that objects are stored in; opaque.'),
    },
    { description: 'A resource that is served.' },
  );

const statusDetails = () =>
  struct(
    `${META}.StatusDetails`,
    {
      name: omitEmpty(string(), 'Name of the object in question.'),
      group: omitEmpty(string(), 'Group of the resource in question.'),
      kind: omitEmpty(string(), 'Resource or kind in question.'),
      uid: omitEmpty(string(), 'Uid of the object in question.'),
      causes: omitEmpty(
        listAtomic(
          struct(
            `${META}.StatusCause`,
            {
              reason: omitEmpty(string(), 'The problem, in one word.'),
              message: omitEmpty(string(), 'The problem, for people.'),
              field: omitEmpty(string(), 'The field at fault.'),
            },
            { description: 'One of several things that are wrong.' },
          ),
        ),
        'All that is wrong.',
      ),
      retryAfterSeconds: omitEmpty(int32(), 'Seconds to wait before trying again.'),
    },
    { description: 'The object and causes of a status.' },
  );

const makers = {
  Status: () =>
    withTypeMeta(
      `${META}.Status`,
      {
        metadata: always(listMeta, 'Revision of the server.'),
        status: omitEmpty(string(), 'Success or Failure.'),
        message: omitEmpty(string(), 'What happened, for people.'),
        reason: omitEmpty(string(), 'What happened, in one word.'),
        details: omitNull(statusDetails(), 'What it is about.'),
        code: omitEmpty(int32(), 'The HTTP status.'),
      },
      { description: 'The answer of a request that answers no object.' },
    ),
  DeleteOptions: () =>
    withTypeMeta(
      `${META}.DeleteOptions`,
      {
        gracePeriodSeconds: omitNull(int64(), 'Seconds until the deletion takes effect; 0 is at once.'),
        preconditions: omitNull(
          struct(
            `${META}.Preconditions`,
            {
              uid: omitNull(string(), 'The uid the object must have.'),
              resourceVersion: omitNull(string(), 'The revision the object must have.'),
            },
            { description: 'What must be true for the deletion to happen.' },
          ),
          'What must be true for the deletion to happen.',
        ),
        orphanDependents: omitNull(boolean(), 'Old form of propagationPolicy: whether dependents stay.'),
        propagationPolicy: omitNull(string(), 'The treatment of dependents: Orphan, Background or Foreground.'),
        dryRun: omitEmpty(listAtomic(string()), 'All: do everything but delete.'),
      },
      { description: 'How to delete.' },
    ),
  Patch: () => struct(`${META}.Patch`, {}, { description: 'A change of an object, as its media type says.' }),
  WatchEvent: () =>
    struct(
      `${META}.WatchEvent`,
      {
        type: required(string(), 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
        object: required(
          anyObject({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }),
          'The object, or a Status.',
        ),
      },
      { description: 'One change.' },
    ),
  APIVersions: () =>
    withTypeMeta(
      `${META}.APIVersions`,
      {
        versions: required(listAtomic(string()), 'The versions served.'),
        serverAddressByClientCIDRs: required(listAtomic(addressByClient()), 'Where clients reach the server.'),
      },
      { description: 'The versions of the core group.' },
    ),
  APIGroup: apiGroup,
  APIGroupList: () =>
    withTypeMeta(
      `${META}.APIGroupList`,
      { groups: required(listAtomic(apiGroup()), 'The groups.') },
      { description: 'The groups that are served.' },
    ),
  APIResourceList: () =>
    withTypeMeta(
      `${META}.APIResourceList`,
      {
        groupVersion: required(string(), 'The group and the version.'),
        resources: required(listAtomic(apiResource()), 'The resources.'),
      },
      { description: 'The resources of a group version.' },
    ),
  Info: () =>
    struct(
      'io.k8s.apimachinery.pkg.version.Info',
      {
        major: required(string()),
        minor: required(string()),
        gitVersion: required(string()),
        gitCommit: required(string()),
        gitTreeState: required(string()),
        buildDate: required(string()),
        goVersion: required(string()),
        compiler: required(string()),
        platform: required(string()),
      },
      { description: 'What the server was built from.' },
    ),
} satisfies Readonly<Record<string, () => AnyZod>>;

// Of these every group version has its own kind of the name.
const EVERYWHERE: ReadonlySet<string> = new Set<MetaSchemaName>(['DeleteOptions', 'WatchEvent']);
const NO_KINDS: ReadonlySet<string> = new Set<MetaSchemaName>(['Patch', 'Info']);

const made = new Map<MetaSchemaName, ObjectSchema>();

/** The schema of a name; made when first asked for. */
export function metaSchema(name: MetaSchemaName): ObjectSchema {
  const known = made.get(name);
  if (known !== undefined) return known;
  const schema: Schema = schemaOf(makers[name]());
  if (schema.type !== 'object') throw new TypeError(`${name} is no struct`);
  made.set(name, schema);
  return schema;
}

/** The definition name of a name. */
export function metaDefinition(name: MetaSchemaName): string {
  return metaSchema(name).definition ?? name;
}

/** What describes a name in a document; `groupVersions` are those served. */
export function metaRoot(name: MetaSchemaName, groupVersions: readonly Omit<GroupVersionKind, 'kind'>[]): OpenApiRoot {
  const root: OpenApiRoot = { schema: metaSchema(name) };
  if (NO_KINDS.has(name)) return root;
  const all = EVERYWHERE.has(name) ? groupVersions : [{ group: '', version: 'v1' }];
  return { ...root, groupVersionKinds: all.map(({ group, version }) => ({ group, version, kind: name })) };
}

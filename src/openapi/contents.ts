import { type Dialect, groupOf } from '../meta/dialect.js';
import { kindOfSubresource } from '../registry/definitions/subresource.js';
import type { ResourceStore } from '../registry/resource-store.js';
import type { GroupVersionResources, RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { structSchema } from '../schema/authoring.js';
import { type MetaSchemaName, metaDefinition } from '../schema/meta-kinds.js';
import { listMeta } from '../schema/object-meta-schema.js';
import type { OpenApiRoot } from '../schema/openapi.js';
import type { ObjectSchema, Property, Schema } from '../schema/schema.js';
import {
  definitionName,
  groupIdentifier,
  groupVersionIdentifier,
  groupVersionPath,
  groupVersionTag,
  listDefinitionName,
} from './names.js';
import { allMediaTypes, documentOperation, type PathOperations } from './operation.js';
import { resourceOperations } from './resource-operations.js';

/** The content of one document, independent of the version of OpenAPI. */
export interface DocumentContents {
  /** Paths that do not belong to a kind, for example discovery and `/version`. */
  readonly paths: readonly PathOperations[];
  readonly kinds: readonly ResourceStore[];
  /** The schemas that kinds of all groups share and to which this document refers. Each schema lists the group versions that use it. */
  readonly shared: readonly MetaSchemaName[];
}

/** The paths and schemas that one kind adds to a document. */
export interface KindContents {
  readonly paths: readonly PathOperations[];
  readonly roots: readonly OpenApiRoot[];
}

/** One OpenAPI document of a server. */
export interface DocumentSource {
  readonly groupVersion?: GroupVersionResources;
  contents(): DocumentContents;
}

/**
 * Returns, by document name, the sources of a server's OpenAPI documents. The name is the part of the URL after `/openapi/v3/`, such as
 * `api/v1` or `version`. Contents are computed on request.
 */
export function documentSources(registry: RegistrySnapshot): ReadonlyMap<string, DocumentSource> {
  const { dialect, groups } = registry;
  const types = allMediaTypes(dialect);
  const about =
    (path: string, operationId: string, tag: string, description: string, answer: MetaSchemaName) =>
    (): DocumentContents => ({
      paths: [
        documentOperation(path, {
          operationId,
          tag,
          description,
          consumes: types,
          produces: types,
          answer: metaDefinition(answer),
        }),
      ],
      kinds: [],
      shared: [answer],
    });
  const text =
    (path: string, operationId: string, tag: string, description: string, type: string) => (): DocumentContents => ({
      paths: [
        documentOperation(path, { operationId, tag, description, consumes: [], produces: [type], answer: 'string' }),
      ],
      kinds: [],
      shared: [],
    });
  const documents = new Map<string, () => DocumentContents>([
    [
      '.well-known/openid-configuration',
      text(
        '/.well-known/openid-configuration/',
        'getServiceAccountIssuerOpenIDConfiguration',
        'WellKnown',
        'get the OpenID configuration of the issuer of service account tokens',
        'application/json',
      ),
    ],
    ['apis', about('/apis/', 'getAPIVersions', 'apis', 'get available API versions', 'APIGroupList')],
  ]);
  if (groups.has(''))
    documents.set('api', about('/api/', 'getCoreAPIVersions', 'core', 'get available API versions', 'APIVersions'));
  for (const group of groups.keys()) {
    if (group === '') continue;
    const id = `get${groupIdentifier(group, dialect, true)}APIGroup`;
    documents.set(
      `apis/${group}`,
      about(`/apis/${group}/`, id, groupIdentifier(group, dialect, false), 'get information of a group', 'APIGroup'),
    );
  }
  documents.set(
    'openid/v1/jwks',
    text(
      '/openid/v1/jwks/',
      'getServiceAccountIssuerOpenIDKeyset',
      'openid',
      'get the keys that verify service account tokens, as a JSON Web Key Set',
      'application/jwk-set+json',
    ),
  );
  documents.set('version', () => ({
    paths: [
      documentOperation('/version/', {
        operationId: 'getCodeVersion',
        tag: 'version',
        description: 'get the version information for this server',
        consumes: ['application/json'],
        produces: ['application/json'],
        answer: metaDefinition('Info'),
      }),
    ],
    kinds: [],
    shared: ['Info'],
  }));
  const sources = [...documents].map(([name, contents]): [string, DocumentSource] => [name, { contents }]);
  for (const groupVersion of registry.contents.groupVersions.values())
    sources.push([
      groupVersionPath(groupVersion).slice(1),
      {
        groupVersion,
        contents: () => groupVersionContents(groupVersion, dialect),
      },
    ]);
  return new Map(sources.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function groupVersionContents(each: GroupVersionResources, dialect: Dialect): DocumentContents {
  const types = allMediaTypes(dialect);
  const itself = documentOperation(`${groupVersionPath(each)}/`, {
    operationId: `get${groupVersionIdentifier(each, dialect)}APIResources`,
    tag: groupVersionTag(each, dialect),
    description: 'get available resources',
    consumes: types,
    produces: types,
    answer: metaDefinition('APIResourceList'),
  });
  return {
    // The document of a group version of custom resources describes only the kinds, not the discovery path.
    paths: each.builtIn ? [itself] : [],
    kinds: each.stores,
    shared: sharedNames(each),
  };
}

/** Returns the operations on a kind and the schemas to which the operations refer. */
export function kindContents(resource: ServedResource): KindContents {
  return { paths: resourceOperations(resource), roots: resourceRoots(resource) };
}

function sharedNames({ stores, builtIn }: GroupVersionResources): readonly MetaSchemaName[] {
  const can = (verb: string) => stores.some(({ resource }) => resource.verbs.has(verb));
  const names: MetaSchemaName[] = builtIn ? ['APIResourceList'] : [];
  if (can('delete') || can('deletecollection')) names.push('DeleteOptions', 'Status');
  if (can('patch')) names.push('Patch');
  if (builtIn && can('watch')) names.push('WatchEvent');
  return names;
}

/** Returns the schemas to which a resource's operations refer. */
function resourceRoots(resource: ServedResource): OpenApiRoot[] {
  const { definition, gvk, dialect, verbs } = resource;
  const impliedDefaults = definition.decoding === 'typed';
  const own = definition.patchSchema?.(dialect) ?? definition.schema;
  const schema: ObjectSchema = { ...own, definition: definitionName(resource) };
  const { selectableFields: selectable = {}, decoding } = definition;
  // Clients know the selectable fields of built-in kinds, so only those of custom resources are published.
  const selectableFields = decoding === 'structural' ? Object.keys(selectable) : [];
  const roots: OpenApiRoot[] = [{ schema, groupVersionKinds: [gvk], selectableFields, impliedDefaults }];
  if (verbs.has('list'))
    roots.push({
      schema: listSchema(schema, listDefinitionName(resource), impliedDefaults),
      groupVersionKinds: [{ ...gvk, kind: definition.listKind }],
      selectableFields,
      impliedDefaults,
    });
  for (const subresource of Object.values(definition.subresources ?? {})) {
    const other = kindOfSubresource(subresource);
    if (other === undefined) continue;
    const { kind, groupStem, version, schema: created } = other;
    const named = { ...created, definition: created.definition ?? kind };
    roots.push({ schema: named, groupVersionKinds: [{ group: groupOf(dialect, groupStem), version, kind }] });
  }
  return roots;
}

/** Returns the schema of a list, whose `items` have the schema of the kind. */
function listSchema(item: ObjectSchema, definition: string, inWireOrder: boolean): ObjectSchema {
  const { properties } = item;
  const typeMeta = ['kind', 'apiVersion'].flatMap((name) => {
    const property = properties.get(name);
    return property ? [[name, property] as const] : [];
  });
  const items: Schema = { type: 'list', items: item };
  const members: readonly (readonly [string, Property])[] = [
    ...typeMeta,
    ['metadata', { schema: structSchema(listMeta), presence: 'always', description: 'The metadata of the list.' }],
    ['items', { schema: items, presence: 'always', required: true, description: 'The objects.' }],
  ];
  return {
    type: 'object',
    definition,
    description: 'Objects of one kind.',
    properties: new Map(inWireOrder ? members : [...members].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

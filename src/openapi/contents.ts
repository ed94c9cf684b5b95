import { groupOf } from '../meta/dialect.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { ServedResource } from '../registry/served-resource.js';
import { type MetaSchemaName, metaDefinition, metaRoot } from '../schema/meta-kinds.js';
import { listMeta } from '../schema/object-meta-schema.js';
import type { OpenApiRoot } from '../schema/openapi.js';
import type { ObjectSchema, Schema } from '../schema/schema.js';
import { schemaOf } from '../schema/zod-to-schema.js';
import {
  definitionName,
  groupIdentifier,
  groupVersionIdentifier,
  groupVersionPath,
  groupVersionTag,
  listDefinitionName,
} from './names.js';
import { allMediaTypes, documentOperation, type PathOperations, resourceOperations } from './operations.js';

/** The content of one document, before it is written in a version of OpenAPI. */
export interface DocumentContents {
  readonly paths: readonly PathOperations[];
  readonly roots: readonly OpenApiRoot[];
}

/** The documents of a server by name, as in `/openapi/v3/<name>`: `api/v1`, `version`. Contents are made when called for. */
export function documentContents(registry: ResourceRegistry): Map<string, () => DocumentContents> {
  const { dialect, groups } = registry;
  const types = allMediaTypes(dialect);
  const served = [...groups].flatMap(([group, versions]) => versions.map((version) => ({ group, version })));
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
      roots: [metaRoot(answer, served)],
    });
  const text =
    (path: string, operationId: string, tag: string, description: string, type: string) => (): DocumentContents => ({
      paths: [
        documentOperation(path, { operationId, tag, description, consumes: [], produces: [type], answer: 'string' }),
      ],
      roots: [],
    });
  const documents = new Map([
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
  for (const each of served)
    documents.set(groupVersionPath(each).slice(1), () => groupVersionContents(registry, each, served));
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
    roots: [metaRoot('Info', served)],
  }));
  return new Map([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function groupVersionContents(
  registry: ResourceRegistry,
  each: GroupVersion,
  served: readonly GroupVersion[],
): DocumentContents {
  const { dialect } = registry;
  const types = allMediaTypes(dialect);
  const resources = registry.resourcesOf(each.group, each.version).map((store) => store.resource);
  const itself = documentOperation(`${groupVersionPath(each)}/`, {
    operationId: `get${groupVersionIdentifier(each, dialect)}APIResources`,
    tag: groupVersionTag(each, dialect),
    description: 'get available resources',
    consumes: types,
    produces: types,
    answer: metaDefinition('APIResourceList'),
  });
  const paths = [itself, ...resources.flatMap(resourceOperations)].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { paths, roots: [...resources.flatMap(resourceRoots), ...metaRoots(resources, served)] };
}

function metaRoots(resources: readonly ServedResource[], served: readonly GroupVersion[]): OpenApiRoot[] {
  const can = (verb: string) => resources.some(({ verbs }) => verbs.has(verb));
  const names: MetaSchemaName[] = ['APIResourceList'];
  if (can('delete') || can('deletecollection')) names.push('DeleteOptions', 'Status');
  if (can('patch')) names.push('Patch');
  if (can('watch')) names.push('WatchEvent');
  return names.map((name) => metaRoot(name, served));
}

/** The schemas that a resource's operations refer to. */
function resourceRoots(resource: ServedResource): OpenApiRoot[] {
  const { definition, gvk, dialect, verbs } = resource;
  const impliedDefaults = definition.decoding === 'typed';
  const schema: ObjectSchema = { ...definition.schema, definition: definitionName(resource) };
  const roots: OpenApiRoot[] = [{ schema, groupVersionKinds: [gvk], impliedDefaults }];
  if (verbs.has('list'))
    roots.push({
      schema: listSchema(schema, listDefinitionName(resource)),
      groupVersionKinds: [{ ...gvk, kind: definition.listKind }],
      impliedDefaults,
    });
  for (const subresource of Object.values(definition.subresources ?? {})) {
    if (!('connect' in subresource)) continue;
    const { kind, groupStem, version, schema: connected } = subresource.connect;
    const named = { ...connected, definition: connected.definition ?? kind };
    roots.push({ schema: named, groupVersionKinds: [{ group: groupOf(dialect, groupStem), version, kind }] });
  }
  return roots;
}

/** The list of a kind: `items` are of the kind's own schema. */
function listSchema(item: ObjectSchema, definition: string): ObjectSchema {
  const { properties } = item;
  const typeMeta = ['kind', 'apiVersion'].flatMap((name) => {
    const property = properties.get(name);
    return property ? [[name, property] as const] : [];
  });
  const items: Schema = { type: 'list', items: item };
  return {
    type: 'object',
    definition,
    description: 'Objects of one kind.',
    properties: new Map([
      ...typeMeta,
      ['metadata', { schema: schemaOf(listMeta), presence: 'always', description: 'The metadata of the list.' }],
      ['items', { schema: items, presence: 'always', required: true, description: 'The objects.' }],
    ]),
  };
}

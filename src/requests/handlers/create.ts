import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { CreateSubresource } from '../../registry/resource-definition.js';
import { serveOwnKind } from '../../registry/served/served-part.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { matchNamespace } from '../../registry/writes/prepare.js';
import { bodyBytes, bodyFormat, decodeObject } from '../bodies/body.js';
import { readWriteOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import { DONE, type Result } from '../result.js';
import type { Route } from '../route.js';
import { writeContext } from './write-context.js';

/** Handles a POST to a collection: stores the object, or responds for a kind whose objects are never stored (spec 3.4). */
export async function handleCreate(exchange: Exchange, { store, namespace }: Route): Promise<Result> {
  const { environment, query } = exchange;
  const { resource } = store;
  const body = { format: bodyFormat(exchange), bytes: await bodyBytes(exchange) };
  const options = readWriteOptions(query, 'Create', environment.host.dialect);
  const decoded = await decodeObject(exchange, resource, body, options.fieldValidation);
  if (decoded.otherKind) throw decoded.otherKind;
  const object = matchNamespace(resource, decoded.object, namespace);
  const context = writeContext(exchange, options);
  const created = await store.create(context, namespace, object, options);
  return created ? { type: 'object', status: 201, object: created, resource } : DONE;
}

/** Handles a POST to a subresource that has a kind of its own for requests and responses, such as TokenRequest. */
export async function handleCreateSubresource(
  exchange: Exchange,
  { store, namespace, name, subresource }: Route,
): Promise<Result> {
  const { environment, query } = exchange;
  const definition = store.resource.definition.subresources?.[subresource];
  if (!definition || !('create' in definition)) throw apiError.noSuchResource();
  const { create } = definition;
  const resource = defineCreatedKind(create, groupOf(environment.host.dialect, create.groupStem), store.resource);
  const body = { format: bodyFormat(exchange), bytes: await bodyBytes(exchange) };
  const options = readWriteOptions(query, 'Create', environment.host.dialect);
  const decoded = await decodeObject(exchange, resource, body, options.fieldValidation);
  const context = writeContext(exchange, options);
  const at = { namespace, name, subresource, kind: resource };
  const object = await store.createSubresource(
    context,
    at,
    create,
    matchNamespace(resource, decoded.object, namespace),
    options,
  );
  return object ? { type: 'object', status: 201, object, resource } : DONE;
}

/**
 * Returns the kind of a subresource (such as TokenRequest) as a served resource, so that its request bodies are decoded like those of other
 * resources.
 */
function defineCreatedKind(
  { kind, version, schema, setDefaults, readVersions }: CreateSubresource<ApiObject>['create'],
  group: string,
  parent: ServedResource,
): ServedResource {
  const own = { groupStem: group, version, kind, schema, ...(setDefaults ? { setDefaults } : {}) };
  const read = readVersions ? { readVersions } : {};
  return { ...serveOwnKind(parent, own, group), ...read };
}

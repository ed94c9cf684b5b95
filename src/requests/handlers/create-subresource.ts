import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { matchNamespace } from '../../registry/writes/name-checks.js';
import { decodeObject, readBody } from '../bodies/body.js';
import { readWriteOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import { DONE, type Result } from '../result.js';
import type { Route } from '../route.js';
import { defineCreatedKind } from './created-kind.js';
import { writeContext } from './write-context.js';

/** Handles a POST to a subresource whose answer is an object of another kind. */
export async function handleCreateSubresource(
  exchange: Exchange,
  { store, namespace, name, subresource }: Route,
): Promise<Result> {
  const { environment, query } = exchange;
  const definition = store.resource.definition.subresources?.[subresource];
  if (!definition || !('create' in definition)) throw apiError.noSuchResource();
  const { create } = definition;
  const resource = defineCreatedKind(create, groupOf(environment.host.dialect, create.groupStem), store.resource);
  const body = await readBody(exchange);
  const options = readWriteOptions(query, 'Create', environment.host.dialect);
  const decoded = await decodeObject(exchange, resource, body, options.fieldValidation);
  const context = writeContext(exchange, options);
  const at = { namespace, name, subresource, kind: resource };
  const object = await store.createSubresource(
    context,
    at,
    create,
    matchNamespace(resource, decoded, namespace),
    options,
  );
  return object ? { type: 'object', status: 201, object, resource } : DONE;
}

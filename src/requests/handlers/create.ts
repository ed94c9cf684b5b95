import { matchNamespace } from '../../registry/writes/name-checks.js';
import { decodeObject, readBody } from '../bodies/body.js';
import { readWriteOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import { DONE, type Result } from '../result.js';
import type { Route } from '../route.js';
import { writeContext } from './write-context.js';

/** Handles a POST to a collection: stores an object, or answers for a kind that is never stored (spec 3.4). */
export async function handleCreate(exchange: Exchange, { store, namespace }: Route): Promise<Result> {
  const { environment, query } = exchange;
  const { resource } = store;
  const body = await readBody(exchange);
  const options = readWriteOptions(query, 'Create', environment.host.dialect);
  const decoded = await decodeObject(exchange, resource, body, options.fieldValidation);
  const object = matchNamespace(resource, decoded, namespace);
  const context = writeContext(exchange, options);
  const created = await store.create(context, namespace, object, options);
  return created ? { type: 'object', status: 201, object: created, resource } : DONE;
}

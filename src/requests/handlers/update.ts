import { deduplicateOwners } from '../../registry/prepare.js';
import { decodeObject, readBody } from '../bodies/body.js';
import { readWriteOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { matchName, matchNamespace } from './name-checks.js';
import { writeContext } from './write-context.js';

/** PUT: replaces an object, or makes it where the kind allows that (spec 3.6). */
export async function handleUpdate(
  exchange: Exchange,
  { store, namespace, name, subresource }: Route,
): Promise<Result> {
  const { environment, query } = exchange;
  const { resource } = store;
  const body = await readBody(exchange);
  const options = readWriteOptions(query, 'Update', environment.dialect);
  const given = await decodeObject(exchange, resource, body, options.fieldValidation);
  const named = matchNamespace(resource, given, namespace);
  matchName(named, name);
  const context = writeContext(exchange, options);
  const object = deduplicateOwners(named, context);
  const { object: updated, created } = await store.update(
    context,
    { namespace, name, subresource },
    () => object,
    {
      mayCreate: resource.definition.allowCreateOnUpdate ?? false,
      ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
    },
    options,
  );
  return { type: 'object', status: created ? 201 : 200, object: updated, resource };
}

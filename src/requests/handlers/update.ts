import { servedPart } from '../../registry/served/served-part.js';
import { bodyBytes, bodyFormat, decodeObject } from '../bodies/body.js';
import { readWriteOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { writeContext } from './write-context.js';

/** Handles a PUT: replaces an object, or creates it if the kind allows that (spec 3.6). */
export async function handleUpdate(
  exchange: Exchange,
  { store, namespace, name, subresource }: Route,
): Promise<Result> {
  const { environment, query } = exchange;
  const resource = servedPart(store.resource, subresource)?.resource ?? store.resource;
  const bytes = await bodyBytes(exchange);
  const options = readWriteOptions(query, 'Update', environment.host.dialect);
  // As in upstream, a PUT checks the Content-Type after the options, and a POST before it reads the body.
  const body = { format: bodyFormat(exchange), bytes };
  const decoded = await decodeObject(exchange, resource, body, options.fieldValidation);
  const { object, created } = await store.replace(
    writeContext(exchange, options),
    { namespace, name, subresource },
    decoded,
    options,
  );
  return { type: 'object', status: created ? 201 : 200, object, resource };
}

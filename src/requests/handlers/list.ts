import { createSelection } from '../../registry/reads/selection.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';

/** Handles the GET of a collection (spec 4.2, 4.5). */
export async function handleList(
  { query, environment, deadline }: Exchange,
  { store, namespace }: Route,
): Promise<Result> {
  const options = readListOptions(query, environment.host, false);
  const selection = createSelection(store.resource, options.labelSelector, options.fieldSelector);
  const { metadata, items } = await store.list({ ...options, namespace, selection }, deadline);
  return { type: 'list', resource: store.resource, metadata, items };
}

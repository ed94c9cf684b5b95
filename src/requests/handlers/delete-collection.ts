import { createSelection } from '../../registry/reads/selection.js';
import { readDeleteOptions } from '../bodies/delete-body.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { readContext } from './write-context.js';

/** Handles the DELETE of a collection (spec 7.5); the dialect decides what it answers. */
export async function handleDeleteCollection(exchange: Exchange, { store, namespace }: Route): Promise<Result> {
  const { environment, query } = exchange;
  const list = readListOptions(query, environment.host, false);
  const selection = createSelection(store.resource, list.labelSelector, list.fieldSelector);
  const { options, dryRun } = await readDeleteOptions(exchange);
  const context = readContext(exchange, dryRun);
  const { metadata, items } = await store.deleteCollection(context, { ...list, namespace, selection }, options);
  if (environment.host.dialect.rulings.deleteCollectionAnswer === 'list')
    return { type: 'list', resource: store.resource, metadata, items };
  const { group, resource } = store.resource.gvr;
  const details = { ...(group === '' ? {} : { group }), kind: resource };
  return {
    type: 'status',
    status: 200,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
  };
}

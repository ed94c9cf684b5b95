import { createSelection } from '../../registry/selection.js';
import { readDeleteOptions } from '../delete-body.js';
import { contextOf, type Exchange } from '../exchange.js';
import { readListOptions } from '../options.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';

/** DELETE of a collection (gap file 3.3); the dialect decides what it answers. */
export async function handleDeleteCollection(exchange: Exchange, { store, namespace }: Route): Promise<Result> {
  const { environment, query } = exchange;
  const list = readListOptions(query, environment.gates, environment.dialect, false);
  const selection = createSelection(store.resource, list.labelSelector, list.fieldSelector);
  const { options, dryRun } = await readDeleteOptions(exchange);
  const context = contextOf(exchange, { dryRun, fieldValidation: 'Ignore', fieldManager: '' }, async () => {});
  const { metadata, items } = await store.deleteCollection(context, { ...list, namespace, selection }, options);
  if (environment.dialect.rulings.deleteCollectionAnswer === 'list')
    return { type: 'list', resource: store.resource, metadata, items };
  const { group, resource } = store.resource.gvr;
  const details = { ...(group === '' ? {} : { group }), kind: resource };
  return {
    type: 'status',
    status: 200,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
  };
}

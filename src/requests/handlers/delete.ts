import type { ApiObject } from '../../meta/object-meta.js';
import type { Status } from '../../meta/status.js';
import { createSelection } from '../../registry/reads/selection.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { readDeleteOptions } from '../bodies/delete-body.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { readContext } from './write-context.js';

/** Handles the DELETE of one object (spec 7.2, 7.4). */
export async function handleDelete(exchange: Exchange, { store, namespace, name }: Route): Promise<Result> {
  const { resource } = store;
  const { options, dryRun } = await readDeleteOptions(exchange);
  const context = readContext(exchange, dryRun);
  const { object, removed } = await store.delete(context, namespace, name, options);
  // The status is 202 if dependents are to be deleted first, so that the object still exists.
  const status = !removed && options.orphanDependents === false ? 202 : 200;
  if (!removed || resource.definition.returnsDeletedObject) return { type: 'object', status, object, resource };
  return { type: 'status', status, object: deletedStatus(resource, object) };
}

function deletedStatus({ gvr }: ServedResource, { metadata }: ApiObject): Status {
  const { name = '', uid } = metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(gvr.group === '' ? {} : { group: gvr.group }),
      kind: gvr.resource,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

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

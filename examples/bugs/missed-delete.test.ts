import { type Client, configMap, isExpired } from 'orch-apiserver';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Caches the names of all routes, and continues after a watch ends. */
async function followRoutes(client: Client, routes: Set<string>, signal: AbortSignal, bug: boolean): Promise<void> {
  while (!signal.aborted) {
    const { items, metadata } = await client.list(configMap, where);
    // An object that was deleted between two watches appears in no event. It is only missing from the list.
    if (!bug) routes.clear();
    for (const route of items) routes.add(route.metadata.name ?? '');
    const { resourceVersion = '' } = metadata;
    try {
      for await (const { type, object } of client.watch(configMap, { ...where, resourceVersion, signal }))
        if (type === 'DELETED') routes.delete(object.metadata.name ?? '');
        else routes.add(object.metadata.name ?? '');
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
  }
}

describe('a missed deletion', () => {
  catches(async ({ faults, client, user }, bug) => {
    for (const name of ['a', 'b']) await user.create(configMap, { metadata: { name } }, where);
    const routes = new Set<string>();
    const stop = new AbortController();
    const open = async () => await expect.poll(() => faults.openWatches()).toHaveLength(1);
    const following = followRoutes(client, routes, stop.signal, bug);
    await open();

    // The watch expires, and an object is deleted before the next list.
    const list = faults.on({ verb: 'list' }).hold();
    faults.on({ verb: 'watch' }).endWatch('expired');
    await list.arrived();
    await user.delete(configMap, 'a', where);
    list.end();
    await open();
    stop.abort();
    await following;

    expect([...routes]).toEqual(['b']);
  });
});

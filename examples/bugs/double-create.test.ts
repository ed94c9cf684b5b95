import { type Client, isAlreadyExists } from 'orch-apiserver';
import { pod } from 'orch-apiserver/kinds';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Keeps a number of workers running. */
async function scale(client: Client, wanted: number, bug: boolean): Promise<void> {
  const { items } = await client.list(pod, { ...where, resourceVersion: '0' });
  const spec = { containers: [{ name: 'worker', image: 'worker' }] };
  for (let i = items.length; i < wanted; i++) {
    // The cache may not contain the last creation yet. If names follow from the count, the second attempt is refused,
    // whereas generated names are always free.
    const metadata = bug ? { generateName: 'worker-' } : { name: `worker-${i}` };
    await client.create(pod, { metadata, spec }, where).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}

describe('a double creation', () => {
  catches(async ({ faults, client, user }, bug) => {
    const { metadata } = await user.list(pod, where);
    const { resourceVersion = '' } = metadata;

    // The cache lags behind the controller's own writes.
    const lag = faults.on({ verb: 'list', resource: 'pods' }, { times: 'always' }).stale({ resourceVersion });
    await scale(client, 2, bug);
    await scale(client, 2, bug);
    lag.end();
    await scale(client, 2, bug);

    const { items } = await user.list(pod, where);
    expect(items).toHaveLength(2);
  });
});

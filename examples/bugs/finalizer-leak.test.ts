import { type Client, configMap, isNotFound, secret } from 'orch-apiserver';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

const FINALIZER = 'example.com/volume';

/** Deletes the volume of an application that is being deleted, then removes the application's finalizer. */
async function release(client: Client, name: string, bug: boolean): Promise<void> {
  const app = await client.get(configMap, name, where);
  if (app.metadata.deletionTimestamp === undefined) return;
  await client.delete(secret, `${name}-volume`, where).catch((error: unknown) => {
    // The volume is deleted, by this controller or by another one.
    if (bug || !isNotFound(error)) throw error;
  });
  await client.update(
    configMap,
    name,
    ({ metadata }) => void (metadata.finalizers = metadata.finalizers?.filter((each) => each !== FINALIZER) ?? []),
    where,
  );
}

describe('a finalizer that is never removed', () => {
  catches(async ({ faults, client, user }, bug) => {
    await user.create(configMap, { metadata: { name: 'shop', finalizers: [FINALIZER] } }, where);
    await user.create(secret, { metadata: { name: 'shop-volume' } }, where);
    await user.delete(configMap, 'shop', where);

    // The volume is deleted, but the response to the controller is lost.
    faults.on({ verb: 'delete', resource: 'secrets' }).loseAnswer();
    for (let attempt = 1; attempt <= 3; attempt++) await release(client, 'shop', bug).catch(() => {});

    const { items } = await user.list(configMap, { ...where, fieldSelector: 'metadata.name=shop' });
    expect(items).toEqual([]);
  });
});

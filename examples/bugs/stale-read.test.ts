import { type Client, isNotFound } from 'orch-apiserver';
import { persistentVolumeClaim, pod } from 'orch-apiserver/kinds';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Deletes each claim whose pod of the same name does not exist any more. */
async function cleanClaims(client: Client, bug: boolean): Promise<void> {
  const fromCache = { ...where, resourceVersion: '0' };
  const claims = await client.list(persistentVolumeClaim, fromCache);
  const pods = await client.list(pod, fromCache);
  const running = new Set(pods.items.map(({ metadata }) => metadata.name));
  for (const { metadata } of claims.items) {
    const { name = '' } = metadata;
    if (running.has(name)) continue;
    // The list may come from a server that lags behind, so a consistent read confirms that the pod is absent before the deletion.
    if (!bug && (await exists(client, name))) continue;
    await client.delete(persistentVolumeClaim, name, where);
  }
}

async function exists(client: Client, name: string): Promise<boolean> {
  return await client.get(pod, name, where).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

describe('a stale read', () => {
  catches(async ({ faults, client, user }, bug) => {
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources };
    const { metadata } = await user.create(persistentVolumeClaim, { metadata: { name: 'db' }, spec }, where);
    await user.create(pod, { metadata: { name: 'db' }, spec: { containers: [{ name: 'db', image: 'db' }] } }, where);

    // The server that responds has not seen the pod yet.
    const { resourceVersion = '' } = metadata;
    faults.on({ verb: 'list', resource: 'pods' }).stale({ resourceVersion });
    await cleanClaims(client, bug);

    const claim = await user.get(persistentVolumeClaim, 'db', where);
    expect(claim.metadata.deletionTimestamp).toBeUndefined();
  });
});

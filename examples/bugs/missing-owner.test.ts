import { type Client, type ConfigMap, configMap, isAlreadyExists, secret } from 'orch-apiserver';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Creates the certificate of a site, which must be deleted together with the site. */
async function certify(client: Client, { metadata }: ConfigMap, bug: boolean): Promise<void> {
  const { name = '', uid = '' } = metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
  // The creation includes the owner reference, because the controller can fail between two requests.
  const certificate = { metadata: bug ? { name } : { name, ownerReferences } };
  try {
    await client.create(secret, certificate, where);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    throw error;
  }
  if (bug) await client.patch(secret, name, { metadata: { ownerReferences } }, where);
}

describe('a missing owner reference', () => {
  catches(async ({ server, faults, client, user }, bug) => {
    const site = await user.create(configMap, { metadata: { name: 'site' } }, where);

    // The controller fails at its second request, whatever it is.
    faults.on({ verb: ['create', 'patch'], nth: 2 }).answer(503);
    for (let attempt = 1; attempt <= 3; attempt++) await certify(client, site, bug).catch(() => {});
    await user.delete(configMap, 'site', where);
    await server.settle(); // the garbage collector

    const { items } = await user.list(secret, where);
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('site');
  });
});

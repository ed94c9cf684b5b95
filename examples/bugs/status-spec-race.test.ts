import type { Client } from 'orch-apiserver';
import { type Deployment, deployment } from 'orch-apiserver/kinds';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Writes the number of replicas to the status of a deployment. */
async function report(client: Client, name: string, bug: boolean): Promise<void> {
  const { spec, status, metadata }: Deployment = await client.get(deployment, name, where);
  const replicas = spec.replicas ?? 0;
  const reported = { ...status, replicas, observedGeneration: metadata.generation ?? 0 };
  // An update of the whole object would overwrite the current spec with the one that was read earlier.
  if (bug) await client.patch(deployment, name, { metadata: { labels: { reported: 'yes' } }, spec }, where);
  await client.patch(deployment, name, { status: reported }, { ...where, subresource: 'status' });
}

describe('a race between spec and status', () => {
  catches(async ({ faults, client, user }, bug) => {
    const labels = { app: 'shop' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'shop', image: 'shop' }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await user.create(deployment, { metadata: { name: 'shop' }, spec }, where);

    // The user scales up between the controller's read and its first write.
    const write = faults.on({ verb: 'patch', resource: ['deployments', 'deployments/status'] }).hold();
    const reporting = report(client, 'shop', bug);
    await write.arrived();
    await user.patch(deployment, 'shop', { spec: { replicas: 5 } }, where);
    write.end();
    await reporting;

    const shop = await user.get(deployment, 'shop', where);
    expect(shop.spec.replicas).toBe(5);
  });
});

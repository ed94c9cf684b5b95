import { type Client, type ConfigMap, configMap } from 'orch-apiserver';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Reloads an application when its configuration changes, and records what was loaded. */
async function reload(client: Client, { metadata, data }: ConfigMap, bug: boolean): Promise<void> {
  // Recording the resourceVersion would create another one, without end. The content only changes when a user changes it.
  const loaded = bug ? metadata.resourceVersion : JSON.stringify(data);
  if (metadata.annotations?.['example.com/loaded'] === loaded) return;
  const change = { metadata: { annotations: { 'example.com/loaded': loaded } } };
  await client.patch(configMap, metadata.name ?? '', change, where);
}

async function followConfiguration(client: Client, bug: boolean): Promise<void> {
  for await (const { type, object } of client.watch(configMap, where))
    if (type !== 'DELETED') await reload(client, object, bug);
}

describe('a hot loop', () => {
  catches(async ({ faults, client, user }, bug) => {
    await user.create(configMap, { metadata: { name: 'shop' }, data: { color: 'red' } }, where);

    // The second event is caused by the controller's own write, and needs no further work.
    faults.on({ verb: 'watch' }).endWatch('timeout', { afterEvents: 2 });
    const another = faults.on({ verb: 'patch', nth: 2 }, { optional: true }).answer(403);
    await followConfiguration(client, bug).catch(() => {});

    expect(another.fired).toBe(0);
    const { metadata } = await user.get(configMap, 'shop', where);
    expect(metadata.annotations).toEqual({ 'example.com/loaded': '{"color":"red"}' });
  });
});

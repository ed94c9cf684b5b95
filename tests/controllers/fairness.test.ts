import { expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const OWNERS = 80;
const DEPENDENTS = 80;

it('lets requests run while a controller has much work', async () => {
  await using server = await openServer({ controllers: undefined as never });
  const create = async (name: string, metadata: object) =>
    (await ask(server, { method: 'POST', path: CONFIG_MAPS, body: { metadata: { name, ...metadata } } })).value;
  const owners = [];
  for (let i = 0; i < OWNERS; i++) owners.push(await create(`owner-${i}`, { labels: { role: 'owner' } }));
  const ownerReferences = owners.map(({ metadata }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadata.name,
    uid: metadata.uid,
  }));
  for (let i = 0; i < DEPENDENTS; i++) await create(`dependent-${i}`, { ownerReferences });

  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await ask(server, { method: 'DELETE', path: CONFIG_MAPS, query: 'labelSelector=role%3Downer' });
  const left = async () => (await ask(server, { path: CONFIG_MAPS, query: 'labelSelector=!role' })).value.items.length;
  while ((await left()) > 1) await new Promise((resolve) => setTimeout(resolve, 1));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(5);
});

import { expect, it } from 'vitest';
import { coreEvent, event } from '../../src/exports/kinds.js';
import { startServer } from '../support/servers.js';

const namespace = 'default';
const made = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace, labels: { a: 'x' } },
  involvedObject: { kind: 'Pod', namespace, name: 'x' },
  reason: 'Tested',
  message: 'a message',
  type: 'Normal',
};

it('fields that a manager wrote in one version keep their owner in another', async () => {
  await using server = await startServer();
  const client = server.client();
  await server.load([made]);
  const { metadata } = await client.get(coreEvent, 'e', { namespace });

  const seen = await client.get(event, 'e', { namespace });
  const same = await client.replace(event, seen, { fieldManager: 'newer' });
  expect(same.metadata.resourceVersion).toBe(metadata.resourceVersion);

  await client.update(event, 'e', (draft) => void (draft.metadata.labels = { a: 'y' }), {
    namespace,
    fieldManager: 'newer',
  });
  const { managedFields = [] } = (await client.get(coreEvent, 'e', { namespace })).metadata;
  const [first, second] = [...managedFields].sort(
    (a, b) => Number(a.manager === 'newer') - Number(b.manager === 'newer'),
  );
  expect(first).toMatchObject({ manager: 'load', apiVersion: 'v1', fieldsV1: { 'f:reason': {} } });
  expect(first?.fieldsV1).not.toHaveProperty(['f:metadata', 'f:labels', 'f:a']);
  expect(second).toMatchObject({
    manager: 'newer',
    apiVersion: 'events.orch.io/v1',
    fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
  });
});

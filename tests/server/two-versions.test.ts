import { expect, it } from 'vitest';
import { ApiServer, coreEvent, event } from '../../src/index.js';

const namespace = 'default';
const made = {
  metadata: { name: 'e', namespace },
  involvedObject: { kind: 'Pod', namespace, name: 'x' },
  reason: 'Tested',
  message: 'a message',
  type: 'Normal',
};

it('what a manager wrote in one version stays its own in the other', async () => {
  await using server = new ApiServer();
  await server.start();
  const client = server.client();
  const { metadata } = await client.create(coreEvent, made, { fieldManager: 'older' });

  const seen = await client.get(event, 'e', { namespace });
  const same = await client.replace(event, seen, { fieldManager: 'newer' });
  expect(same.metadata.resourceVersion).toBe(metadata.resourceVersion);

  await client.update(event, 'e', (draft) => void (draft.note = 'another'), { namespace, fieldManager: 'newer' });
  const { managedFields = [] } = (await client.get(coreEvent, 'e', { namespace })).metadata;
  const [first, second] = [...managedFields].sort(
    (a, b) => Number(a.manager === 'newer') - Number(b.manager === 'newer'),
  );
  expect(first).toMatchObject({ manager: 'older', apiVersion: 'v1', fieldsV1: { 'f:reason': {} } });
  expect(first?.fieldsV1).not.toHaveProperty('f:message');
  expect(second).toMatchObject({ manager: 'newer', apiVersion: 'events.orch.io/v1', fieldsV1: { 'f:note': {} } });
});

import { expect, it } from 'vitest';
import { pod, serviceAccount } from '../../../src/exports/kinds.js';
import { outcome } from '../../authorization/server.js';
import { ask } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

const namespace = 'default';
const spec = { containers: [{ name: 'c', image: 'i' }] };
const mirror = { 'kubernetes.io/config.mirror': 'x' };

it.each([
  ['whose account does not exist', { serviceAccountName: 'nobody' }, undefined, 'error looking up service account'],
  ['that mirrors another one with an account', { serviceAccountName: 'default' }, mirror, 'a mirror pod may not'],
])('refuses a pod %s by its name, or by its generateName while it has no name', async (_, more, annotations, why) => {
  const client = closeAfterTest(await openServer({ dialect: 'k8s' })).client();
  for (const [metadata, name] of [
    [{ name: 'one' }, 'one'],
    [{ generateName: 'many-' }, 'many-'],
  ] as const) {
    const object = {
      metadata: { ...metadata, namespace, ...(annotations ? { annotations } : {}) },
      spec: { ...spec, ...more },
    };
    const { code, message } = await outcome(client.create(pod, object));
    expect([code, message]).toEqual([403, expect.stringMatching(`^pods "${name}" is forbidden: ${why}`)]);
  }
});

it('refuses a secret that the account does not list before it validates the pod', async () => {
  const client = closeAfterTest(await openServer({ dialect: 'k8s' })).client();
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  await client.create(serviceAccount, { metadata: { name: 'strict', namespace, annotations } });
  const volumes = [{ name: 'v', secret: { secretName: 's' } }];
  const object = {
    metadata: { name: 'p', namespace },
    spec: { ...spec, restartPolicy: 'x' as never, serviceAccountName: 'strict', volumes },
  };
  const { code, message } = await outcome(client.create(pod, object));
  expect([code, message]).toEqual([
    403,
    'pods "p" is forbidden: volume with secret.secretName="s" is not allowed because service account strict does not reference that secret',
  ]);
});

it('leaves a pod without a spec to validation', async () => {
  const server = closeAfterTest(await openServer({ dialect: 'k8s' }));
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  await server.client().create(serviceAccount, { metadata: { name: 'default', namespace: 'default', annotations } });
  const body = { metadata: { name: 'p' }, spec: null };
  const { status, message } = await ask(server, { method: 'POST', path: '/api/v1/namespaces/default/pods', body });
  expect([status, message]).toEqual([422, expect.stringContaining('spec.containers: Required value')]);
});

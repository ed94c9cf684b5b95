import { expect, it, vi } from 'vitest';
import type { AdmissionPluginFactory } from '../../../src/admission/admission-plugin.js';
import { namespace as namespaceKind, pod, serviceAccount } from '../../../src/exports/kinds.js';
import { defaultAdmission } from '../../../src/plugins/default-admission.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
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

const fresh = { metadata: { name: 'one', namespace: 'fresh' }, spec };
const missing = {
  code: 403,
  message: expect.stringContaining(
    'error looking up service account fresh/default: serviceaccount "default" not found',
  ),
};

/** Starts a server whose clock does not advance. It creates no service account in the namespace `fresh` until `release` is called. */
async function serverThatHolds() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding: AdmissionPluginFactory = () => ({
    name: 'Holding',
    rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['serviceaccounts'] }],
    handles: ({ namespace: of }) => of === 'fresh',
    validate: async () => void (await released),
  });
  const admission = [...defaultAdmission, holding];
  const server = closeAfterTest(await openServer({ controllers: {}, clock: createFakeClock(), admission }));
  const client = server.client();
  await client.create(namespaceKind, { metadata: { name: 'fresh' } });
  return { client, release };
}

it('waits for the account of a new namespace, even if the clock does not advance', async () => {
  const { client, release } = await serverThatHolds();
  const created = client.create(pod, fresh);
  // The account of another namespace does not end the wait, and other accounts are looked up once.
  const other = { metadata: fresh.metadata, spec: { ...spec, serviceAccountName: 'other' } };
  expect(await outcome(client.create(pod, other))).toMatchObject({ code: 403 });
  setTimeout(release, 20);
  expect((await created).spec.serviceAccountName).toBe('default');
});

it('refuses a pod whose account is not created for a second', async () => {
  const { client, release } = await serverThatHolds();
  const began = Date.now();
  expect(await outcome(client.create(pod, fresh))).toMatchObject(missing);
  expect(Date.now() - began).toBeGreaterThan(900);
  release();
});

it.each([
  ['is stepped', { mode: 'stepped' }],
  ['is switched off', { run: ['*', '-serviceaccount-controller'] }],
] as const)('refuses the pod at once if the controller of accounts %s', async (_, controllers) => {
  const server = closeAfterTest(await openServer({ dialect: 'k8s', controllers }));
  const client = server.client();
  await client.create(namespaceKind, { metadata: { name: 'fresh' } });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  expect(await outcome(client.create(pod, fresh))).toMatchObject(missing);
  expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 1_000)).toEqual([]);
  timers.mockRestore();
});

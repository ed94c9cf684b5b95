import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { node as nodeAuthorizer } from '../../../src/plugins/nodes/node-authorizer.js';
import { nodeRestriction } from '../../../src/plugins/nodes/node-restriction.js';
import { node, pod, serviceAccount } from '../../../src/resources/core/index.js';
import { as, outcome, STEPPED } from '../../authorization/server.js';
import { attributesWith } from '../../authorization/upstream-data.js';
import { hostWith } from '../../support/hosts.js';
import { suiteServer } from '../../support/servers.js';

/*
 * A node gains nothing from the statuses of claims and the mirror pods that it writes. A ServiceAccount that restricts the Secrets of its
 * pods does so for every way to refer to a Secret.
 */
describe.each(['k8s', 'orch'] as const)('pods (%s)', (dialect) => {
  const server = suiteServer({ ...STEPPED, dialect, admission: (defaults) => [...defaults, nodeRestriction] });
  let admin: Client;
  let n1: Client;
  const namespace = 'default';
  const domain = dialect === 'k8s' ? 'kubernetes.io' : 'orch.io';
  const mirror = `${domain}/config.mirror`;
  const containers = [{ name: 'c', image: 'i' }];
  const make = (name: string, spec: object = {}, annotations?: object) =>
    admin.create(pod, { metadata: { name, namespace, annotations }, spec: { containers, ...spec } } as never);

  beforeAll(async () => {
    admin = server.client();
    n1 = as(server, 'system:node:n1', 'system:nodes', 'system:authenticated');
    await server.settle();
    await admin.create(node, { metadata: { name: 'n1' } } as never);
    const limits = { [`${domain}/enforce-mountable-secrets`]: 'true' };
    const account = { secrets: [{ name: 'allowed' }], imagePullSecrets: [{ name: 'pull' }] };
    await admin.create(serviceAccount, {
      metadata: { name: 'limited', namespace, annotations: limits },
      ...account,
    } as never);
    await admin.create(serviceAccount, {
      metadata: { name: 'free', namespace, annotations: { ...limits, [`${domain}/enforce-mountable-secrets`]: 'no' } },
    } as never);
    await make('run', { nodeName: 'n1', resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] });
    await make('mirrored', { nodeName: 'n1' }, { [mirror]: 'x' });
    await make('ended', { nodeName: 'n1', restartPolicy: 'Never' });
    await make('limited', { serviceAccountName: 'limited' });
  });

  const status = (who: Client, name: string, change: object) =>
    outcome(who.patch(pod, name, change, { namespace, subresource: 'status' }));
  const claimed = (name: string, claim: string) => ({
    status: { resourceClaimStatuses: [{ name, resourceClaimName: claim }] },
  });

  it('a node cannot set which claims were created for its pods, nor can others in this release', async () => {
    const refused = { code: 403, message: expect.stringContaining('node "n1" cannot update resource claim statues') };
    expect(await status(n1, 'run', claimed('gpu', 'any'))).toMatchObject(refused);
    expect(await status(admin, 'run', claimed('gpu', 'real'))).toMatchObject({
      code: 422,
      message: expect.stringContaining('must match the name of an entry in `spec.resourceClaims`'),
    });
    expect(await status(n1, 'run', { status: { message: 'well' } })).toMatchObject({ code: 200 });
  });

  it.each(['', 'status', 'ephemeralcontainers'])(
    'the mirror annotation cannot be changed: "%s"',
    async (subresource) => {
      const set = (name: string, value: string | null) =>
        outcome(admin.patch(pod, name, { metadata: { annotations: { [mirror]: value } } }, { namespace, subresource }));
      const refusal = (verb: string) => ({
        code: 422,
        message: expect.stringContaining(
          `metadata.annotations[${mirror}]: Forbidden: may not ${verb} mirror pod annotation`,
        ),
      });
      if (subresource === 'ephemeralcontainers') {
        // All other fields of this write are dropped.
        expect(await set('run', 'x')).toMatchObject({ code: 200 });
        expect((await admin.get(pod, 'run', { namespace })).metadata.annotations ?? {}).not.toHaveProperty(mirror);
        const message = expect.stringContaining('static pods do not support ephemeral containers');
        expect(await set('mirrored', null)).toMatchObject({ code: 422, message });
        return;
      }
      expect(await set('run', 'x')).toMatchObject(refusal('add'));
      expect(await set('mirrored', null)).toMatchObject(refusal('remove or update'));
      expect(await set('mirrored', 'y')).toMatchObject(refusal('remove or update'));
      expect(await set('mirrored', 'x')).toMatchObject({ code: 200 });
    },
  );

  it('a finished pod stays finished', async () => {
    const state = (given: object) => ({
      status: {
        containerStatuses: [{ name: 'c', state: given, ready: false, restartCount: 0, image: 'i', imageID: '' }],
      },
    });
    expect(await status(n1, 'ended', state({ terminated: { exitCode: 0 } }))).toMatchObject({ code: 200 });
    expect(await status(n1, 'ended', state({ running: {} }))).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
      ),
    });
  });

  it.each([
    ['an account', { serviceAccountName: 'free' }, 'a mirror pod may not reference service accounts'],
    ['a volume', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'a mirror pod may not reference secrets'],
    ['a pull secret', { imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    [
      'an environment variable',
      { containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 's' } }] }] },
      'a mirror pod may not reference secrets',
    ],
    [
      'a token',
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ])('a mirror pod cannot name %s', async (_name, spec, message) => {
    const made = make('m', { nodeName: 'n1', ...spec }, { [mirror]: 'x' });
    expect(await outcome(made)).toEqual({ code: 403, message: `pods "m" is forbidden: ${message}` });
  });

  const unlisted = (what: string) =>
    `${what} secret.secretName="top" is not allowed because service account limited does not reference that secret`;
  const container = (more: object) => [{ name: 'c', image: 'i', ...more }];
  const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'top', key: 'k' } } }];
  const envFrom = [{ secretRef: { name: 'top' } }];
  const uses: readonly (readonly [string, object, string])[] = [
    ['a volume', { volumes: [{ name: 'v', secret: { secretName: 'top' } }] }, unlisted('volume with')],
    [
      'a projected volume',
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'top' } }] } }] },
      unlisted('volume with'),
    ],
    ['an environment variable', { containers: container({ env }) }, unlisted('container c with envVar E referencing')],
    [
      'all environment variables',
      { containers: container({ envFrom }) },
      unlisted('container c with envFrom referencing'),
    ],
    [
      'an init container',
      { initContainers: [{ name: 'f', image: 'i', envFrom }] },
      unlisted('init container f with envFrom referencing'),
    ],
    [
      'a pull secret',
      { imagePullSecrets: [{ name: 'pull' }, { name: 'top' }] },
      'imagePullSecrets[1].name="top" is not allowed because service account limited does not reference that imagePullSecret',
    ],
  ];
  it.each(uses)('a restricted ServiceAccount mounts only what it lists: %s', async (_name, spec, message) => {
    expect(await outcome(make('p', { serviceAccountName: 'limited', ...spec }))).toEqual({
      code: 403,
      message: `pods "p" is forbidden: ${message}`,
    });
    await make('p', { serviceAccountName: 'free', ...spec });
    await admin.delete(pod, 'p', { namespace, gracePeriodSeconds: 0 } as never);
    const listed = JSON.parse(
      JSON.stringify(spec).replaceAll('"top"', message.startsWith('image') ? '"pull"' : '"allowed"'),
    );
    await make('p', { serviceAccountName: 'limited', ...listed });
    await admin.delete(pod, 'p', { namespace, gracePeriodSeconds: 0 } as never);
  });

  it.each([
    ['an environment variable', { env }, 'envVar E'],
    ['all environment variables', { envFrom }, 'envFrom'],
  ])('a container added later cannot mount it either: %s', async (_name, more, what) => {
    const change = { spec: { ephemeralContainers: [{ name: 'e', image: 'i', ...more }] } };
    const added = admin.patch(pod, 'limited', change, {
      namespace,
      subresource: 'ephemeralcontainers',
      type: 'strategic',
    });
    expect(await outcome(added)).toEqual({
      code: 403,
      message: `pods "limited" is forbidden: ${unlisted(`ephemeral container e with ${what} referencing`)}`,
    });
  });
});

describe('the graph of the node authorizer', () => {
  const uid = 'u1';
  const spec = {
    nodeName: 'n1',
    resourceClaims: [
      { name: 'a', resourceClaimTemplateName: 't' },
      { name: 'b', resourceClaimName: 'direct' },
    ],
  };
  const made = (name: string) => ({ name: 'a', resourceClaimName: name });
  const owned = (name: string, owner: object) => ({
    metadata: {
      namespace: 'ns',
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true, ...owner }],
    },
  });
  const authorizer = nodeAuthorizer()(
    hostWith({
      '/pods': [
        {
          metadata: { namespace: 'ns', name: 'p', uid },
          spec,
          status: {
            resourceClaimStatuses: [
              made('mine'),
              made('others'),
              made('nobodys'),
              made('loose'),
              { name: 'x', resourceClaimName: 'unasked' },
            ],
          },
        },
      ],
      'resource.k8s.io/resourceclaims': [
        owned('mine', {}),
        owned('others', { uid: 'u2' }),
        owned('loose', { controller: false }),
        owned('unasked', {}),
        { metadata: { namespace: 'ns', name: 'nobodys' } },
        { metadata: { namespace: 'ns', name: 'direct' } },
      ],
    }),
  );
  it.each([
    ['direct', 'Allow'],
    ['mine', 'Allow'],
    ['others', 'NoOpinion'],
    ['nobodys', 'NoOpinion'],
    ['loose', 'NoOpinion'],
    ['unasked', 'NoOpinion'],
    ['missing', 'NoOpinion'],
  ])('follows a status only as far as the claim confirms it: %s', async (name, decision) => {
    const user = { username: 'system:node:n1', groups: ['system:nodes'] };
    const group = 'resource.k8s.io';
    const asked = attributesWith({ user, verb: 'get', group, resource: 'resourceclaims', namespace: 'ns', name });
    expect(await authorizer.authorize(asked)).toMatchObject({ decision });
  });
});

import { describe, expect, it } from 'vitest';
import { node, nodeOf } from '../../../src/plugins/nodes/node-authorizer.js';
import { referencesOf } from '../../../src/plugins/pods/pod-references.js';
import type { Pod } from '../../../src/resources/core/core-v1.types.js';
import { attributesOf, attributesWith, type Case, userOf } from '../../authorization/upstream-data.js';
import { hostWith } from '../../support/hosts.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

const nodeUser = (name: string) => ({
  username: `system:node:${name}`,
  groups: ['system:nodes', 'system:authenticated'],
});
const pod = (name: string, spec: object, annotations?: object) => ({
  metadata: { namespace: 'ns', name, annotations },
  spec,
});

describe('node authorizer', () => {
  const authorizer = node()(
    hostWith({
      '/pods': [
        pod('p', {
          nodeName: 'n1',
          serviceAccountName: 'robot',
          volumes: [{ name: 'v', ephemeral: {} }, { secret: { secretName: 's' } }],
        }),
        pod(
          'mirror',
          { nodeName: 'n1', volumes: [{ secret: { secretName: 'stolen' } }] },
          { 'kubernetes.io/config.mirror': 'x' },
        ),
        pod('waiting', { volumes: [{ secret: { secretName: 'unscheduled' } }] }),
        // The name of this node resembles the key of another.
        pod('odd', { nodeName: '"n1","secret","ns","free"', volumes: [{ secret: { secretName: 'x' } }] }),
      ],
    }),
  );
  const ask = (name: string, given: Parameters<typeof attributesWith>[0]) =>
    authorizer.authorize(
      attributesWith({ user: nodeUser(name), verb: 'get', namespace: 'ns', resource: 'secrets', ...given }),
    );

  it.each([
    ['allows a secret of a pod of the node', { name: 's' }, 'Allow', ''],
    ['allows the claim of an ephemeral volume', { resource: 'persistentvolumeclaims', name: 'p-v' }, 'Allow', ''],
    [
      'allows a token for the account of a pod',
      { resource: 'serviceaccounts', subresource: 'token', verb: 'create', name: 'robot' },
      'Allow',
      '',
    ],
    [
      'does not allow a secret that only a mirror pod names',
      { name: 'stolen' },
      'NoOpinion',
      "no relationship found between node 'n1' and this object",
    ],
    [
      'does not allow a secret of a pod without a node',
      { name: 'unscheduled' },
      'NoOpinion',
      "no relationship found between node 'n1' and this object",
    ],
    [
      'does not allow a secret in another namespace',
      { name: 's', namespace: 'other' },
      'NoOpinion',
      "no relationship found between node 'n1' and this object",
    ],
    [
      'does not allow an update of a secret',
      { name: 's', verb: 'update' },
      'NoOpinion',
      'can only read resources of this type',
    ],
    ['does not allow a subresource', { name: 's', subresource: 'x' }, 'NoOpinion', 'cannot read subresource'],
    [
      'does not allow a list of all secrets',
      { verb: 'list', namespace: '' },
      'NoOpinion',
      'can only read namespaced object of this type',
    ],
    ['does not allow a list of secrets of a namespace', { verb: 'list' }, 'NoOpinion', 'No Object name found'],
    ['allows what the role of nodes allows', { resource: 'pods', verb: 'list', namespace: '' }, 'Allow', ''],
    ['does not allow what no rule covers', { resource: 'namespaces', verb: 'list' }, 'NoOpinion', ''],
    ['does not allow a similar API group', { resource: 'leases', group: 'coordination.k8s.io/x' }, 'NoOpinion', ''],
  ] as const)('%s', async (_name, given, decision, reason) => {
    expect(await ask('n1', given)).toMatchObject({ decision, reason });
  });

  it('is not deceived by names that resemble those of nodes', async () => {
    const names = ['N1', 'n1 ', 'n1"', '["n1"]', '"n1","secret","ns","s"', '__proto__'];
    for (const name of names) expect(await ask(name, { name: 's' })).toMatchObject({ decision: 'NoOpinion' });
  });

  it('has no opinion about other users, and does not accept a node without a name', async () => {
    const secret = attributesWith({ verb: 'get', resource: 'secrets', namespace: 'ns', name: 's' });
    expect(await authorizer.authorize({ ...secret, user: { username: 'system:node:n1', groups: [] } })).toEqual({
      decision: 'NoOpinion',
      reason: '',
    });
    expect(await authorizer.authorize({ ...secret, user: nodeUser('') })).toMatchObject({
      reason: 'unknown node for user "system:node:"',
    });
  });

  it('lists no rules for nodes', () => {
    expect(authorizer.rulesFor?.(nodeUser('n1'), 'ns')).toMatchObject({ incomplete: true, resourceRules: [] });
    expect(authorizer.rulesFor?.({ username: 'x' }, 'ns')).toMatchObject({ incomplete: false });
  });

  it('follows every reference of a pod', () => {
    const env = [{ valueFrom: { secretKeyRef: { name: 'a' } } }, { valueFrom: { configMapKeyRef: { name: 'b' } } }];
    const envFrom = [{ secretRef: { name: 'c' } }, { configMapRef: { name: 'd' } }];
    const references = referencesOf({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: {
        imagePullSecrets: [{ name: 'e' }],
        containers: [{ env }],
        initContainers: [{ envFrom }],
        ephemeralContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'f' } } }] }],
        volumes: [
          { projected: { sources: [{ secret: { name: 'g' } }, { configMap: { name: 'h' } }] } },
          { csi: { nodePublishSecretRef: { name: 'i' } } },
          { cephfs: { secretRef: { name: 'j' } } },
          { persistentVolumeClaim: { claimName: 'k' } },
        ],
        resourceClaims: [{ resourceClaimName: 'l' }],
      },
    } as unknown as Pod); // Only the references of the pod count.
    expect(references.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
      'configmap b',
      'configmap d',
      'configmap h',
      'pvc k',
      'resourceclaim l',
      'secret a',
      'secret c',
      'secret e',
      'secret f',
      'secret g',
      'secret i',
      'secret j',
    ]);
  });
});

const data = readShared('data/authz-node/node-authorizer-cases.json');

describe.skipIf(!hasSharedData)("node authorizer: the upstream's tables", () => {
  const volumeOf = (volume: Record<string, string>) => ({
    ...(volume['secret'] ? { secret: { secretName: volume['secret'] } } : {}),
    ...(volume['configMap'] ? { configMap: { name: volume['configMap'] } } : {}),
    ...(volume['persistentVolumeClaim']
      ? { persistentVolumeClaim: { claimName: volume['persistentVolumeClaim'] } }
      : {}),
  });
  const make = (graph: Record<string, Record<string, never>[]>) =>
    node()(
      hostWith({
        '/pods': (graph['pods'] ?? []).map(
          ({ namespace, name, nodeName, serviceAccountName, volumes = [], secrets = [] }) => ({
            metadata: { namespace, name },
            spec: {
              nodeName,
              serviceAccountName,
              volumes: [...volumes, ...(secrets as string[]).map((secret) => ({ secret }))].map((each) =>
                volumeOf(each as never),
              ),
            },
          }),
        ),
        '/persistentvolumes': (graph['persistentVolumes'] ?? []).map(({ name, flexVolumeSecret, claimRef }) => ({
          metadata: { name },
          spec: { claimRef, flexVolume: { secretRef: { name: flexVolumeSecret } } },
        })),
        'storage.k8s.io/volumeattachments': (graph['volumeAttachments'] ?? []).map(({ name, nodeName }) => ({
          metadata: { name },
          spec: { nodeName },
        })),
      }),
    );
  // The configuration of nodes by config maps was removed in 1.24, and the old switches are on.
  const current = ({ name }: { name: string }) => !name.includes('node configmap') && !name.includes('disabled');

  const cases = ((data?.cases ?? []) as readonly Case[])
    .filter(current)
    .map((each): [string, Case] => [each.name, each]);
  it.each(cases)('%s', async (_name, given: Case) => {
    const { attrs, expect: expected } = given as { attrs: Record<string, unknown>; expect: string };
    expect((await make(data.graph).authorize(attributesOf(attrs))).decision).toBe(expected);
  });

  it('secrets that several pods share', async () => {
    const authorizer = make(data.sharedGraph);
    for (const { User, Secret, ExpectAllowed } of data.sharedCases) {
      if (Secret === undefined) continue;
      const question = attributesWith({
        user: userOf(User),
        verb: 'get',
        resource: 'secrets',
        namespace: 'ns1',
        name: Secret,
      });
      expect((await authorizer.authorize(question)).decision).toBe(ExpectAllowed ? 'Allow' : 'NoOpinion');
    }
  });

  it('users that are nodes', () => {
    for (const { user, expectNodeName, expectIsNode } of data.nodeIdentity)
      if (user) expect(nodeOf(userOf(user))).toBe(expectIsNode ? expectNodeName : undefined);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { alwaysAllow } from '../../../src/authorization/always-allow.js';
import type { Client } from '../../../src/client/client.js';
import { k8s, orch } from '../../../src/meta/dialect.js';
import { forbiddenNodeLabels, nodeRestriction } from '../../../src/plugins/nodes/node-restriction.js';
import { certificateSigningRequest } from '../../../src/resources/certificates/index.js';
import { lease } from '../../../src/resources/coordination/index.js';
import { node, pod } from '../../../src/resources/core/index.js';
import { encodeBase64Text } from '../../../src/values/base64.js';
import { as, outcome, STEPPED, startStepped } from '../../authorization/server.js';
import { makeRequest } from '../../pki/make-request.js';
import { ask } from '../../support/ask.js';
import { suiteServer } from '../../support/servers.js';

describe('NodeRestriction', () => {
  const server = suiteServer({ ...STEPPED, admission: (defaults) => [...defaults, nodeRestriction] });
  let n1: Client;
  const namespace = 'default';
  const podSpec = (nodeName: string) => ({ nodeName, containers: [{ name: 'c', image: 'i' }] }) as never;
  beforeAll(async () => {
    n1 = as(server, 'system:node:n1', 'system:nodes', 'system:authenticated');
    await n1.create(node, { metadata: { name: 'n1' } } as never);
    await server.client().create(node, { metadata: { name: 'n2' } } as never);
    await server.client().create(pod, { metadata: { name: 'mine', namespace }, spec: podSpec('n1') } as never);
    await server.client().create(pod, { metadata: { name: 'other', namespace }, spec: podSpec('n2') } as never);
  });

  const mirror = async (change: object, owner: object = {}) => {
    const { uid } = (await n1.get(node, 'n1')).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true, ...owner }];
    const metadata = { name: 'm', namespace, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences };
    return n1.create(pod, { metadata, spec: podSpec('n1'), ...change } as never, { dryRun: true });
  };
  const CASES: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    [
      'refuses the creation of another node',
      () => n1.create(node, { metadata: { name: 'n3' } } as never),
      'nodes "n3" is forbidden: node "n1" is not allowed to modify node "n3"',
    ],
    [
      'refuses a change of another node',
      () => n1.patch(node, 'n2', { metadata: { annotations: { a: 'b' } } }),
      'is not allowed to modify node "n2"',
    ],
    ['allows an annotation of its own node', () => n1.patch(node, 'n1', { metadata: { annotations: { a: 'b' } } }), ''],
    [
      'refuses a change of its own taints',
      () => n1.patch(node, 'n1', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
      'node "n1" is not allowed to modify taints',
    ],
    [
      'refuses a reserved label',
      () =>
        n1.patch(node, 'n1', {
          metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y', 'k8s.io/a': 'b', free: 'x' } },
        }),
      'is not allowed to modify labels: k8s.io/a, node-restriction.kubernetes.io/x',
    ],
    [
      'allows a label that nodes may set',
      () =>
        n1.patch(node, 'n1', { metadata: { labels: { 'node.kubernetes.io/x': 'y', 'kubernetes.io/os': 'linux' } } }),
      '',
    ],
    [
      'refuses owner references of its node',
      () =>
        n1.patch(node, 'n1', {
          metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'x' }] },
        }),
      'node "n1" is not allowed to modify ownerReferences',
    ],
    [
      'reports owner references before a reserved label',
      () =>
        n1.patch(node, 'n1', {
          metadata: {
            labels: { 'k8s.io/a': 'b' },
            ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'x' }],
          },
        }),
      'node "n1" is not allowed to modify ownerReferences',
    ],
    [
      'allows its own lease',
      () => n1.create(lease, { metadata: { name: 'n1', namespace: 'kube-node-lease' } } as never),
      '',
    ],
    [
      "another's lease",
      () => n1.create(lease, { metadata: { name: 'n2', namespace: 'kube-node-lease' } } as never),
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'refuses a pod that is not a mirror pod',
      () => n1.create(pod, { metadata: { name: 'p', namespace }, spec: podSpec('n1') } as never),
      'can only create mirror pods',
    ],
    ['allows a mirror pod', () => mirror({}), ''],
    [
      'refuses a mirror pod on another node',
      () => mirror({ spec: podSpec('n2') }),
      'node "n1" can only create pods with spec.nodeName set to itself',
    ],
    [
      'refuses a mirror pod with another owner',
      () => mirror({}, { name: 'n2' }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'refuses a mirror pod whose owner is not its controller',
      () => mirror({}, { controller: false }),
      'with a controller owner reference set to itself',
    ],
    [
      'refuses a mirror pod with the uid of an older node',
      () => mirror({}, { uid: 'old' }),
      'node n1 UID mismatch: expected old got ',
    ],
    [
      'refuses a mirror pod with a secret',
      () => mirror({ spec: { ...(podSpec('n1') as object), volumes: [{ name: 'v', secret: { secretName: 's' } }] } }),
      'a mirror pod may not reference secrets',
    ],
    ...(
      [
        [
          'a claim',
          { persistentVolumeClaim: { claimName: 'c' } },
          'can not create pods that reference persistentvolumeclaims',
        ],
        ['a claim without a name', { persistentVolumeClaim: { claimName: '' } }, 'reference persistentvolumeclaims'],
        [
          'an ephemeral volume',
          {
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            },
          },
          '',
        ],
      ] as const
    ).map(
      ([what, source, message]) =>
        [
          `a mirror pod with ${what}`,
          () => mirror({ spec: { ...(podSpec('n1') as object), volumes: [{ name: 'v', ...source }] } }),
          message,
        ] as const,
    ),
    ['allows the deletion of its own pod', () => n1.delete(pod, 'mine', { namespace, dryRun: true }), ''],
    [
      "deleting another's pod",
      () => n1.delete(pod, 'other', { namespace }),
      'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    ],
    [
      "another's status",
      () => n1.patch(pod, 'other', { status: { message: 'x' } }, { namespace, subresource: 'status' }),
      'can only update pod status for pods with spec.nodeName set to itself',
    ],
  ];
  it.each(CASES)('%s', async (_name, call, message) => {
    const result = await outcome(call());
    expect(result).toMatchObject({ code: message === '' ? 200 : 403 });
    expect(result.message).toContain(message);
  });

  it('refuses to evict a pod that does not exist with the error of a pod, in the singular', async () => {
    const path = `/api/v1/namespaces/${namespace}/pods/absent/eviction`;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'absent' } };
    const user = { username: 'system:node:n1', groups: ['system:nodes', 'system:masters'] };
    const { status, message } = await ask(server, { method: 'POST', path, body }, { user });
    expect([status, message]).toEqual([404, 'pod "absent" not found']);
  });

  it('does not restrict other users', async () => {
    expect(
      await outcome(
        server
          .client()
          .patch(node, 'n1', { metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y' } } }, { dryRun: true }),
      ),
    ).toMatchObject({ code: 200 });
  });
});

describe('certificate requests of nodes', () => {
  const KINDS = ['kubelet-serving', 'kube-apiserver-client-kubelet'];
  const MISMATCH = 'can only create a node CSR with CN=system:node:n1';
  it.each<[string, boolean, string, string, number, string]>([
    ['are allowed for the node itself', false, 'n1', KINDS[0] ?? '', 200, ''],
    ['are allowed for the node itself by the serving signer', false, 'n1', KINDS[1] ?? '', 200, ''],
    ['are refused for another node', false, 'n2', KINDS[0] ?? '', 403, MISMATCH],
    ['are refused for another node by the serving signer', false, 'n2', KINDS[1] ?? '', 403, MISMATCH],
    ['are allowed for another node with the feature gate', true, 'n2', KINDS[0] ?? '', 200, ''],
    ['are allowed for a signer that is not for nodes', false, 'n2', 'kube-apiserver-client', 200, ''],
  ])('%s', async (_, gate, node, signer, code, message) => {
    await using server = await startStepped({
      admission: (defaults) => [...defaults, nodeRestriction],
      authorization: [alwaysAllow()],
      featureGates: { AllowInsecureKubeletCertificateSigningRequests: gate },
    });
    const { pem } = await makeRequest({ commonName: `system:node:${node}`, organizations: ['system:nodes'] });
    const spec = { request: encodeBase64Text(pem), signerName: `kubernetes.io/${signer}`, usages: ['client auth'] };
    const n1 = as(server, 'system:node:n1', 'system:nodes', 'system:authenticated');
    const told = await outcome(n1.create(certificateSigningRequest, { metadata: { name: 'r' }, spec } as never));
    expect(told.code).toBe(code);
    expect(told.message).toContain(message);
  });
});

describe('labels of nodes', () => {
  it.each([
    ['example.org/x', true],
    ['plain', true],
    ['kubernetes.io/hostname', true],
    ['kubernetes.io/other', false],
    ['sub.kubernetes.io/x', false],
    ['k8s.io/x', false],
    ['x.k8s.io/x', false],
    ['notkubernetes.io/x', true],
    ['kubelet.kubernetes.io/x', true],
    ['a.node.kubernetes.io/x', true],
    ['a.node-restriction.kubernetes.io/x', false],
    ['Node-Restriction.kubernetes.io/x', false],
  ])('%s', (label, mine) => {
    expect(forbiddenNodeLabels(k8s, { [label]: 'x' }, undefined)).toEqual(mine ? [] : [label]);
    expect(forbiddenNodeLabels(k8s, undefined, { [label]: 'x' })).toEqual(mine ? [] : [label]);
    expect(forbiddenNodeLabels(k8s, { [label]: 'x' }, { [label]: 'x' })).toEqual([]);
  });
  it('are those of the other dialect', () => {
    expect(
      forbiddenNodeLabels(orch, { 'orchlet.orch.io/a': 'x', 'orch.io/b': 'x', 'kubernetes.io/c': 'x' }, undefined),
    ).toEqual(['orch.io/b']);
  });
});

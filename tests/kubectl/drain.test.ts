import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

/** Nodes are drained as far as budgets allow. */
describe.skipIf(!hasKubectl)('kubectl drain (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;

  const pod = (name: string, app: string, nodeName = 'n1') =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app } },
      spec: { nodeName, terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
    });
  const isReady = '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}';
  const patchStatus = (what: string, patch: string) => [
    ...`patch ${what} --subresource=status --type=merge -p`.split(' '),
    patch,
  ];

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
    await kubectl('create -f -', '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}');
    await kubectl('create pdb web --selector=app=web --min-available=1');
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('evicts pods without a budget', async () => {
    await kubectl('create -f -', pod('free', 'free'));
    expect(await kubectl('drain n1 --force --timeout=20s')).toContain('node/n1 drained');
    expect(await kubectl('get pods -o name')).toBe('');
    expect(await kubectl('get node n1')).toContain('SchedulingDisabled');
    expect(await kubectl('uncordon n1')).toContain('node/n1 uncordoned');
  });

  it('waits for a budget, and continues when it allows the eviction', async () => {
    await kubectl('create -f -', pod('kept', 'web'));
    await kubectl(patchStatus('pod kept', isReady));
    await kubectl('wait pdb/web --for=jsonpath={.status.currentHealthy}=1 --timeout=20s');
    await expect(kubectl('drain n1 --force --timeout=3s')).rejects.toThrow(
      "Cannot evict pod as it would violate the pod's disruption budget",
    );
    expect(await kubectl('get pods -o name')).toBe('pod/kept\n');
    await kubectl('create -f -', pod('another', 'web', 'n2'));
    await kubectl(patchStatus('pod another', isReady));
    expect(await kubectl('drain n1 --force --timeout=20s')).toContain('node/n1 drained');
    expect(await kubectl('get pods -o name')).toBe('pod/another\n');
    expect(await kubectl('get pdb web')).toMatch(/web\s+1\s+N\/A\s+0\s/);
  });

  it('finds no log without a node', async () => {
    await kubectl(
      'create -f -',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}',
    );
    expect(await kubectl('logs p')).toBe('');
    await expect(kubectl('exec p -- true')).rejects.toThrow('pod p does not have a host assigned');
  });
});

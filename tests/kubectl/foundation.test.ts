import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

/** Everyday commands of kubectl, unmodified, against the HTTPS adapter. */
describe.skipIf(!hasKubectl)('kubectl (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('lists the resources', async () => {
    const resources = await kubectl('api-resources');
    expect(resources).toMatch(/^configmaps +cm +v1 +true +ConfigMap$/m);
    expect(resources).toMatch(/^namespaces +ns +v1 +false +Namespace$/m);
    expect(await kubectl('api-versions')).toContain('v1\n');
    expect(await kubectl('get ns -o name')).toBe(
      'namespace/default\nnamespace/kube-node-lease\nnamespace/kube-public\nnamespace/kube-system\n',
    );
  });

  it('creates, applies, reads and deletes', async () => {
    expect(await kubectl('create namespace team')).toBe('namespace/team created\n');
    expect(await kubectl('create configmap settings -n team --from-literal=colour=red')).toBe(
      'configmap/settings created\n',
    );
    expect(await kubectl('create secret generic password -n team --from-literal=p=x')).toBe(
      'secret/password created\n',
    );
    expect(await kubectl('create serviceaccount robot -n team')).toBe('serviceaccount/robot created\n');
    const manifest =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\n  namespace: team\ndata:\n  a: "1"\n';
    expect(await kubectl('apply -f -', manifest)).toBe('configmap/applied created\n');
    expect(await kubectl('get cm settings -n team')).toMatch(/^NAME +DATA +AGE\nsettings +1 +\d+s\n$/);
    expect(await kubectl('get cm settings -n team -o wide')).toMatch(/^NAME +DATA +AGE\n/);
    expect(await kubectl('get cm settings -n team -o yaml')).toMatch(
      /^apiVersion: v1\ndata:\n {2}colour: red\nkind: ConfigMap\n/,
    );
    expect(await kubectl('get cm settings -n team -o jsonpath={.data.colour}')).toBe('red');
    expect(await kubectl('get sa,secret -n team -o name')).toBe(
      'serviceaccount/default\nserviceaccount/robot\nsecret/password\n',
    );
    expect(await kubectl('describe cm settings -n team')).toMatch(/^Name: +settings\nNamespace: +team\n/);
    expect(await kubectl('label cm settings -n team tier=web')).toBe('configmap/settings labeled\n');
    expect(await kubectl('get cm -n team -l tier=web -o name')).toBe('configmap/settings\n');
    expect(await kubectl('annotate cm settings -n team note=1')).toBe('configmap/settings annotated\n');
    expect(await kubectl('delete cm settings -n team')).toBe('configmap "settings" deleted\n');
    await expect(kubectl('get cm settings -n team')).rejects.toThrow(
      'Error from server (NotFound): configmaps "settings" not found',
    );
  });

  it('explains fields', async () => {
    const text = await kubectl('explain configmap.data');
    expect(text).toMatch(/^KIND: +ConfigMap\nVERSION: +v1\n/);
    expect(text).toContain('map[string]string');
    expect(await kubectl('explain namespaces')).toContain('FIELDS:');
  });

  it('watches', async () => {
    const child = spawn(
      'kubectl',
      ['--kubeconfig', cluster.config, 'get', 'cm', '-n', 'default', '-w', '--output-watch-events', '-o', 'name'],
      {
        env: { ...process.env, HOME: cluster.folder },
      },
    );
    let seen = '';
    try {
      const done = new Promise<void>((resolve) =>
        child.stdout.on('data', (chunk) => {
          seen += String(chunk);
          if (/configmap\/watched[\s\S]*configmap\/watched/.test(seen)) resolve();
        }),
      );
      await expect.poll(() => seen, { timeout: 30_000 }).toContain('root-ca');
      await kubectl('create configmap watched');
      await kubectl('delete configmap watched');
      await done;
    } finally {
      child.kill();
    }
  });

  it('deletes a namespace and waits until it is gone', async () => {
    await kubectl('create namespace going');
    await kubectl('create configmap inside -n going');
    expect(await kubectl('delete namespace going --timeout=20s')).toBe('namespace "going" deleted\n');
    await expect(kubectl('get ns going')).rejects.toThrow('namespaces "going" not found');
  });
});

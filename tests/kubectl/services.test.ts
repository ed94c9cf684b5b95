import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

/** Services, as kubectl creates and prints them. */
describe.skipIf(!hasKubectl)('kubectl and services (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;
  const columns = (line: string | undefined) => (line ?? '').trim().split(/\s{2,}/);

  beforeAll(async () => {
    cluster = await kubectlCluster({ network: { advertise: { address: '192.0.2.7', port: 6443 } } });
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('shows the service of the server', async () => {
    const [head, line] = (await kubectl('get svc kubernetes')).split('\n');
    expect(columns(head)).toEqual(['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE']);
    expect(columns(line).slice(0, 5)).toEqual(['kubernetes', 'ClusterIP', '10.0.0.1', '<none>', '443/TCP']);
    expect(await kubectl('describe svc kubernetes')).toMatch(/Endpoints:\s+192\.0\.2\.7:6443/);
  });

  it('creates Services of every type', async () => {
    expect(await kubectl('create service clusterip a --tcp=80:8080')).toBe('service/a created\n');
    expect(await kubectl('create service nodeport b --tcp=80 --node-port=30080')).toBe('service/b created\n');
    expect(await kubectl('create service loadbalancer c --tcp=80')).toBe('service/c created\n');
    expect(await kubectl('create service externalname d --external-name=example.com')).toBe('service/d created\n');
    const [, ...lines] = (await kubectl('get svc a b c d -o wide')).trimEnd().split('\n');
    expect(lines.map((line) => columns(line)[1])).toEqual(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);
    expect(columns(lines[1])[4]).toBe('80:30080/TCP');
    expect(columns(lines[0])[6]).toBe('app=a');
    expect(await kubectl('describe svc b')).toMatch(/NodePort:\s+80\s+30080\/TCP/);
    await expect(kubectl('create service nodeport e --tcp=80 --node-port=30080')).rejects.toThrow(
      'spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    );
  });

  it('exposes workloads', async () => {
    await kubectl('create deployment web --image=example.com/web --replicas=2');
    expect(await kubectl('expose deployment web --port=80 --target-port=8080')).toBe('service/web exposed\n');
    expect(await kubectl(['get', 'svc', 'web', '-o', 'jsonpath={.spec.selector} {.spec.ports[0].targetPort}'])).toBe(
      '{"app":"web"} 8080',
    );
    expect(await kubectl('get all -o name')).toContain('service/web\n');
    expect(await kubectl('delete svc web')).toBe('service "web" deleted\n');
  });
});

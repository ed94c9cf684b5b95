import { describe, expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../../src/admission/admission-plugin.js';
import type { ApiServerOptions } from '../../../src/api-server-options.js';
import { endpoints, type Service, service } from '../../../src/exports/kinds.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

async function open(options: ApiServerOptions = {}) {
  const server = closeAfterTest(await openServer(options));
  const client = server.client();
  const at = { namespace: 'default' };
  type Spec = Partial<Service['spec']>;
  const create = (name: string, spec: Spec, dryRun = false) =>
    client.create(
      service,
      { metadata: { name }, spec: { ports: [{ port: 80, targetPort: 80 }], ...spec } },
      { ...at, ...(dryRun ? { dryRun: true } : {}) },
    );
  const change = (name: string, spec: object) => client.patch(service, name, { spec }, at);
  const remove = (name: string) => client.delete(service, name, at);
  return { server, client, create, change, remove };
}

const nodePortOf = ({ spec }: Service) => spec.ports?.[0]?.nodePort;
const small = {
  network: { serviceNetwork: { clusterIpRanges: ['10.9.0.0/29'], nodePorts: { first: 30_000, last: 30_002 } } },
};
/** Returns all addresses of the range except the first, which the server's own Service has. */
const FREE = ['10.9.0.2', '10.9.0.3', '10.9.0.4', '10.9.0.5', '10.9.0.6'];

describe('the cluster IPs of Services', () => {
  it('are each allocated once, until none is left', async () => {
    const { create, remove } = await open(small);
    const given = [];
    for (const i of FREE.keys()) given.push((await create(`s${i}`, {})).spec.clusterIP);
    expect(given.sort()).toEqual(FREE);
    await expect(create('late', {})).rejects.toThrow('failed to allocate a serviceIP: range is full');
    await remove('s3');
    expect(FREE).toContain((await create('late', {})).spec.clusterIP);
  });

  it('that a client requests are allocated while they are free, in any notation', async () => {
    const { create, change } = await open();
    await create('a', { clusterIP: '10.0.0.7' });
    const taken = 'failed to allocate IP 10.0.0.007: provided IP is already allocated';
    await expect(create('b', { clusterIP: '10.0.0.007' })).rejects.toThrow(taken);
    await change('a', { type: 'ExternalName', externalName: 'example.com' });
    expect((await create('b', { clusterIP: '10.0.0.007' })).spec.clusterIPs).toEqual(['10.0.0.007']);
    await expect(change('a', { type: 'ClusterIP', clusterIP: '10.0.0.7' })).rejects.toThrow('already allocated');
  });

  it('are not allocated by a dry run, nor by a refused request', async () => {
    const { create } = await open();
    await create('a', { clusterIP: '10.0.0.7' }, true);
    await expect(create('bad', { clusterIP: '10.0.0.7', sessionAffinity: 'Cookie' })).rejects.toThrow('Unsupported');
    await expect(create('A', { clusterIP: '10.0.0.7' })).rejects.toThrow('metadata.name');
    await create('b', { clusterIP: '10.0.0.7' });
    await expect(create('b', { clusterIP: '10.0.0.8' })).rejects.toThrow('already exists');
    await create('c', { clusterIP: '10.0.0.8' });
  });

  it('are reserved while admission runs, and released when it refuses the request', async () => {
    let decide = (_refused: boolean) => {};
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow: AdmissionPluginFactory = () => ({
      name: 'Slow',
      async validate({ requestName, object }) {
        if ((requestName || object?.metadata.name) !== 'slow') return;
        asked();
        if (await new Promise<boolean>((resolve) => (decide = resolve))) throw new Error('refused');
      },
    });
    const { create } = await open({ admission: [slow] });
    const first = create('slow', {
      clusterIP: '10.0.0.7',
      type: 'NodePort',
      ports: [{ port: 80, targetPort: 80, nodePort: 30_000 }],
    });
    await isAsked;
    await expect(create('other', { clusterIP: '10.0.0.7' })).rejects.toThrow('already allocated');
    decide(true);
    await expect(first).rejects.toThrow('refused');
    expect((await create('other', { clusterIP: '10.0.0.7' })).spec.clusterIP).toBe('10.0.0.7');
  });

  it('are those of the stored objects after a restart', async () => {
    const before = await open();
    await before.create('a', {
      clusterIP: '10.0.0.7',
      type: 'NodePort',
      ports: [{ port: 80, targetPort: 80, nodePort: 30_001 }],
    });
    const saved = await before.server.save();
    const next = await open();
    await next.server.load(saved);
    await expect(next.create('b', { clusterIP: '10.0.0.7' })).rejects.toThrow('already allocated');
    await expect(next.change('a', { ports: [{ port: 80, nodePort: 30_001 }] })).resolves.toBeDefined();
  });

  it('are one of each family, if the server has two', async () => {
    const clusterIpRanges = ['fd00::/112', '10.9.0.0/24'];
    const { create, change, remove } = await open({ network: { serviceNetwork: { clusterIpRanges } } });
    const one = await create('one', {});
    expect(one.spec).toMatchObject({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' });
    expect(one.spec.clusterIP).toMatch(/^fd00::/);
    const both = await change('one', { ipFamilyPolicy: 'PreferDualStack' });
    expect(both.spec.ipFamilies).toEqual(['IPv6', 'IPv4']);
    expect(both.spec.clusterIPs).toEqual([one.spec.clusterIP, expect.stringMatching(/^10\.9\.0\./)]);
    const [, second = ''] = both.spec.clusterIPs ?? [];
    await expect(create('two', { clusterIP: second })).rejects.toThrow('already allocated');
    const less = await change('one', { ipFamilyPolicy: 'SingleStack' });
    expect(less.spec).toMatchObject({ ipFamilies: ['IPv6'], clusterIPs: [one.spec.clusterIP] });
    expect((await create('two', { clusterIP: second })).spec.ipFamilies).toEqual(['IPv4']);
    await remove('two');
    const required = await create('both', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] });
    expect(required.spec.ipFamilies).toEqual(['IPv4', 'IPv6']);
  });
});

it('a Service that loses its address and gets another family is refused with both errors', async () => {
  const { create, change } = await open({
    network: { serviceNetwork: { clusterIpRanges: ['10.9.0.0/24', 'fd00::/112'] } },
  });
  await create('a', { clusterIP: '10.9.0.7' });
  const refused = change('a', { clusterIP: 'None', clusterIPs: ['None'], ipFamilyPolicy: 'PreferDualStack' });
  await expect(refused).rejects.toThrow(
    /^Service "a" is invalid: \[spec\.clusterIPs\[0\]: Invalid value: \[\]string\{"None", "fd00::[0-9a-f]+"\}: may not change once set, spec\.clusterIPs: Invalid value: \[\]string\{"None", "fd00::[0-9a-f]+"\}: 'None' must be the first and only value\]$/,
  );
});

describe('node ports', () => {
  it('are allocated once, shared by the protocols of one port, and released', async () => {
    const { create, change, remove } = await open(small);
    const dns = await create('dns', {
      type: 'NodePort',
      ports: ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, targetPort: 53, protocol })),
    });
    expect(new Set(dns.spec.ports?.map(({ nodePort }) => nodePort)).size).toBe(1);
    await create('a', { type: 'NodePort' });
    await create('b', { type: 'LoadBalancer' });
    await expect(create('c', { type: 'NodePort' })).rejects.toThrow('failed to allocate a nodePort: range is full');
    await change('a', { type: 'ClusterIP' });
    await create('c', { type: 'NodePort' });
    await remove('dns');
    expect(nodePortOf(await create('d', { type: 'NodePort' }))).toBe(nodePortOf(dns));
  });

  it('include that of the health check, for load balancers that keep requests local', async () => {
    const { create, change } = await open(small);
    const local = await create('a', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      ports: [{ port: 80, targetPort: 80, nodePort: 30_000 }], // Any other free port could be the requested one.
      healthCheckNodePort: 30_002,
    });
    expect(local.spec.healthCheckNodePort).toBe(30_002);
    const ports = [{ port: 80, targetPort: 80, nodePort: 30_002 }];
    await expect(create('b', { type: 'NodePort', ports })).rejects.toThrow('already allocated');
    expect((await change('a', { externalTrafficPolicy: 'Cluster' })).spec.healthCheckNodePort).toBeUndefined();
    expect(nodePortOf(await create('b', { type: 'NodePort', ports }))).toBe(30_002);
  });

  it('are kept by updates that omit them', async () => {
    const { client, create } = await open();
    const made = await create('a', { type: 'NodePort' });
    const ports = [{ port: 81, targetPort: 81 }];
    const next = await client.replace(service, { ...made, spec: { type: 'NodePort', ports } } as Service);
    expect(next.spec.clusterIP).toBe(made.spec.clusterIP);
    expect(nodePortOf(next)).toBe(nodePortOf(made));
  });

  it('are not allocated for Services without them', async () => {
    const { create } = await open(small);
    const ports = Array.from({ length: 500 }, (_, i) => ({ name: `p${i}`, port: i + 1, targetPort: 80 }));
    await expect(create('many', { type: 'NodePort', ports })).rejects.toThrow('range is full');
    await create('one', { type: 'NodePort' });
  });
});

it('deleting a Service deletes its Endpoints', async () => {
  const { client, create, remove } = await open();
  const at = { namespace: 'default' };
  const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }];
  for (const name of ['a', 'b']) {
    await create(name, {});
    await client.create(endpoints, { metadata: { name }, subsets }, at);
  }
  await remove('a');
  expect((await client.list(endpoints, at)).items.map(({ metadata }) => metadata.name)).toEqual(['b']);
});

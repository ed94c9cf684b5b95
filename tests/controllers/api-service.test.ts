import { expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { apiService } from '../../src/controllers/services/api-service.js';
import { configMap, endpointSlice, endpoints, service } from '../../src/exports/kinds.js';
import { ApiServer as Server } from '../../src/index.js';
import { closeAfterTest, startServer } from '../support/servers.js';

async function open(options: ApiServerOptions = {}) {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', ...options }));
  return { server, client: server.client() };
}

const at = { namespace: 'default' };
const advertise = { address: '192.0.2.7', port: 6443 };

it('a server has a Service for itself, at the first address, whose endpoints are the server', async () => {
  const { client } = await open({ network: { advertise } });
  const { metadata, spec } = await client.get(service, 'kubernetes', at);
  expect(metadata.labels).toEqual({ component: 'apiserver', provider: 'kubernetes' });
  expect(spec).toMatchObject({ type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ipFamilyPolicy: 'SingleStack' });
  expect(spec.ports).toEqual([{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }]);
  expect((await client.get(endpoints, 'kubernetes', at)).subsets).toEqual([
    { addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  const slice = await client.get(endpointSlice, 'kubernetes', at);
  expect(slice.endpoints).toEqual([{ addresses: ['192.0.2.7'], conditions: { ready: true } }]);
  expect(slice.metadata.labels).toEqual({ 'kubernetes.io/service-name': 'kubernetes' });
});

it("the Service of the server has the dialect's name and labels", async () => {
  const { client } = await open({ dialect: 'orch', network: { advertise } });
  expect((await client.get(service, 'orch', at)).metadata.labels?.['provider']).toBe('orch');
  const { metadata } = await client.get(endpoints, 'orch', at);
  expect(metadata.labels).toEqual({ 'endpointslice.orch.io/skip-mirror': 'true' });
});

it('the Service is created again when it is deleted, and its endpoints are corrected', async () => {
  const { server, client } = await open({ network: { advertise } });
  const { uid } = (await client.get(service, 'kubernetes', at)).metadata;
  await client.delete(service, 'kubernetes', at);
  await client.patch(endpointSlice, 'kubernetes', { endpoints: [], metadata: { labels: null } }, at);
  await server.settle();
  expect((await client.get(service, 'kubernetes', at)).metadata.uid).not.toBe(uid);
  // They were deleted with the Service.
  expect((await client.get(endpoints, 'kubernetes', at)).subsets).toHaveLength(1);
  expect((await client.get(endpointSlice, 'kubernetes', at)).endpoints).toHaveLength(1);
});

it('the Service has the port of the current start', async () => {
  const before = await open({ network: { advertise } });
  const saved = [
    await before.client.get(service, 'kubernetes', at),
    await before.client.get(endpoints, 'kubernetes', at),
  ];
  const next = closeAfterTest(new Server({ dialect: 'k8s', network: { advertise: { ...advertise, port: 7443 } } }));
  await next.load(saved);
  await next.start();
  expect((await next.client().get(service, 'kubernetes', at)).spec.ports?.[0]?.targetPort).toBe(7443);
  expect((await next.client().get(endpoints, 'kubernetes', at)).subsets?.[0]?.ports?.[0]?.port).toBe(7443);
});

it('the Service has a node port if the server is given one', async () => {
  const { client } = await open({ network: { advertise, serviceNetwork: { ownNodePort: 30_443 } } });
  const ported = await client.get(service, 'kubernetes', at);
  expect(ported.spec).toMatchObject({ type: 'NodePort', ports: [{ port: 443, targetPort: 6443, nodePort: 30_443 }] });
  for (const [ownNodePort, type] of [
    [0, 'ClusterIP'],
    [30_443, 'NodePort'],
  ] as const) {
    const next = closeAfterTest(
      new Server({ dialect: 'k8s', network: { advertise, serviceNetwork: { ownNodePort } } }),
    );
    await next.load([ported]);
    await next.start();
    const { spec } = await next.client().get(service, 'kubernetes', at);
    expect([spec.type, spec.ports?.[0]?.nodePort]).toEqual([type, ownNodePort || undefined]);
  }
});

it('a server without an advertised address has no Endpoints, and one without these kinds has neither object', async () => {
  const { client } = await open();
  expect((await client.list(endpoints)).items).toEqual([]);
  expect((await client.get(service, 'kubernetes', at)).spec.ports?.[0]?.targetPort).toBe(6443);
  const lines: string[] = [];
  await open({
    network: { advertise },
    resources: (all) => all.filter(({ kind }) => kind === 'Namespace' || kind === configMap.kind),
    controllers: (all) => all.filter((one) => one === apiService || one.name === 'system-namespaces-controller'),
    log: (line) => void lines.push(line),
  });
  expect(lines).toEqual([]);
});

it.each([
  [{ serviceNetwork: { clusterIpRanges: ['10.0.0.0'] } }, 'serviceNetwork clusterIpRanges must be one range'],
  [{ serviceNetwork: { clusterIpRanges: ['10.0.0.0/8'] } }, 'serviceNetwork clusterIpRanges must be one range'],
  [{ serviceNetwork: { clusterIpRanges: ['10.0.0.0/24', '10.1.0.0/24'] } }, 'clusterIpRanges must be one range'],
  [{ serviceNetwork: { nodePorts: { first: 2, last: 1 } } }, 'nodePorts must have a first and a last port'],
  [{ serviceNetwork: { ownNodePort: 80 } }, 'serviceNetwork ownNodePort must be 0 or one of nodePorts'],
  [{ serviceNetwork: { ports: 1 } as object }, 'serviceNetwork has no member ports'],
  [{ advertise: { address: '127.0.0.1', port: 1 } }, 'advertise address must be an IP address that others can reach'],
  [{ advertise: { address: '192.0.2.1', port: 0 } }, 'advertise port must be a number from 1 to 65535'],
])('%j is refused', (network, why) => {
  expect(() => new Server({ network })).toThrow(why);
});

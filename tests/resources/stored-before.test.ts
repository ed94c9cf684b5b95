import { expect, it } from 'vitest';
import { persistentVolumeClaim, service } from '../../src/exports/kinds.js';
import type { ApiServerOptions } from '../../src/index.js';
import { openServer } from '../support/servers.js';

/* Fields that an older server did not store. Reads contain them, because the server completes them as upstream does. */
const stored = (kind: string, name: string, spec: object) => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'default',
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: '2020-01-01T00:00:00Z',
    resourceVersion: '7',
  },
  spec,
});
const at = { namespace: 'default' };
/** Returns the members of a spec that other specs have as well, present or not. */
const alike = (spec: object, others: object) =>
  Object.fromEntries(Object.keys(others).map((name) => [name, spec[name as keyof typeof spec]]));
const ports = [{ port: 80, targetPort: 80, protocol: 'TCP' }];
const SIX = { network: { serviceNetwork: { clusterIpRanges: ['fd00::/112', '10.9.0.0/24'] } } };

it.each<readonly [string, object, object, ApiServerOptions | undefined]>([
  [
    'an address',
    { clusterIP: '10.0.0.7' },
    { clusterIPs: ['10.0.0.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    undefined,
  ],
  [
    'an address of the second family',
    { clusterIP: '10.9.0.7' },
    { clusterIPs: ['10.9.0.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    SIX,
  ],
  [
    'two addresses',
    { clusterIP: 'fd00::7', clusterIPs: ['fd00::7', '10.9.0.7'] },
    { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
    SIX,
  ],
  [
    'a selector but no address',
    { clusterIP: 'None', selector: { app: 'a' } },
    { clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    undefined,
  ],
  [
    'neither address nor selector',
    { clusterIP: 'None' },
    { clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    undefined,
  ],
  [
    'neither address nor selector on an IPv6 server',
    { clusterIP: 'None' },
    { clusterIPs: ['None'], ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
    SIX,
  ],
  [
    'families of its own',
    { clusterIP: 'None', ipFamilies: ['IPv6'], ipFamilyPolicy: 'PreferDualStack' },
    { clusterIPs: ['None'], ipFamilies: ['IPv6'], ipFamilyPolicy: 'PreferDualStack' },
    undefined,
  ],
  [
    'an external name',
    { type: 'ExternalName', externalName: 'a.example.com', internalTrafficPolicy: 'Cluster' },
    { internalTrafficPolicy: undefined, ipFamilies: undefined, ipFamilyPolicy: undefined, clusterIPs: undefined },
    undefined,
  ],
])('a stored Service with %s is completed', async (_what, spec, completed, options) => {
  await using server = await openServer(options ?? {});
  await server.load([stored('Service', 'a', { ports, sessionAffinity: 'None', type: 'ClusterIP', ...spec })]);
  const client = server.client();
  const read = await client.get(service, 'a', at);
  expect(alike(read.spec, completed)).toEqual(completed);
  // From then on, the object is complete like others.
  const changed = await client.patch(service, 'a', { metadata: { labels: { a: 'b' } } }, at);
  expect(changed.spec).toEqual(read.spec);
});

it('the address of a stored Service is not allocated again', async () => {
  await using server = await openServer();
  await server.load([stored('Service', 'a', { ports, clusterIP: '10.0.0.7' })]);
  const again = server
    .client()
    .create(service, { metadata: { name: 'b' }, spec: { ports, clusterIP: '10.0.0.7' } }, at);
  await expect(again).rejects.toThrow('provided IP is already allocated');
});

it('fields that an ExternalName Service does not use are validated, and then dropped', async () => {
  await using server = await openServer();
  const make = (internalTrafficPolicy: string) =>
    server.client().create(
      service,
      {
        metadata: { name: 'a' },
        spec: { type: 'ExternalName', externalName: 'a.example.com', internalTrafficPolicy },
      },
      at,
    );
  await expect(make('Nearby')).rejects.toThrow('spec.internalTrafficPolicy: Unsupported value: "Nearby"');
  expect((await make('Local')).spec.internalTrafficPolicy).toBeUndefined();
});

const source = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'other' };
it.each<readonly [string, object, object]>([
  ['the older field', { dataSource: source }, { dataSource: source, dataSourceRef: source }],
  ['the newer field', { dataSourceRef: source }, { dataSource: source, dataSourceRef: source }],
  ['neither', {}, { dataSource: undefined, dataSourceRef: undefined }],
])('a stored claim returns its data source in both fields: %s', async (_what, given, both) => {
  await using server = await openServer();
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeMode: 'Filesystem',
  };
  await server.load([stored('PersistentVolumeClaim', 'a', { ...spec, ...given })]);
  const client = server.client();
  const read = await client.get(persistentVolumeClaim, 'a', at);
  expect(alike(read.spec, both)).toEqual(both);
  const changed = await client.patch(persistentVolumeClaim, 'a', { metadata: { labels: { a: 'b' } } }, at);
  expect(changed.spec).toEqual(read.spec);
});

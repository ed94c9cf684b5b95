import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { requestsTo } from '../support/ask.js';
import { openServer } from '../support/servers.js';

/*
 * The order in which an update's errors are reported. Upstream's code for a kind checks the metadata between its own checks, at a place
 * that differs from kind to kind. A row is a collection, a valid object, a change, and the fields of the causes; M is
 * `metadata.annotations`.
 */
let server: ApiServer;
const { post, put } = requestsTo(() => server);
beforeAll(async () => {
  server = await openServer({
    dialect: 'k8s',
    admission: [],
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DynamicResourceAllocation: true, ClusterTrustBundle: true },
  });
});
afterAll(() => server.close());

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const labels = { selector: { matchLabels: { a: 'b' } } };
const ending = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const job = { manualSelector: true, ...labels, template: ending };
const storage = { resources: { requests: { storage: '1Gi' } } };
const volume = { capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const attachment = { nodeName: 'n', source: { persistentVolumeName: 'v' } };
const parentRef = { resource: 'services', name: 's' };
const odd = [{ verbs: ['get'], apiGroups: [''], resources: [] }];

const CORE = '/api/v1/namespaces/default';
const NETWORKING = '/apis/networking.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const DEVICES = '/apis/resource.k8s.io/v1alpha3';
const STORAGE = '/apis/storage.k8s.io/v1';

type Row = readonly [path: string, valid: object, change: object, fields: string];
const fieldsOf = (causes: readonly { readonly field: string }[] = []) =>
  causes.map(({ field }) => (field === 'metadata.annotations' ? 'M' : field)).join(' ');

describe('the causes of a refused update', () => {
  // biome-ignore format: a row is a line
  it.each<Row>([
    [`${CORE}/secrets`, { type: 'Opaque' }, { type: 'kubernetes.io/dockerconfigjson' }, 'M M M type M data[.dockerconfigjson]'],
    [`${CORE}/configmaps`, { immutable: true, data: { a: 'b' } }, { data: { 'a b': 'c' } }, 'M M M data M data[a b]'],
    [`${CORE}/replicationcontrollers`, { spec: { replicas: 1, template } }, { spec: { replicas: -1, template } }, 'M M M spec.replicas M spec.replicas'],
    [`${CORE}/persistentvolumeclaims`, { spec: { accessModes: ['ReadWriteOnce'], ...storage } }, { spec: { accessModes: ['Odd'], ...storage } }, 'M M M spec.accessModes M M spec.accessModes spec'],
    ['/api/v1/nodes', { spec: {} }, { spec: { taints: [{ key: 'a', effect: 'Odd' }] } }, 'M M M metadata.taints[0].effect M metadata.taints[0].effect'],
    ['/api/v1/persistentvolumes', { spec: { accessModes: ['ReadWriteOnce'], ...volume } }, { spec: { accessModes: ['Odd'], ...volume } }, 'M M M spec.accessModes M spec.accessModes'],
    ['/apis/apps/v1/namespaces/default/replicasets', { spec: { replicas: 1, ...labels, template } }, { spec: { replicas: -1, ...labels, template } }, 'M M M spec.replicas M spec.replicas'],
    ['/apis/apps/v1/namespaces/default/daemonsets', { spec: { ...labels, template } }, { spec: { minReadySeconds: -1, ...labels, template } }, 'M M M spec.minReadySeconds M spec.minReadySeconds'],
    ['/apis/batch/v1/namespaces/default/jobs', { spec: job }, { spec: { ...job, parallelism: -1 } }, 'M M M spec.parallelism M spec.parallelism spec.completions'],
    [`${NETWORKING}/namespaces/default/networkpolicies`, { spec: { podSelector: {} } }, { spec: { podSelector: {}, policyTypes: ['Odd'] } }, 'M M M spec.policyTypes[0] M spec.policyTypes[0]'],
    [`${NETWORKING}/ingressclasses`, { spec: { controller: 'a.b/c' } }, { spec: { controller: 'a' } }, 'M M M spec.controller M spec.controller'],
    [`${RBAC}/namespaces/default/roles`, { rules: [] }, { rules: odd }, 'M M M rules[0].resources M rules[0].resources M'],
    [`${RBAC}/clusterroles`, { rules: [] }, { rules: odd }, 'M M M rules[0].resources M rules[0].resources M'],
    [`${RBAC}/namespaces/default/rolebindings`, { roleRef: role }, { roleRef: { ...role, name: 'q' }, subjects: [{ kind: 'Odd', name: 's' }] }, 'M M M subjects[0].kind M subjects[0].kind M roleRef'],
    ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'h' }, { handler: 'H' }, 'M M M handler M handler'],
    [`${STORAGE}/storageclasses`, { provisioner: 'a' }, { provisioner: 'A B' }, 'M M M provisioner M provisioner'],
    [`${STORAGE}/csinodes`, { spec: { drivers: [{ name: 'a', nodeID: 'n' }] } }, { spec: { drivers: [{ name: 'a', nodeID: '' }] } }, 'M M M spec.drivers[0].nodeID M spec.drivers[0].nodeID CSINodeDriver'],
    [`${STORAGE}/volumeattachments`, { spec: { attacher: 'a', ...attachment } }, { spec: { attacher: '', ...attachment } }, 'M M M spec.attacher M spec.attacher spec'],
    ['/apis/storage.k8s.io/v1beta1/volumeattributesclasses', { driverName: 'a', parameters: { b: 'c' } }, { driverName: 'a', parameters: {} }, 'M M M parameters M parameters M parameters'],
    [`${STORAGE}/namespaces/default/csistoragecapacities`, { storageClassName: 'a' }, { storageClassName: 'A' }, 'M M M storageClassName M storageClassName'],
    ['/apis/networking.k8s.io/v1beta1/servicecidrs', { spec: { cidrs: ['10.1.0.0/16'] } }, { spec: { cidrs: ['10.1.0.1/16'] } }, 'M M M spec.cidrs[0] M spec.cidrs'],
    ['/apis/networking.k8s.io/v1beta1/ipaddresses', { metadata: { name: '10.1.2.3' }, spec: { parentRef } }, { spec: { parentRef: { ...parentRef, name: '' } } }, 'M M M spec.parentRef.name M spec.parentRef'],
    [`${DEVICES}/deviceclasses`, { spec: {} }, { spec: { selectors: [{}] } }, 'M M M spec.selectors[0].cel M spec.selectors[0].cel'],
    [`${DEVICES}/namespaces/default/resourceclaims`, { spec: {} }, { spec: { devices: { requests: [{ name: '', deviceClassName: 'c' }] } } }, 'M M M spec.devices.requests[0].name M spec spec.devices.requests[0].name'],
  ])('%s', async (path, valid, change, fields) => {
    const { status, value } = await post(path, { metadata: { name: 'n' }, ...valid });
    expect(status).toBe(201);
    const annotations = { 'a b': 'c' };
    const refused = await put(`${path}/${value.metadata.name}`, { ...value, ...change, metadata: { ...value.metadata, annotations } });
    expect([refused.status, fieldsOf(refused.value.details?.causes)]).toEqual([422, fields]);
  });

  it('of a trust bundle have its contents before the changes of the metadata', async () => {
    const path = '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles';
    const { certificate: trustBundle } = await createCertificateAuthority({ commonName: 'a' });
    const { value } = await post(path, { metadata: { name: 'n' }, spec: { trustBundle } });
    const metadata = { ...value.metadata, annotations: { 'a b': 'c' } };
    const refused = await put(`${path}/n`, { ...value, metadata, spec: { trustBundle: '' } });
    expect(fieldsOf(refused.value.details?.causes)).toBe('M M M spec.trustBundle M');
  });

  it('of the status of a stateful set have the metadata last', async () => {
    const path = '/apis/apps/v1/namespaces/default/statefulsets';
    const spec = { ...labels, template, serviceName: 's' };
    const { value } = await post(path, { metadata: { name: 'n' }, spec });
    const metadata = { ...value.metadata, annotations: { 'a b': 'c' } };
    const refused = await put(`${path}/n/status`, { ...value, metadata, status: { replicas: -1 } });
    expect(fieldsOf(refused.value.details?.causes).replace(/( status\.\w+)+/, ' …')).toBe('M M … M');
  });
});

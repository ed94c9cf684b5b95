import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

/*
 * Defaults of absent fields, from upstream's tables of defaults. A row has a kind, the written object, and the values that are read
 * afterwards, by path; undefined for a field that stays absent.
 */
const server = openSuiteServer({ dialect: 'k8s', admission: [], allowPrivileged: true });

const APIS = {
  core: '/api/v1',
  apps: '/apis/apps/v1',
  batch: '/apis/batch/v1',
  node: '/apis/node.k8s.io/v1',
  scaling: '/apis/autoscaling/v1',
  scaling2: '/apis/autoscaling/v2',
  networking: '/apis/networking.k8s.io/v1',
  storage: '/apis/storage.k8s.io/v1',
  rbac: '/apis/rbac.authorization.k8s.io/v1',
  scheduling: '/apis/scheduling.k8s.io/v1',
  flow: '/apis/flowcontrol.apiserver.k8s.io/v1',
  flow3: '/apis/flowcontrol.apiserver.k8s.io/v1beta3',
  discovery: '/apis/discovery.k8s.io/v1',
  hooks: '/apis/admissionregistration.k8s.io/v1',
  registration: '/apis/apiregistration.k8s.io/v1',
} as const;
const CLUSTER = new Set(
  (
    'namespaces nodes runtimeclasses persistentvolumes ingressclasses storageclasses csidrivers priorityclasses flowschemas prioritylevelconfigurations ' +
    'mutatingwebhookconfigurations validatingwebhookconfigurations validatingadmissionpolicies apiservices'
  ).split(' '),
);

type Row = readonly [kind: string, written: object, read: Readonly<Record<string, unknown>>];
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((each, name) => (each as Record<string, unknown> | undefined)?.[name], value);
let count = 0;

async function create(kind: string, written: object) {
  const [api = '', resource = ''] = kind.split('/');
  const where = CLUSTER.has(resource) ? '' : '/namespaces/default';
  const { metadata, ...body } = written as { metadata?: object };
  const path = `${APIS[api as keyof typeof APIS]}${where}/${resource}`;
  const made = await ask(server, {
    method: 'POST',
    path,
    body: { metadata: { name: `n${count++}`, ...metadata }, ...body },
  });
  if (made.status !== 201) throw new Error(made.message);
  const got = await ask(server, { path: `${path}/${made.value.metadata.name}` });
  return [made.value, got.value];
}
const table = (title: string, rows: readonly Row[]) =>
  describe(title, () => {
    it.each(rows)('%s %j', async (kind, written, read) => {
      for (const object of await create(kind, written)) {
        const found = Object.fromEntries(Object.keys(read).map((path) => [path, at(object, path)]));
        expect(found).toEqual(read);
      }
    });
  });

const c = (more: object = {}) => ({ name: 'c', image: 'i', ...more });
const pod = (...containers: object[]) => ({ containers: containers.length === 0 ? [c()] : containers });
const labels = { a: 'b' };
// biome-ignore format: a line
const template = (spec: object = pod()) => ({ metadata: { labels }, spec });
const selector = { matchLabels: labels };
const P = 'spec.containers.0';
const volume = (source: object) => ({ spec: { ...pod(), volumes: [{ name: 'v', ...source }] } });
const account = (source: object) => ({ spec: { ...volume(source).spec, serviceAccountName: 'a' } });
const V = 'spec.volumes.0';
const probe = (more: object = {}) => ({ httpGet: { port: 80 }, ...more });

// biome-ignore format: a row is a line
table('pods', [
  [
    'core/pods',
    { spec: pod() },
    {
      'spec.dnsPolicy': 'ClusterFirst',
      'spec.restartPolicy': 'Always',
      'spec.securityContext': {},
      'spec.terminationGracePeriodSeconds': 30,
      'spec.schedulerName': 'default-scheduler',
      'spec.enableServiceLinks': true,
      'spec.hostNetwork': undefined,
      [`${P}.terminationMessagePath`]: '/dev/termination-log',
      [`${P}.terminationMessagePolicy`]: 'File',
      [`${P}.resources`]: {},
      'status.phase': 'Pending',
      'status.qosClass': 'BestEffort',
    },
  ],
  ['core/pods', { spec: { ...pod(), enableServiceLinks: false, terminationGracePeriodSeconds: 0 } }, { 'spec.enableServiceLinks': false, 'spec.terminationGracePeriodSeconds': 0 }],
  ...(
    [
      ['i', 'Always'],
      ['i:latest', 'Always'],
      // The path of a repository has at most 255 characters, with `library/` if it has no slash.
      ['i'.repeat(247), 'Always'],
      ['i'.repeat(248), 'IfNotPresent'],
      [`r.io/${'i'.repeat(255)}`, 'Always'],
      [`r.io/${'i'.repeat(256)}`, 'IfNotPresent'],
      ['i:1', 'IfNotPresent'],
      ['r.io:50/i', 'Always'],
      ['r.io/a/i:v2', 'IfNotPresent'],
      [`i@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
      [`i:latest@sha256:${'a'.repeat(64)}`, 'Always'],
      ['I', 'IfNotPresent'],
      ['r.io:50/i:latest', 'Always'],
    ] as const
  ).map(([image, policy]): Row => ['core/pods', { spec: pod(c({ image })) }, { [`${P}.imagePullPolicy`]: policy }]),
  ['core/pods', { spec: pod(c({ ports: [{ containerPort: 80 }] })) }, { [`${P}.ports.0`]: { containerPort: 80, protocol: 'TCP' } }],
  [
    'core/pods',
    { spec: { hostNetwork: true, initContainers: [c({ name: 'i', ports: [{ containerPort: 81 }] })], containers: [c({ ports: [{ containerPort: 80 }, { containerPort: 82, hostPort: 82, protocol: 'UDP' }] })] } },
    {
      [`${P}.ports`]: [
        { containerPort: 80, hostPort: 80, protocol: 'TCP' },
        { containerPort: 82, hostPort: 82, protocol: 'UDP' },
      ],
      'spec.initContainers.0.ports': [{ containerPort: 81, hostPort: 81, protocol: 'TCP' }],
    },
  ],
  ['core/pods', { spec: pod(c({ resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } } })) }, { [`${P}.resources.requests`]: { cpu: '100m', memory: '1Gi' }, 'status.qosClass': 'Burstable' }],
  ['core/pods', { spec: { initContainers: [c({ name: 'i', resources: { limits: { cpu: '1' } } })], ...pod() } }, { 'spec.initContainers.0.resources.requests': { cpu: '1' } }],
  ['core/pods', { spec: pod(c({ resources: { limits: { cpu: '1', memory: '1Gi' } } })) }, { [`${P}.resources.requests`]: { cpu: '1', memory: '1Gi' }, 'status.qosClass': 'Guaranteed' }],
  ['core/pods', { spec: pod(c({ resources: { limits: { cpu: '0.1007' } } })) }, { [`${P}.resources.limits`]: { cpu: '101m' }, [`${P}.resources.requests`]: { cpu: '101m' } }],
  ['core/pods', { spec: pod(c({ livenessProbe: probe() })) }, { [`${P}.livenessProbe`]: { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 } }],
  [
    'core/pods',
    { spec: pod(c({ readinessProbe: { grpc: { port: 1 } }, startupProbe: { exec: { command: ['a'] }, timeoutSeconds: 5 } })) },
    { [`${P}.readinessProbe.grpc`]: { port: 1, service: '' }, [`${P}.startupProbe`]: { exec: { command: ['a'] }, timeoutSeconds: 5, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 } },
  ],
  ['core/pods', { spec: pod(c({ lifecycle: { preStop: { httpGet: { port: 'p', path: '/x' } }, postStart: { httpGet: { port: 1 } } } })) }, { [`${P}.lifecycle`]: { postStart: { httpGet: { path: '/', port: 1, scheme: 'HTTP' } }, preStop: { httpGet: { path: '/x', port: 'p', scheme: 'HTTP' } } } }],
  [
    'core/pods',
    {
      spec: {
        initContainers: [c({ name: 'i', env: [{ name: 'e', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] })],
        containers: [
          c({
            env: [
              { name: 'e', valueFrom: { fieldRef: { apiVersion: '', fieldPath: 'metadata.name' } } },
              { name: 'r', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            ],
          }),
        ],
      },
    },
    { 'spec.initContainers.0.env.0.valueFrom': { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }, [`${P}.env.0.valueFrom`]: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }, [`${P}.env.1.valueFrom`]: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
  ],
  ['core/pods', volume({}), { [V]: { name: 'v', emptyDir: {} } }],
  ['core/pods', volume({ hostPath: { path: '/x' } }), { [`${V}.hostPath`]: { path: '/x', type: '' } }],
  ['core/pods', volume({ secret: { secretName: 's' } }), { [`${V}.secret`]: { secretName: 's', defaultMode: 420 } }],
  ['core/pods', volume({ secret: { secretName: 's', defaultMode: 0 } }), { [`${V}.secret.defaultMode`]: 0 }],
  ['core/pods', volume({ configMap: { name: 'm' } }), { [`${V}.configMap`]: { name: 'm', defaultMode: 420 } }],
  ['core/pods', volume({ downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.labels' } }] } }), { [`${V}.downwardAPI`]: { defaultMode: 420, items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }] } }],
  [
    'core/pods',
    account({ projected: { sources: [{ serviceAccountToken: { path: 't' } }, { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.labels' } }] } }] } }),
    { [`${V}.projected`]: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }, { downwardAPI: { items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }] } }] } },
  ],
  ['core/pods', volume({ iscsi: { targetPortal: '1.1.1.1', iqn: 'iqn.2015-02.example.com:test', lun: 0 } }), { [`${V}.iscsi.iscsiInterface`]: 'default' }],
  ['core/pods', volume({ rbd: { monitors: ['m'], image: 'i' } }), { [`${V}.rbd`]: { monitors: ['m'], image: 'i', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  ['core/pods', volume({ azureDisk: { diskName: 'd', diskURI: 'https://blob/' } }), { [`${V}.azureDisk`]: { diskName: 'd', diskURI: 'https://blob/', cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false } }],
  ['core/pods', volume({ scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } }), { [`${V}.scaleIO.storageMode`]: 'ThinProvisioned', [`${V}.scaleIO.fsType`]: 'xfs' }],
  [
    'core/pods',
    volume({ ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } }),
    { [`${V}.ephemeral.volumeClaimTemplate`]: { metadata: { creationTimestamp: null }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' } } },
  ],
  ['core/pods', { spec: { ...pod(), topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] } }, { 'spec.topologySpreadConstraints.0': { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' } }],
]);

const rc = (spec: object, metadata: object = {}) => ({ metadata, spec: { template: template(), ...spec } });
// biome-ignore format: a row is a line
table('other core kinds', [
  ['core/replicationcontrollers', rc({}), { 'spec.replicas': 1, 'spec.selector': labels, 'metadata.labels': labels, 'status.replicas': 0 }],
  ['core/replicationcontrollers', rc({ replicas: 0 }, { labels: { c: 'd' } }), { 'spec.replicas': 0, 'metadata.labels': { c: 'd' } }],
  [
    'core/replicationcontrollers',
    rc({ template: template(pod(c({ resources: { limits: { cpu: '1' } } }))) }),
    { 'spec.template.spec.containers.0.resources': { limits: { cpu: '1' } }, 'spec.template.spec.enableServiceLinks': undefined, 'spec.template.spec.schedulerName': 'default-scheduler', 'spec.template.spec.securityContext': {}, 'spec.template.metadata.creationTimestamp': null },
  ],
  ['core/replicationcontrollers', rc({ template: template({ hostNetwork: true, ...pod(c({ ports: [{ containerPort: 80, hostPort: 80 }] })) }) }), { 'spec.template.spec.containers.0.ports': [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] }],
  ['core/podtemplates', { template: template(), metadata: {} }, { 'template.spec.dnsPolicy': 'ClusterFirst', 'template.spec.containers.0.imagePullPolicy': 'Always' }],
  ['core/namespaces', {}, { 'status.phase': 'Active', 'spec.finalizers': ['kubernetes'] }],
  ['core/namespaces', { metadata: { name: 'named', labels: { 'kubernetes.io/metadata.name': 'x', y: 'z' } } }, { 'metadata.labels': { 'kubernetes.io/metadata.name': 'named', y: 'z' } }],
  ['core/secrets', {}, { type: 'Opaque', data: undefined }],
  ['core/configmaps', {}, { data: undefined }],
  ['core/persistentvolumes', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } }, { 'spec.persistentVolumeReclaimPolicy': 'Retain', 'spec.volumeMode': 'Filesystem', 'status.phase': 'Pending', 'spec.hostPath.type': '' }],
  ['core/persistentvolumes', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], iscsi: { targetPortal: '1.1.1.1', iqn: 'iqn.2015-02.example.com:test', lun: 0 } } }, { 'spec.iscsi.iscsiInterface': 'default' }],
  ['core/persistentvolumes', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], rbd: { monitors: ['m'], image: 'i' } } }, { 'spec.rbd': { monitors: ['m'], image: 'i', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  ['core/persistentvolumes', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's', namespace: 'n' } } } }, { 'spec.scaleIO.storageMode': 'ThinProvisioned', 'spec.scaleIO.fsType': 'xfs' }],
  ['core/persistentvolumes', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], azureDisk: { diskName: 'd', diskURI: 'https://blob/' } } }, { 'spec.azureDisk.cachingMode': 'ReadWrite', 'spec.azureDisk.kind': 'Shared', 'spec.azureDisk.readOnly': false }],
  ['core/persistentvolumeclaims', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }, { 'spec.volumeMode': 'Filesystem', 'status.phase': 'Pending' }],
  ['core/persistentvolumeclaims', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.0001' } } } }, { 'spec.resources.requests': { storage: '1001m' } }],
  [
    'core/endpoints',
    {
      subsets: [
        {
          addresses: [{ ip: '1.1.1.1' }],
          ports: [
            { port: 1, name: 'a' },
            { port: 2, protocol: 'UDP', name: 'u' },
          ],
        },
      ],
    },
    {
      'subsets.0.ports': [
        { name: 'a', port: 1, protocol: 'TCP' },
        { name: 'u', port: 2, protocol: 'UDP' },
      ],
    },
  ],
  [
    'core/limitranges',
    {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' }, default: { memory: '2Mi' } },
          { type: 'Pod', max: { cpu: '2' } },
        ],
      },
    },
    { 'spec.limits.0': { type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' }, default: { cpu: '2', memory: '2Mi' }, defaultRequest: { cpu: '2', memory: '2Mi' } }, 'spec.limits.1': { type: 'Pod', max: { cpu: '2' } } },
  ],
  ['core/limitranges', { spec: { limits: [{ type: 'Container', min: { cpu: '1' } }] } }, { 'spec.limits.0': { type: 'Container', min: { cpu: '1' }, defaultRequest: { cpu: '1' } } }],
]);

const ports = [{ port: 80 }];
// biome-ignore format: a line
const svc = (spec: object, more: object = {}) => ({ spec: { ports, ...spec }, ...more });
// biome-ignore format: a row is a line
table('amounts are kept to the thousandth', [
  [
    'core/pods',
    { spec: { initContainers: [c({ name: 'i', resources: { limits: { cpu: '2n' }, requests: { memory: '1n' } } })], ...pod(c({ resources: { requests: { memory: '100.0000001', cpu: '3e-7' } } })) } },
    { 'spec.initContainers.0.resources': { limits: { cpu: '1m' }, requests: { cpu: '1m', memory: '1m' } }, [`${P}.resources.requests`]: { cpu: '1e-3', memory: '100001m' } },
  ],
  ['core/pods', volume({ ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.0001' } } } } } }), { [`${V}.ephemeral.volumeClaimTemplate.spec.resources.requests`]: { storage: '1001m' } }],
  ['core/nodes', { status: { capacity: { cpu: '1.0001' } } }, { 'status.capacity': { cpu: '1001m' }, 'status.allocatable': { cpu: '1001m' } }],
  ['node/runtimeclasses', { handler: 'h', overhead: { podFixed: { cpu: '2n' } } }, { 'overhead.podFixed': { cpu: '1m' } }],
  [
    'apps/statefulsets',
    { spec: { serviceName: 's', selector: { matchLabels: labels }, template: template(), volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.0001' } } } }] } },
    { 'spec.volumeClaimTemplates.0.spec.resources.requests': { storage: '1001m' } },
  ],
]);

// biome-ignore format: a row is a line
table('services', [
  [
    'core/services',
    svc({}),
    { 'spec.sessionAffinity': 'None', 'spec.sessionAffinityConfig': undefined, 'spec.type': 'ClusterIP', 'spec.internalTrafficPolicy': 'Cluster', 'spec.externalTrafficPolicy': undefined, 'spec.ports.0': { protocol: 'TCP', port: 80, targetPort: 80 }, 'spec.ipFamilies': ['IPv4'], 'spec.ipFamilyPolicy': 'SingleStack' },
  ],
  [
    'core/services',
    svc({
      ports: [
        { name: 'a', port: 1, targetPort: '' },
        { name: 'b', port: 2, targetPort: 'x', protocol: 'UDP' },
        { name: 'c', port: 3, targetPort: 0 },
      ],
    }),
    {
      'spec.ports': [
        { name: 'a', protocol: 'TCP', port: 1, targetPort: 1 },
        { name: 'b', protocol: 'UDP', port: 2, targetPort: 'x' },
        { name: 'c', protocol: 'TCP', port: 3, targetPort: 3 },
      ],
    },
  ],
  ['core/services', svc({ sessionAffinity: 'ClientIP' }), { 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 10800 } } }],
  ['core/services', svc({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }), { 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 5 } } }],
  ['core/services', svc({ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }), { 'spec.sessionAffinityConfig': undefined }],
  ['core/services', svc({ type: 'NodePort' }), { 'spec.externalTrafficPolicy': 'Cluster', 'spec.internalTrafficPolicy': 'Cluster', 'spec.allocateLoadBalancerNodePorts': undefined }],
  ['core/services', svc({ type: 'LoadBalancer' }), { 'spec.externalTrafficPolicy': 'Cluster', 'spec.allocateLoadBalancerNodePorts': true, 'status.loadBalancer': {} }],
  ['core/services', svc({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, internalTrafficPolicy: 'Local' }), { 'spec.allocateLoadBalancerNodePorts': false, 'spec.internalTrafficPolicy': 'Local', 'spec.ports.0.nodePort': undefined }],
  ['core/services', svc({ externalIPs: ['1.1.1.1'] }), { 'spec.externalTrafficPolicy': 'Cluster' }],
  ['core/services', { spec: { type: 'ExternalName', externalName: 'a.b' } }, { 'spec.internalTrafficPolicy': undefined, 'spec.sessionAffinity': 'None', 'spec.ipFamilies': undefined, 'spec.clusterIP': undefined }],
  ['core/services', svc({ clusterIP: 'None', selector: labels }), { 'spec.clusterIPs': ['None'], 'spec.ipFamilyPolicy': 'SingleStack', 'spec.ipFamilies': ['IPv4'] }],
  ['core/services', svc({ clusterIP: 'None', selector: undefined, ports: undefined }), { 'spec.ipFamilyPolicy': 'RequireDualStack', 'spec.ipFamilies': ['IPv4', 'IPv6'] }],
]);

const work = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { selector, template: template(), ...spec },
});
// biome-ignore format: a line
const claim = { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
const sts = (spec: object = {}) => work({ serviceName: 's', ...spec });
// biome-ignore format: a line
const job = (spec: object = {}, metadata: object = {}) => ({ metadata, spec: { template: { spec: { ...pod(), restartPolicy: 'Never' } }, ...spec } });
// biome-ignore format: a row is a line
table('workloads', [
  ['apps/deployments', work(), { 'spec.replicas': 1, 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } }, 'spec.revisionHistoryLimit': 10, 'spec.progressDeadlineSeconds': 600, 'spec.minReadySeconds': undefined, 'metadata.labels': undefined, 'spec.paused': undefined }],
  ['apps/deployments', work({ strategy: { rollingUpdate: { maxSurge: 2 } }, replicas: 0, revisionHistoryLimit: 0 }), { 'spec.replicas': 0, 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 2 } }, 'spec.revisionHistoryLimit': 0 }],
  ['apps/deployments', work({ strategy: { type: 'Recreate' }, progressDeadlineSeconds: 60 }), { 'spec.strategy': { type: 'Recreate' }, 'spec.progressDeadlineSeconds': 60 }],
  ['apps/replicasets', work(), { 'spec.replicas': 1, 'metadata.labels': undefined }],
  ['apps/daemonsets', work(), { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }, 'spec.revisionHistoryLimit': 10 }],
  ['apps/daemonsets', work({ updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 0 }), { 'spec.updateStrategy': { type: 'OnDelete' }, 'spec.revisionHistoryLimit': 0 }],
  ['apps/daemonsets', work({ updateStrategy: { rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } } }), { 'spec.updateStrategy.rollingUpdate': { maxUnavailable: 0, maxSurge: '10%' } }],
  [
    'apps/statefulsets',
    sts(),
    {
      'spec.replicas': 1,
      'spec.podManagementPolicy': 'OrderedReady',
      'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      'spec.revisionHistoryLimit': 10,
      'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Retain' },
      status: { replicas: 0, availableReplicas: 0 },
    },
  ],
  [
    'apps/statefulsets',
    sts({ updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'Parallel', persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } }),
    { 'spec.podManagementPolicy': 'Parallel', 'spec.updateStrategy': { type: 'OnDelete' }, 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Delete' } },
  ],
  [
    'apps/statefulsets',
    sts({ updateStrategy: { rollingUpdate: {} }, volumeClaimTemplates: [claim] }),
    {
      'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      'spec.volumeClaimTemplates.0': { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'd', creationTimestamp: null }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    },
  ],
  ['batch/jobs', job(), { 'spec.parallelism': 1, 'spec.completions': 1, 'spec.backoffLimit': 6, 'spec.completionMode': 'NonIndexed', 'spec.suspend': false, 'spec.podReplacementPolicy': 'TerminatingOrFailed', 'spec.manualSelector': false, 'spec.ttlSecondsAfterFinished': undefined }],
  ['batch/jobs', job({ parallelism: 2 }), { 'spec.parallelism': 2, 'spec.completions': undefined }],
  ['batch/jobs', job({ completions: 4 }), { 'spec.parallelism': 1, 'spec.completions': 4 }],
  ['batch/jobs', job({ parallelism: 0, backoffLimit: 0 }), { 'spec.parallelism': 0, 'spec.completions': undefined, 'spec.backoffLimit': 0 }],
  ['batch/jobs', job({ completions: 4, completionMode: 'Indexed', backoffLimitPerIndex: 1, suspend: true }), { 'spec.backoffLimit': 2147483647, 'spec.suspend': true, 'spec.completionMode': 'Indexed' }],
  [
    'batch/jobs',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }, { type: 'Other', status: 'False' }] }] } }),
    {
      'spec.podReplacementPolicy': 'Failed',
      'spec.podFailurePolicy.rules.0.onPodConditions': [
        { type: 'DisruptionTarget', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
  ],
  ['batch/jobs', job({ template: { metadata: { labels }, spec: { ...pod(), restartPolicy: 'OnFailure' } } }), { 'metadata.labels.a': 'b' }],
  ['batch/jobs', job({ template: { metadata: { labels }, spec: { ...pod(), restartPolicy: 'OnFailure' } } }, { labels: { x: 'y' } }), { 'metadata.labels': { x: 'y' } }],
  [
    'batch/cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: job() } },
    { 'spec.concurrencyPolicy': 'Allow', 'spec.suspend': false, 'spec.successfulJobsHistoryLimit': 3, 'spec.failedJobsHistoryLimit': 1, 'spec.startingDeadlineSeconds': undefined, 'spec.jobTemplate.spec.parallelism': undefined, 'spec.jobTemplate.spec.template.spec.dnsPolicy': 'ClusterFirst' },
  ],
  ['batch/cronjobs', { spec: { schedule: '* * * * *', concurrencyPolicy: 'Forbid', suspend: true, successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0, jobTemplate: job() } }, { 'spec.concurrencyPolicy': 'Forbid', 'spec.suspend': true, 'spec.successfulJobsHistoryLimit': 0, 'spec.failedJobsHistoryLimit': 0 }],
]);

// biome-ignore format: a line
const scaled = (more: object = {}) => ({ spec: { maxReplicas: 5, scaleTargetRef: { kind: 'D', name: 'd' }, ...more } });
const behavior = (more: object = {}) => scaled({ behavior: more });
// biome-ignore format: a line
const UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
// biome-ignore format: a line
const DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
// biome-ignore format: a row is a line
table('autoscalers', [
  ['scaling/horizontalpodautoscalers', scaled(), { 'spec.minReplicas': 1, 'spec.targetCPUUtilizationPercentage': 80 }],
  ['scaling/horizontalpodautoscalers', scaled({ minReplicas: 3, targetCPUUtilizationPercentage: 5 }), { 'spec.minReplicas': 3, 'spec.targetCPUUtilizationPercentage': 5 }],
  ['scaling2/horizontalpodautoscalers', scaled(), { 'spec.minReplicas': 1, 'spec.metrics': [cpu], 'spec.behavior': undefined }],
  ['scaling2/horizontalpodautoscalers', behavior({}), { 'spec.behavior': { scaleUp: UP, scaleDown: DOWN } }],
  ['scaling2/horizontalpodautoscalers', behavior({ scaleDown: { stabilizationWindowSeconds: 60 } }), { 'spec.behavior.scaleDown': { ...DOWN, stabilizationWindowSeconds: 60 }, 'spec.behavior.scaleUp': UP }],
  ['scaling2/horizontalpodautoscalers', behavior({ scaleUp: { selectPolicy: 'Min', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] } }), { 'spec.behavior.scaleUp': { stabilizationWindowSeconds: 0, selectPolicy: 'Min', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] } }],
]);

const clientConfig = { service: { name: 's', namespace: 'n' } };
// biome-ignore format: a line
const hook = { name: 'a.b.c', clientConfig, admissionReviewVersions: ['v1'], sideEffects: 'None', rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] };
const HOOK = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
// biome-ignore format: a line
const W = (more: object = {}) => Object.fromEntries(Object.entries({ ...HOOK, ...more }).map(([name, value]) => [`webhooks.0.${name}`, value]));
// biome-ignore format: a line
const limited = (more: object = {}) => ({ spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...more } } });
const flow = { priorityLevelConfiguration: { name: 'exempt' } };
// biome-ignore format: a row is a line
table('policies, storage and the rest', [
  ['networking/networkpolicies', { spec: { podSelector: {} } }, { 'spec.policyTypes': ['Ingress'] }],
  ['networking/networkpolicies', { spec: { podSelector: {}, egress: [{}] } }, { 'spec.policyTypes': ['Ingress', 'Egress'] }],
  ['networking/networkpolicies', { spec: { podSelector: {}, policyTypes: ['Egress'] } }, { 'spec.policyTypes': ['Egress'] }],
  ['networking/networkpolicies', { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }, {}] }], egress: [{ ports: [{ protocol: 'SCTP' }] }] } }, { 'spec.ingress.0.ports': [{ protocol: 'TCP', port: 80 }, { protocol: 'TCP' }], 'spec.egress.0.ports': [{ protocol: 'SCTP' }] }],
  ['networking/ingressclasses', { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } }, { 'spec.parameters': { kind: 'K', name: 'n', scope: 'Cluster' } }],
  ['storage/storageclasses', { provisioner: 'a.b/c' }, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', allowVolumeExpansion: undefined }],
  ['storage/csidrivers', { spec: {} }, { spec: { attachRequired: true, podInfoOnMount: false, storageCapacity: false, fsGroupPolicy: 'ReadWriteOnceWithFSType', volumeLifecycleModes: ['Persistent'], requiresRepublish: false, seLinuxMount: false } }],
  [
    'rbac/rolebindings',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
    {
      'roleRef.apiGroup': 'rbac.authorization.k8s.io',
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
  ],
  ['scheduling/priorityclasses', { value: 1 }, { preemptionPolicy: 'PreemptLowerPriority', globalDefault: undefined }],
  ['flow/flowschemas', { spec: flow }, { 'spec.matchingPrecedence': 1000 }],
  ['flow/prioritylevelconfigurations', limited(), { 'spec.limited': { nominalConcurrencyShares: 30, lendablePercent: 0, limitResponse: { type: 'Reject' } } }],
  ['flow/prioritylevelconfigurations', limited({ nominalConcurrencyShares: 0 }), { 'spec.limited.nominalConcurrencyShares': 0 }],
  ['flow3/prioritylevelconfigurations', limited({ nominalConcurrencyShares: 0 }), { 'spec.limited.nominalConcurrencyShares': 30 }],
  ['flow/prioritylevelconfigurations', limited({ limitResponse: { type: 'Queue', queuing: {} } }), { 'spec.limited.limitResponse.queuing': { queues: 64, handSize: 8, queueLengthLimit: 50 } }],
  [
    'discovery/endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['1.1.1.1'] }], ports: [{ port: 1 }, { name: 'b', protocol: 'UDP' }] },
    {
      ports: [
        { name: '', protocol: 'TCP', port: 1 },
        { name: 'b', protocol: 'UDP' },
      ],
    },
  ],
  ['hooks/validatingwebhookconfigurations', { webhooks: [hook] }, { ...W(), 'webhooks.0.clientConfig.service.port': 443, 'webhooks.0.rules.0.scope': '*' }],
  ['hooks/mutatingwebhookconfigurations', { webhooks: [hook] }, { ...W({ reinvocationPolicy: 'Never' }), 'webhooks.0.clientConfig.service.port': 443 }],
  [
    'hooks/validatingadmissionpolicies',
    { spec: { matchConstraints: { resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] }, validations: [{ expression: 'true' }] } },
    { 'spec.failurePolicy': 'Fail', 'spec.matchConstraints.matchPolicy': 'Equivalent', 'spec.matchConstraints.namespaceSelector': {}, 'spec.matchConstraints.objectSelector': {}, 'spec.matchConstraints.resourceRules.0.scope': '*' },
  ],
  ['registration/apiservices', { metadata: { name: 'v1.x.y' }, spec: { group: 'x.y', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true, service: { name: 's', namespace: 'n' } } }, { 'spec.service.port': 443 }],
]);

it('sets the phase of a namespace whose status is written without one', async () => {
  const path = '/api/v1/namespaces/phased';
  await ask(server, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'phased' } } });
  const { status, value } = await ask(server, {
    method: 'PUT',
    path: `${path}/status`,
    body: { metadata: { name: 'phased' } },
  });
  expect([status, value.status]).toEqual([200, { phase: 'Active' }]);
});

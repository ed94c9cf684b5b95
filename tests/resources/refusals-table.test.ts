import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { requestsTo } from '../support/ask.js';
import { openServer } from '../support/servers.js';

/*
 * Errors by upstream's rules, with their messages and order, where no record covers them. A row has a kind, the written object, and its
 * errors: `field: message`.
 */
let server: ApiServer;
const { post, put } = requestsTo(() => server);
beforeAll(async () => {
  const gates = ['UserNamespacesSupport', 'SupplementalGroupsPolicy', 'ProcMountType', 'InPlacePodVerticalScaling'];
  server = await openServer({
    dialect: 'k8s',
    admission: [],
    allowPrivileged: false,
    runtimeConfig: { 'api/all': 'true' },
    featureGates: Object.fromEntries(
      [...gates, 'ResourceHealthStatus', 'VolumeAttributesClass', 'DynamicResourceAllocation', 'JobManagedBy'].map(
        (gate) => [gate, true],
      ),
    ),
  });
});
afterAll(() => server.close());

const APIS = {
  core: '/api/v1',
  apps: '/apis/apps/v1',
  batch: '/apis/batch/v1',
  scaling: '/apis/autoscaling/v2',
  storage: '/apis/storage.k8s.io/v1',
  beta: '/apis/storage.k8s.io/v1beta1',
  admission: '/apis/admissionregistration.k8s.io/v1',
  devices: '/apis/resource.k8s.io/v1alpha3',
  coordination: '/apis/coordination.k8s.io/v1alpha1',
  node: '/apis/node.k8s.io/v1',
} as const;
const CLUSTER = new Set([
  ...['nodes', 'persistentvolumes', 'storageclasses', 'volumeattributesclasses', 'volumeattachments'],
  ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings', 'resourceslices', 'runtimeclasses'],
]);
type Kind = `${keyof typeof APIS}/${string}`;
type Row = readonly [kind: Kind, written: object, refusals: readonly string[]];

function pathOf(kind: Kind): string {
  const [api = '', resource = ''] = kind.split('/');
  return `${APIS[api as keyof typeof APIS]}${CLUSTER.has(resource) ? '' : '/namespaces/default'}/${resource}`;
}
interface Answer {
  readonly status: number;
  readonly value: {
    readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  };
}
const refusalsOf = ({ status, value }: Answer) =>
  status < 300 ? [] : (value.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
const named = (written: object) => ({ metadata: { name: 'n' }, ...written });
const create = (kind: Kind, written: object, query = 'dryRun=All') => post(`${pathOf(kind)}?${query}`, named(written));
const table = (title: string, rows: readonly Row[]) =>
  describe(title, () => {
    it.each(rows)('%s %j', async (kind, written, refusals) => {
      expect(refusalsOf(await create(kind, written))).toEqual(refusals);
    });
  });

const c = (more: object = {}) => ({ name: 'c', image: 'i', ...more });
const pod = (spec: object, ...containers: object[]) => ({
  spec: { containers: containers.length === 0 ? [c()] : containers, ...spec },
});
const rights = (securityContext: object) => pod({}, c({ securityContext }));
const AT = 'spec.containers[0]';
const metric = (name: string) => ({
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { kind: 'D', name: 'd' },
    metrics: [
      {
        type: 'ContainerResource',
        containerResource: { name, container: 'c', target: { type: 'Utilization', averageUtilization: 5 } },
      },
    ],
  },
});
const METRIC = 'spec.metrics[0].containerResource.name';

// biome-ignore format: a row is a line
table('resources of containers', [
  ...['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/x', 'kubernetes.io/x'].map((name): Row => ['scaling/horizontalpodautoscalers', metric(name), []]),
  ['scaling/horizontalpodautoscalers', metric(''), [`${METRIC}: Required value: must specify a resource name`]],
  ['scaling/horizontalpodautoscalers', metric('storage'), [`${METRIC}: Invalid value: storage: must be a standard resource for containers`]],
  ['scaling/horizontalpodautoscalers', metric('things'), [`${METRIC}: Invalid value: things: must be a standard resource type or fully qualified`, `${METRIC}: Invalid value: things: must be a standard resource for containers`]],
  ['scaling/horizontalpodautoscalers', metric('requests.example.com/x'), [`${METRIC}: Invalid value: requests.example.com/x: doesn't follow extended resource name standard`]],
  ...(
    [
      ['2Mi', '4Mi', true],
      ['2Mi', '0', true],
      ['2Mi', '3Mi', false],
      ['2Mi', '2097152', true],
      ['1Gi', '1536Mi', false],
      ['x', '1Mi', false],
      ['0', '1Mi', false],
      ['1500m', '3', false],
    ] as const
  ).map(([size, amount, isFine]): Row => [
    'core/pods',
    pod({}, c({ resources: { limits: { cpu: '1', [`hugepages-${size}`]: amount } } })),
    isFine ? [] : ['limits', 'requests'].map((field) => `${AT}.resources.${field}[hugepages-${size}]: Invalid value: ${JSON.stringify(amount)}: ${amount} is not positive integer multiple of hugepages-${size}`),
  ]),
  [
    'core/limitranges',
    { spec: { limits: [{ type: 'Container', default: { 'example.com/x': '1' }, defaultRequest: { 'example.com/x': '2' } }] } },
    [
      'spec.limits[0].defaultRequest[example.com/x]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2", Format:"DecimalSI"}: default request value 2 is greater than default limit value 1',
      'spec.limits[0].defaultRequest[example.com/x]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2", Format:"DecimalSI"}: default value 1 must equal to defaultRequest value 2 in example.com/x',
    ],
  ],
  ['core/pods', pod({}, c({ resizePolicy: [{ resourceName: 'disk', restartPolicy: 'NotRequired' }, { resourceName: 'disk', restartPolicy: 'NotRequired' }], securityContext: { runAsUser: -1 } })), [
    `${AT}.resizePolicy: Unsupported value: disk: supported values: "cpu", "memory"`,
    `${AT}.resizePolicy[1]: Duplicate value: disk`,
    `${AT}.resizePolicy: Unsupported value: disk: supported values: "cpu", "memory"`,
    `${AT}.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
  ]],
]);

const RANGE = 'must be between 0 and 2147483647, inclusive';
const WINDOWS = 'Forbidden: cannot be set for a windows pod';
// biome-ignore format: a row is a line
table('rights', [
  ['core/pods', rights({ privileged: true, runAsUser: -1, procMount: 'Unmasked', seccompProfile: { type: 'Localhost' } }), [
    `${AT}.securityContext.privileged: Forbidden: disallowed by cluster policy`,
    `${AT}.securityContext.runAsUser: Invalid value: -1: ${RANGE}`,
    `${AT}.securityContext.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``,
    `${AT}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
  ]],
  ['core/pods', pod({ os: { name: 'windows' }, hostUsers: false, securityContext: { sysctls: [], supplementalGroups: [1], supplementalGroupsPolicy: 'Merge', appArmorProfile: { type: 'Unconfined' } } }), [
    `spec.securityContext.appArmorProfile: ${WINDOWS}`,
    `spec.hostUsers: ${WINDOWS}`,
    `spec.securityContext.supplementalGroups: ${WINDOWS}`,
    `spec.securityContext.supplementalGroupsPolicy: ${WINDOWS}`,
  ]],
  ['core/pods', pod({}, c({ envFrom: [{ configMapRef: { name: 'm-' } }, { secretRef: { name: 's-' } }] })), []],
  ['core/pods', pod({ initContainers: [{ ...c({ name: 'i' }), resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }], livenessProbe: { exec: { command: ['a'] } } }] }), [
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    'spec.initContainers[0].resizePolicy: Invalid value: []core.ContainerResizePolicy{core.ContainerResizePolicy{ResourceName:"cpu", RestartPolicy:"NotRequired"}}: must not be set for init containers',
  ]],
]);

// biome-ignore format: a row is a line
table('unusual input', [
  ['core/pods', pod({ tolerations: [{ key: 'a', operator: 'Exists', value: 'x', effect: 'NoExecute', tolerationSeconds: 30 }] }), [
    'spec.tolerations[0].operator: Invalid value: core.Toleration{Key:"a", Operator:"Exists", Value:"x", Effect:"NoExecute", TolerationSeconds:(*int64)(0xc000000000)}: value must be empty when `operator` is \'Exists\'',
  ]],
  ['core/pods', pod({ ephemeralContainers: [{ ...c(), name: 'd', ports: [] }] }), [
    'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ]],
  ['core/nodes', { spec: { taints: Array(2).fill({ key: 'a', effect: 'NoExecute', timeAdded: '2024-01-02T03:04:05Z' }) } }, [
    'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"", Effect:"NoExecute", TimeAdded:time.Date(2024, time.January, 2, 3, 4, 5, 0, time.Local)}: taints must be unique by key and effect pair',
  ]],
  ['core/nodes', { status: { capacity: { '': '-1' }, allocatable: {} } }, ['status.capacity[]: Invalid value: "-1": must be greater than or equal to 0']],
  // An empty map of allocatable amounts is not filled in.
  ['core/nodes', { status: { capacity: { cpu: '-1' }, allocatable: {} } }, ['status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0']],
  // Upstream compares each term with as many empty entries as the list has terms, and with all earlier terms.
  ['storage/storageclasses', { provisioner: 'p', allowedTopologies: [{}, { matchLabelExpressions: [{ key: 'a', values: ['b'] }] }, {}] }, [0, 0, 0, 2, 2, 2, 2].map((i) => `allowedTopologies[${i}].matchLabelExpressions: Duplicate value: ""`)],
]);

const volume = (spec: object) => ({ spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec } });
const hostPath = { path: '/x' };
const iqn = 'iqn.2015-02.example.com:test';
const iscsi = { targetPortal: 'p'.repeat(63), iqn, lun: 0, initiatorName: iqn };
const claim = (spec: object) => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
// biome-ignore format: a row is a line
table('volumes', [
  ['core/persistentvolumes', volume({ hostPath, cephfs: { monitors: ['m'] } }), ['spec.cephFS: Forbidden: may not specify more than 1 volume type']],
  // This source may be combined with an earlier one.
  ['core/persistentvolumes', volume({ hostPath, flexVolume: { driver: 'd' } }), []],
  ['core/persistentvolumes', volume({ hostPath, flexVolume: { driver: '' } }), ['spec.flexVolume.driver: Required value']],
  ['core/persistentvolumes', volume({ flexVolume: { driver: 'd' }, azureFile: { secretName: 's', shareName: 's' } }), ['spec.azureFile: Forbidden: may not specify more than 1 volume type']],
  ['core/persistentvolumes', volume({ iscsi }), [`spec.iscsi.targetportal: Invalid value: "${'p'.repeat(63)}": ${LONG}`]],
  ['core/persistentvolumes', volume({ iscsi: { ...iscsi, targetPortal: 'p'.repeat(62) } }), []],
  ['core/persistentvolumes', volume({ iscsi: { targetPortal: 'p', iqn: 'x', lun: 0 } }), ['spec.iscsi.iqn: Invalid value: "x": must be valid format']],
  ['core/persistentvolumes', volume({ hostPath, capacity: { storage: '-500m' } }), ['spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity', 'spec.capacity[storage]: Invalid value: "-500m": must be greater than zero']],
  ['core/pods', pod({ volumes: [{ name: 'v', iscsi }] }), [`spec.volumes[0].name: Invalid value: "v": ${LONG}`]],
  ['core/pods', pod({ volumes: [{ name: 'v', iscsi: { targetPortal: 'p', iqn: 'x', lun: 0 } }] }), ['spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa']],
  ['core/persistentvolumeclaims', claim({ volumeAttributesClassName: '!', dataSourceRef: { apiGroup: 'example.com', kind: 'K', name: '' } }), [
    'spec.dataSource.name: Required value',
    'spec.dataSourceRef.name: Required value',
    "spec.volumeAttributesClassName: Invalid value: \"!\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]],
]);

it('a bound claim whose map of requests becomes empty is refused for its size only', async () => {
  const path = pathOf('core/persistentvolumeclaims');
  const { value: made } = await create(
    'core/persistentvolumeclaims',
    { metadata: { name: 'bound' }, ...claim({}) },
    '',
  );
  const { value: bound } = await put(`${path}/bound/status`, { ...made, status: { phase: 'Bound' } });
  const fieldsWith = async (resources: object) => {
    const { value } = await put(`${path}/bound`, { ...bound, spec: { ...bound.spec, resources } });
    return value.details.causes.map(({ field }: { field: string }) => field);
  };
  const missing = ['spec.resources[storage]', 'spec.resources[storage]'];
  expect(await fieldsWith({ requests: {} })).toEqual([...missing, 'spec.resources.requests.storage']);
  expect(await fieldsWith({})).toEqual([...missing, 'spec', 'spec.resources.requests.storage']);
});

const taints = (text: string) => ({
  metadata: { name: 'n', annotations: { 'scheduler.alpha.kubernetes.io/taints': text } },
});
const TAINTS = 'metadata.annotations.scheduler.alpha.kubernetes.io/taints';
const EFFECTS = 'supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"';
// biome-ignore format: a row is a line
table('taints as they were written once', [
  ['core/nodes', taints('[{"key":"a","value":"b","effect":"NoSchedule"}]'), []],
  ['core/nodes', taints(''), []],
  ['core/nodes', taints('[{"key":"a","effect":"Never"},{"Key":"b"}]'), [`${TAINTS}[0].effect: Unsupported value: "Never": ${EFFECTS}`, `${TAINTS}[1].effect: Required value`]],
  ['core/nodes', taints('{}'), ['metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/taints": json: cannot unmarshal object into Go value of type []core.Taint']],
]);

const service = (spec: object) => ({ spec: { ports: [{ port: 80 }], ...spec } });
// biome-ignore format: a row is a line
table('services', [
  ['core/services', service({ type: 'ClusterIP', clusterIP: '10.0.0.9', ipFamilies: ['IPv6'], ipFamilyPolicy: 'Odd' }), [
    'spec.ipFamilyPolicy: Unsupported value: "Odd": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
    'spec.clusterIPs[0]: Invalid value: "10.0.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`',
  ]],
]);

it('an invalid load balancer class is reported twice for an updated Service', async () => {
  const { value: made } = await create('core/services', { ...service({}), metadata: { name: 'changed' } }, '');
  const spec = { ...made.spec, loadBalancerClass: 'x' };
  const answer = await put(`${pathOf('core/services')}/changed`, { ...made, spec });
  const why = "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'";
  expect(refusalsOf(answer)).toEqual([why, why]);
});

it('users and devices of containers are validated', async () => {
  const { value: made } = await create('core/pods', { ...pod({}), metadata: { name: 'running' } }, '');
  const status = (more: object) => ({ name: 'c', ready: true, restartCount: 0, image: 'i', imageID: '', ...more });
  const write = async (list: string, more: object) => {
    const body = { ...made, status: { [list]: [status(more)] } };
    return refusalsOf(await put(`${pathOf('core/pods')}/running/status`, body));
  };
  const user = { linux: { uid: -1, gid: 1, supplementalGroups: [-2] } };
  const at = (list: string) => `status.${list}[0]`;
  expect(await write('containerStatuses', { user })).toEqual([
    `${at('containerStatuses')}.linux.uid: Invalid value: -1: ${RANGE}`,
    `${at('containerStatuses')}.linux.supplementalGroups[0]: Invalid value: -2: ${RANGE}`,
  ]);
  const devices = [{ name: 'example.com/x', resources: [{ resourceID: 'a', health: 'Ill' }] }];
  const devicesAt = `${at('containerStatuses')}.allocatedResourcesStatus[0]`;
  expect(await write('containerStatuses', { allocatedResourcesStatus: devices })).toEqual([
    `${devicesAt}.name: Invalid value: example.com/x: must match one of the container's resource requirements`,
    `${devicesAt}.resources[0].health: Unsupported value: "Ill": supported values: "Healthy", "Unhealthy", "Unknown"`,
  ]);
  expect(await write('ephemeralContainerStatuses', { allocatedResourcesStatus: devices })).toEqual([
    `${at('ephemeralContainerStatuses')}.allocatedResourcesStatus: Forbidden: must not be specified in container status`,
  ]);
});

const QUALIFIED =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
// biome-ignore format: a row is a line
table('classes of storage', [
  ['storage/storageclasses', { provisioner: 'A B' }, [`provisioner: Invalid value: "a b": ${QUALIFIED}`]],
  ['beta/volumeattributesclasses', { driverName: 'A B', parameters: { a: 'b' } }, [`driverName: Invalid value: "a b": ${QUALIFIED}`]],
  ['storage/volumeattachments', { spec: { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' }, volumeAttributesClassName: '!' } } } }, []],
]);

const everything = {
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
};
const policy = (spec: object) => ({
  spec: { matchConstraints: everything, validations: [{ expression: 'true' }], ...spec },
});
const UNDEFINED =
  "Invalid value: \"nope\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^";
// biome-ignore format: a row is a line
table('policies', [
  ['admission/validatingadmissionpolicies', policy({ failurePolicy: '', matchConstraints: { ...everything, matchPolicy: '' } }), [
    'spec.failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"',
    'spec.matchConstraints.matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"',
  ]],
  // An expression that does not compile still counts as present, with any type.
  ['admission/validatingadmissionpolicies', policy({ variables: [{ name: 'a', expression: 'nope' }], validations: [{ expression: 'variables.a == 1' }] }), [`spec.variables[0].expression: ${UNDEFINED}`]],
  ['admission/validatingadmissionpolicybindings', { spec: { policyName: 'p', validationActions: ['Deny'], matchResources: { matchPolicy: 'Loose' } } }, ['spec.matchResouces.matchPolicy: Unsupported value: "Loose": supported values: "Equivalent", "Exact"']],
]);

it('fields that policies warn about are validated', async () => {
  const { value: made } = await create(
    'admission/validatingadmissionpolicies',
    { ...policy({}), metadata: { name: 'warned' } },
    '',
  );
  const warn = async (fieldRef: string) => {
    const body = { ...made, status: { typeChecking: { expressionWarnings: [{ fieldRef, warning: 'w' }] } } };
    const path = `${pathOf('admission/validatingadmissionpolicies')}/warned/status`;
    return refusalsOf(await put(`${path}?dryRun=All`, body));
  };
  const at = 'status.typeChecking.expressionWarnings[0].fieldRef';
  expect(await warn('spec.validations[0].expression')).toEqual([]);
  expect(await warn(' ')).toEqual([`${at}: Required value`]);
  expect(await warn('spec.validations[0')).toEqual([
    `${at}: Invalid value: "spec.validations[0": invalid JSONPath: unterminated array`,
  ]);
});

const deployment = (rollingUpdate: object) => ({
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, ...pod({}) },
    strategy: { type: 'RollingUpdate', rollingUpdate },
  },
});
const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const shown = (text: string) => `intstr.IntOrString{Type:1, IntVal:0, StrVal:${JSON.stringify(text)}}`;
const UNAVAILABLE = 'spec.strategy.rollingUpdate.maxUnavailable';
const job = (spec: object) => ({ spec: { template: pod({ restartPolicy: 'Never' }), ...spec } });
// biome-ignore format: a row is a line
table('workloads', [
  ...(
    [
      ['deployments', 'strategy', 'DeploymentStrategy', 'Deployment', 'Unsupported value', 'supported values: "Recreate", "RollingUpdate"'],
      ['daemonsets', 'updateStrategy', 'DaemonSetUpdateStrategy', 'DaemonSet', 'Unsupported value', 'supported values: "RollingUpdate", "OnDelete"'],
      ['statefulsets', 'updateStrategy', 'StatefulSetUpdateStrategy', 'StatefulSetStrategy', 'Invalid value', "must be 'RollingUpdate' or 'OnDelete'"],
    ] as const
  ).map(([kind, field, strategy, update, type, why]): Row => [
    `apps/${kind}`,
    { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...pod({}) }, [field]: { type: 'Odd', rollingUpdate: {} } } },
    [`spec.${field}: ${type}: apps.${strategy}{Type:"Odd", RollingUpdate:(*apps.RollingUpdate${update})(0xc000000000)}: ${why}`],
  ]),
  ['apps/deployments', deployment({ maxUnavailable: '5', maxSurge: 0 }), [`${UNAVAILABLE}: Invalid value: ${shown('5')}: ${PERCENT}`]],
  ['apps/deployments', deployment({ maxUnavailable: 'x', maxSurge: 0 }), [`${UNAVAILABLE}: Invalid value: ${shown('x')}: ${PERCENT}`, `${UNAVAILABLE}: Invalid value: ${shown('x')}: may not be 0 when \`maxSurge\` is 0`]],
  ['batch/jobs', job({ managedBy: `a.b/${'x'.repeat(60)}` }), ['spec.managedBy: Too long: may not be longer than 63']],
]);

const device = (attributes: object) => ({
  spec: {
    driver: 'd',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'd', basic: { attributes } }],
  },
});
const ATTRIBUTES = 'spec.devices[0].basic.attributes';
// biome-ignore format: a row is a line
table('devices', [
  ['devices/resourceslices', device({ a: { string: 'x'.repeat(65) } }), [`${ATTRIBUTES}[a].string: Too long: may not be longer than 64`]],
  ['devices/resourceslices', device({ ['a'.repeat(33)]: { bool: true } }), [`${ATTRIBUTES}: Too long: may not be longer than 32`]],
  ['devices/resourceclaimtemplates', { spec: { metadata: { uid: 'u', finalizers: [] }, spec: { devices: {} } } }, ['spec.metadata.uID: Forbidden: cannot be set', 'spec.metadata.finalizers: Forbidden: cannot be set']],
]);

it('the AppArmor profile of a pod may be as long as a path', async () => {
  const localhostProfile = 'x'.repeat(4096);
  const made = pod({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile } } });
  expect(refusalsOf(await create('core/pods', made))).toEqual([
    'spec.securityContext.appArmorProfile.localhostProfile: Too long: may not be longer than 4095',
  ]);
});

const candidate = (binaryVersion: string, emulationVersion: string, name = 'n') => ({
  metadata: { name },
  spec: { leaseName: 'l', binaryVersion, emulationVersion, preferredStrategies: ['OldestEmulationVersion'] },
});
const NEEDED = "Required value: must be specified when `strategy` is 'OldestEmulationVersion'";
const bears = (tolerationSeconds: number) => ({ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
// biome-ignore format: a row is a line
table('leaders', [
  ['coordination/leasecandidates', candidate('1.1.0', '1.0.0', 'A_b'), []],
  ['coordination/leasecandidates', candidate('1.1.0', '1.0.0', 'A b'), ["metadata.name: Invalid value: \"A b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"]],
  ['coordination/leasecandidates', candidate('x', '1.0.0'), [
    'spec.binaryVersion: Invalid value: "x": must be a valid semantic version',
    'spec.binaryVersion: Invalid value: "x": must be greater than or equal to `emulationVersion`',
    `spec.binaryVersion: ${NEEDED}`,
  ]],
  ['coordination/leasecandidates', candidate('0.0.0+a', '0.0.0'), [`spec.binaryVersion: ${NEEDED}`, `spec.emulationVersion: ${NEEDED}`]],
]);

it('tolerations of a RuntimeClass must differ in more than their duration', async () => {
  const made = { handler: 'h', scheduling: { tolerations: [bears(1), bears(2)] } };
  expect(refusalsOf(await create('node/runtimeclasses', made))).toEqual([
    expect.stringContaining('scheduling.tolerations[1]: Duplicate value: '),
  ]);
});

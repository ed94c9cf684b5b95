import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import type { ResourceSample } from '../../src/testing/resource-contract.js';

const metadata = { name: 'sample' };
const role = { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' };
const clusterRole = { ...role, kind: 'ClusterRole' };

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] },
};
const deviceRequest = { name: 'r', deviceClassName: 'c', count: 1, allocationMode: 'ExactCount' };
const endingTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const webhook = {
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://example.com' },
  rules: [rule],
};
const selected = { selector: { matchLabels: { app: 'a' } }, template };

/** A valid object of every stored kind, by {@link keyOfKind}; a kind without one fails contract.test.ts. */
export const SAMPLES: Readonly<Record<string, ResourceSample<ApiObject>>> = {
  namespaces: { object: { metadata, spec: {} } },
  configmaps: { object: { metadata, data: { a: '1' } } },
  secrets: { object: { metadata, data: { a: 'MQ==' } } },
  serviceaccounts: { object: { metadata } },
  pods: { object: { metadata, spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] } } },
  nodes: { object: { metadata } },
  events: { object: { metadata, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } } },
  'events.events': {
    object: {
      metadata,
      eventTime: '2024-01-02T03:04:05.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Test',
      reason: 'Tested',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    },
  },
  podtemplates: { object: { metadata, template } },
  replicationcontrollers: { object: { metadata, spec: { template } } },
  services: { object: { metadata, spec: { ports: [{ port: 80 }] } } },
  endpoints: { object: { metadata } },
  resourcequotas: { object: { metadata, spec: { hard: { pods: '2' } } } },
  limitranges: { object: { metadata, spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } } },
  'validatingwebhookconfigurations.admissionregistration': { object: { metadata, webhooks: [webhook] } },
  'mutatingwebhookconfigurations.admissionregistration': { object: { metadata, webhooks: [webhook] } },
  'validatingadmissionpolicies.admissionregistration': {
    object: { metadata, spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] } },
  },
  'validatingadmissionpolicybindings.admissionregistration': {
    object: { metadata, spec: { policyName: 'p', validationActions: ['Deny'] } },
  },
  'deviceclasses.resource': { object: { metadata, spec: { selectors: [{ cel: { expression: 'true' } }] } } },
  'resourceclaims.resource': { object: { metadata, spec: { devices: { requests: [deviceRequest] } } } },
  'resourceclaimtemplates.resource': {
    object: { metadata, spec: { spec: { devices: { requests: [deviceRequest] } } } },
  },
  'podschedulingcontexts.resource': { object: { metadata, spec: { potentialNodes: ['n'] } } },
  'resourceslices.resource': {
    object: {
      metadata,
      spec: {
        driver: 'd.example.com',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        allNodes: true,
        devices: [{ name: 'd', basic: { attributes: { model: { string: 'm' } }, capacity: { memory: '1Gi' } } }],
      },
    },
  },
  'volumeattributesclasses.storage': { object: { metadata, driverName: 'd.example.com', parameters: { a: '1' } } },
  'ipaddresses.networking': {
    object: {
      metadata: { name: '10.1.2.3' },
      spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } },
    },
    generatesNames: false,
  },
  'servicecidrs.networking': { object: { metadata, spec: { cidrs: ['10.1.0.0/16'] } } },
  'storageversions.internal.apiserver': {
    object: { metadata: { name: 'apps.deployments' }, spec: {} },
    generatesNames: false,
  },
  'leasecandidates.coordination': {
    object: { metadata, spec: { leaseName: 'l', preferredStrategies: ['example.com/first'] } },
  },
  'apiservices.apiregistration': {
    generatesNames: false,
    object: {
      metadata: { name: 'v1.example.com' },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 1 },
    },
  },
  'deployments.apps': { object: { metadata, spec: selected } },
  'replicasets.apps': { object: { metadata, spec: selected } },
  'statefulsets.apps': { object: { metadata, spec: { ...selected, serviceName: 's' } } },
  'daemonsets.apps': { object: { metadata, spec: selected } },
  'controllerrevisions.apps': { object: { metadata, data: {}, revision: 1 } },
  'horizontalpodautoscalers.autoscaling': {
    object: { metadata, spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 } },
  },
  'jobs.batch': { object: { metadata, spec: { template: endingTemplate } } },
  'cronjobs.batch': {
    object: { metadata, spec: { schedule: '@daily', jobTemplate: { spec: { template: endingTemplate } } } },
  },
  'leases.coordination': { object: { metadata, spec: { holderIdentity: 'me' } } },
  'roles.rbac.authorization': { object: { metadata, rules: [] } },
  'clusterroles.rbac.authorization': { object: { metadata, rules: [] } },
  'rolebindings.rbac.authorization': { object: { metadata, roleRef: role, subjects: [] } },
  'clusterrolebindings.rbac.authorization': { object: { metadata, roleRef: clusterRole, subjects: [] } },
  persistentvolumes: {
    object: {
      metadata,
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/p' } },
    },
  },
  persistentvolumeclaims: {
    object: { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  'volumeattachments.storage': {
    object: {
      metadata,
      spec: { attacher: 'example.com', source: { persistentVolumeName: 'v' }, nodeName: 'n' },
    },
  },
  'storageclasses.storage': { object: { metadata, provisioner: 'example.com/disk' } },
  'csidrivers.storage': { object: { metadata, spec: {} } },
  'csinodes.storage': { object: { metadata, spec: { drivers: [{ name: 'example.com', nodeID: 'n' }] } } },
  'csistoragecapacities.storage': { object: { metadata, storageClassName: 'fast' } },
  'ingressclasses.networking': { object: { metadata, spec: { controller: 'example.com/c' } } },
  'ingresses.networking': { object: { metadata, spec: { rules: [{ host: 'a.example.com' }] } } },
  'networkpolicies.networking': { object: { metadata, spec: { podSelector: {} } } },
  'poddisruptionbudgets.policy': { object: { metadata, spec: { minAvailable: 1 } } },
  'endpointslices.discovery': { object: { metadata, addressType: 'IPv4', endpoints: [] } },
  'prioritylevelconfigurations.flowcontrol.apiserver': {
    object: { metadata, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  },
  'flowschemas.flowcontrol.apiserver': {
    object: { metadata, spec: { priorityLevelConfiguration: { name: 'exempt' } } },
  },
  'priorityclasses.scheduling': { object: { metadata, value: 1 } },
  'customresourcedefinitions.apiextensions': {
    generatesNames: false,
    object: {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  },
  'runtimeclasses.node': { object: { metadata, handler: 'h' } },
} as Readonly<Record<string, ResourceSample<ApiObject>>>; // decoded and validated by the server

/** `deployments.apps` */
export const keyOfKind = ({ plural, groupStem = '' }: Pick<ResourceDefinition, 'plural' | 'groupStem'>) =>
  groupStem === '' ? plural : `${plural}.${groupStem}`;

import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { proxyNames, scaleNames } from '../fragments/subresource-names.js';

export type { Binding } from './binding.js';
export type {
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event as CoreEvent,
  Namespace,
  PodTemplate,
  ReplicationController,
  Secret,
  ServiceAccount,
} from './core-v1.types.js';
export type { LimitRange } from './limits/limit-range.js';
export type { ResourceQuota } from './limits/resource-quota.js';
export type { Node } from './node/node.js';
export type { PersistentVolume } from './persistent-volume/persistent-volume.js';
export type { PersistentVolumeClaim } from './persistent-volume-claim/persistent-volume-claim.js';
export type { Pod } from './pod/pod.js';
export type { Service } from './service/service.js';

/** v1 Binding: assigns a pod to a node. It is the older form of the pod's subresource `binding`. */
export const binding = defineKind(
  { groupStem: '', version: 'v1', kind: 'Binding', plural: 'bindings', scope: 'Namespaced', virtual: 'answering' },
  async () => (await import('./binding.js')).bindingRules,
);

/** v1 ComponentStatus: the state of the parts of the control plane, read-only. */
export const componentStatus = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    scope: 'Cluster',
    verbs: ['get', 'list'],
    deprecation: { since: '1.19' },
    virtual: 'computed',
  },
  async () => (await import('./component-status.js')).componentStatusRules,
);

/** v1 ConfigMap: plain configuration, as text and as bytes. */
export const configMap = defineKind(
  { groupStem: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', shortNames: ['cm'], scope: 'Namespaced' },
  async () => (await import('./config-map.js')).configMapRules,
);

/** core/v1 Endpoints: the addresses of a service in one object. */
export const endpoints = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    storedUnder: 'services/endpoints',
    shortNames: ['ep'],
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./endpoints.js')).endpointsRules,
);

/** v1 Event: something that happened to an object. */
export const coreEvent = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
    hasNoDependents: true,
    expires: true,
  },
  async () => (await import('./event/event.js')).coreEventRules,
);

/** v1 LimitRange: limits for single pods, containers and claims of a namespace, and their default amounts. */
export const limitRange = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./limits/limit-range.js')).limitRangeRules,
);

/** v1 ResourceQuota: limits for all objects of a namespace together. */
export const resourceQuota = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: { status: {} },
  },
  async () => (await import('./limits/resource-quota.js')).resourceQuotaRules,
);

/** v1 Namespace: a scope for objects. It is deleted only after its content (spec 7.8). */
export const namespace = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    scope: 'Cluster',
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    returnsDeletedObject: true,
    describesDeletedObject: false,
    subresources: { status: {}, finalize: { verbs: ['update'] } },
  },
  async () => (await import('./namespace.js')).namespaceRules,
);

/** v1 Node: a machine that runs pods. */
export const node = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Node',
    plural: 'nodes',
    storedUnder: 'minions',
    shortNames: ['no'],
    scope: 'Cluster',
    subresources: { status: {}, proxy: proxyNames('NodeProxyOptions') },
  },
  async () => (await import('./node/node.js')).nodeRules,
);

/** v1 PersistentVolume: a piece of storage for one claim. */
export const persistentVolume = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    scope: 'Cluster',
    returnsDeletedObject: true,
    looksAtMetadata: 'whole',
    subresources: { status: {} },
  },
  async () => (await import('./persistent-volume/persistent-volume.js')).persistentVolumeRules,
);

/** v1 PersistentVolumeClaim: asks for a volume. */
export const persistentVolumeClaim = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: { status: {} },
  },
  async () => (await import('./persistent-volume-claim/persistent-volume-claim.js')).persistentVolumeClaimRules,
);

/** v1 Pod: pods are stored and validated, and used for bound tokens and the permissions of nodes; this server does not run them. */
export const pod = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: {
      status: {},
      binding: { connect: { kind: 'Binding', groupStem: '', version: 'v1' } },
      eviction: { connect: { kind: 'Eviction', groupStem: 'policy', version: 'v1', readVersions: ['v1beta1'] } },
      log: { relay: { kind: 'Pod', verbs: ['get'] } },
      exec: { relay: { kind: 'PodExecOptions', verbs: ['create', 'get'] } },
      attach: { relay: { kind: 'PodAttachOptions', verbs: ['create', 'get'] } },
      portforward: { relay: { kind: 'PodPortForwardOptions', verbs: ['create', 'get'] } },
      proxy: proxyNames('PodProxyOptions'),
      ephemeralcontainers: {},
    },
  },
  async () => (await import('./pod/pod.js')).podRules,
);

/** v1 PodTemplate: a template for pods. */
export const podTemplate = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    scope: 'Namespaced',
    returnsDeletedObject: true,
    tracksGeneration: true,
  },
  async () => (await import('./pod-template.js')).podTemplateRules,
);

/** v1 ReplicationController: a number of identical pods, in the older form. */
export const replicationController = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    storedUnder: 'controllers',
    shortNames: ['rc'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    orphansDependents: true,
    subresources: { scale: scaleNames, status: {} },
  },
  async () => (await import('./replication-controller.js')).replicationControllerRules,
);

/** v1 Secret: confidential data, with rules that depend on its type. */
export const secret = defineKind(
  { groupStem: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' },
  async () => (await import('./secret.js')).secretRules,
);

/** core/v1 Service: a name and an address for a set of pods. */
export const service = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'Service',
    plural: 'services',
    storedUnder: 'services/specs',
    shortNames: ['svc'],
    categories: ['all'],
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    takesAlong: [{ groupStem: '', version: 'v1', plural: 'endpoints' }],
    subresources: { proxy: proxyNames('ServiceProxyOptions'), status: {} },
  },
  async () => (await import('./service/service.js')).serviceRules,
);

/** v1 ServiceAccount: an identity for programs (spec 14.1). */
export const serviceAccount = defineKind(
  {
    groupStem: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: { token: { connect: { kind: 'TokenRequest', groupStem: 'authentication', version: 'v1' } } },
  },
  async () => (await import('./service-account.js')).serviceAccountRules,
);

/** The kinds of the core group, in the order in which they are saved and loaded: namespaces first. */
export const coreKinds: readonly ResourceDefinition[] = [
  namespace,
  configMap,
  secret,
  serviceAccount,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  node,
  podTemplate,
  replicationController,
  service,
  endpoints,
  resourceQuota,
  limitRange,
  coreEvent,
  binding,
  componentStatus,
];

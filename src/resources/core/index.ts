import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { binding } from './binding.js';
import { componentStatus } from './component-status.js';
import { configMap } from './config-map.js';
import { endpoints } from './endpoints.js';
import { coreEvent } from './event/event.js';
import { limitRange } from './limits/limit-range.js';
import { resourceQuota } from './limits/resource-quota.js';
import { namespace } from './namespace.js';
import { node } from './node/node.js';
import { persistentVolume } from './persistent-volume/persistent-volume.js';
import { persistentVolumeClaim } from './persistent-volume-claim/persistent-volume-claim.js';
import { pod } from './pod/pod.js';
import { podTemplate } from './pod-template.js';
import { replicationController } from './replication-controller.js';
import { secret } from './secret.js';
import { service } from './service/service.js';
import { serviceAccount } from './service-account.js';

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
export {
  binding,
  componentStatus,
  configMap,
  coreEvent,
  endpoints,
  limitRange,
  namespace,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  service,
  serviceAccount,
};

/** The kinds of the core group, in the order in which their objects are saved and loaded: namespaces first. */
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

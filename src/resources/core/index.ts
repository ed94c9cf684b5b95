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

export { type Binding, binding } from './binding.js';
export { type ComponentStatus, componentStatus } from './component-status.js';
export { type ConfigMap, configMap } from './config-map.js';
export { type Endpoints, endpoints } from './endpoints.js';
export { coreEvent } from './event/event.js';
export type { CoreEvent } from './event/event-conversion.js';
export { type LimitRange, limitRange } from './limits/limit-range.js';
export { type ResourceQuota, resourceQuota } from './limits/resource-quota.js';
export { type Namespace, namespace } from './namespace.js';
export { type Node, node } from './node/node.js';
export { type PersistentVolume, persistentVolume } from './persistent-volume/persistent-volume.js';
export {
  type PersistentVolumeClaim,
  persistentVolumeClaim,
} from './persistent-volume-claim/persistent-volume-claim.js';
export { type Pod, pod } from './pod/pod.js';
export { type PodTemplate, podTemplate } from './pod-template.js';
export { type ReplicationController, replicationController } from './replication-controller.js';
export { type Secret, secret } from './secret.js';
export { type Service, service } from './service/service.js';
export { type ServiceAccount, serviceAccount } from './service-account.js';

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

import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../fragments/versions/in-version.js';

export type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment } from './storage-v1.types.js';
export type { VolumeAttributesClass } from './storage-v1beta1.types.js';

/** storage/v1 CSIDriver: a storage driver that runs in the cluster. */
export const csiDriver = defineKind(
  {
    groupStem: 'storage',
    version: 'v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    scope: 'Cluster',
    allowUnconditionalUpdate: false,
    returnsDeletedObject: true,
  },
  async () => (await import('./csi-driver.js')).csiDriverRules,
);

/** storage/v1 CSINode: the storage drivers on a node, which has the same name. */
export const csiNode = defineKind(
  {
    groupStem: 'storage',
    version: 'v1',
    kind: 'CSINode',
    plural: 'csinodes',
    scope: 'Cluster',
    allowUnconditionalUpdate: false,
    returnsDeletedObject: true,
  },
  async () => (await import('./csi-node.js')).csiNodeRules,
);

/** storage/v1 CSIStorageCapacity: the capacity left for a storage class in one part of the topology. */
export const csiStorageCapacity = defineKind(
  {
    groupStem: 'storage',
    version: 'v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    scope: 'Namespaced',
    allowUnconditionalUpdate: false,
  },
  async () => (await import('./csi-storage-capacity.js')).csiStorageCapacityRules,
);

/** storage/v1 StorageClass: how volumes are provisioned on demand. */
export const storageClass = defineKind(
  {
    groupStem: 'storage',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    scope: 'Cluster',
    returnsDeletedObject: true,
  },
  async () => (await import('./storage-class.js')).storageClassRules,
);

/** storage/v1 VolumeAttachment: a request to attach a volume to a node. */
export const volumeAttachment = defineKind(
  {
    groupStem: 'storage',
    version: 'v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    scope: 'Cluster',
    allowUnconditionalUpdate: false,
    returnsDeletedObject: true,
    subresources: { status: {} },
  },
  async () => (await import('./volume-attachment.js')).volumeAttachmentRules,
);

const attributes = {
  groupStem: 'storage',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  shortNames: ['vac'],
  scope: 'Cluster',
  returnsDeletedObject: true,
} as const;
const attributesRules = async () => (await import('./volume-attributes-class.js')).volumeAttributesClassRules;

/** storage/v1beta1 VolumeAttributesClass: attributes of a volume that can be changed while it is in use. */
export const volumeAttributesClass = defineKind({ ...attributes, version: 'v1beta1' }, attributesRules);

/** VolumeAttributesClass in older versions. */
export const volumeAttributesClassV1alpha1 = inVersion(
  attributes,
  volumeAttributesClass,
  { version: 'v1alpha1' },
  attributesRules,
);

/** The kinds of the group storage, the newer versions first. */
export const storageKinds: readonly ResourceDefinition[] = [
  storageClass,
  volumeAttachment,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  volumeAttributesClass,
  volumeAttributesClassV1alpha1,
];

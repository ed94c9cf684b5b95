import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { csiDriver } from './csi-driver.js';
import { csiNode } from './csi-node.js';
import { csiStorageCapacity } from './csi-storage-capacity.js';
import { storageClass } from './storage-class.js';
import { volumeAttachment } from './volume-attachment.js';
import { volumeAttributesClass, volumeAttributesClassV1alpha1 } from './volume-attributes-class.js';

export { type CSIDriver, csiDriver } from './csi-driver.js';
export { type CSINode, csiNode } from './csi-node.js';
export { type CSIStorageCapacity, csiStorageCapacity } from './csi-storage-capacity.js';
export { type StorageClass, storageClass } from './storage-class.js';
export { type VolumeAttachment, volumeAttachment } from './volume-attachment.js';

export {
  type VolumeAttributesClass,
  volumeAttributesClass,
  volumeAttributesClassV1alpha1,
} from './volume-attributes-class.js';

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

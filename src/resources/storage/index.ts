import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../shared/in-version.js';
import { csiDriver } from './csi-driver.js';
import { csiNode } from './csi-node.js';
import { csiStorageCapacity } from './csi-storage-capacity.js';
import { storageClass } from './storage-class.js';
import { volumeAttachment } from './volume-attachment.js';
import { volumeAttributesClass } from './volume-attributes-class.js';

export type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment } from './storage-v1.types.js';
export type { VolumeAttributesClass } from './storage-v1beta1.types.js';
export { csiDriver, csiNode, csiStorageCapacity, storageClass, volumeAttachment, volumeAttributesClass };

/** VolumeAttributesClass in an older version. */
export const volumeAttributesClassV1alpha1 = inVersion(volumeAttributesClass, { version: 'v1alpha1' });

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

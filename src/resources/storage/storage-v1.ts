import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { StorageV1 } from './storage-v1.types.js';

/** The structs of storage/v1. */
export const storageV1 = /* @__PURE__ */ fieldTable<StorageV1>(
  'io.k8s.api.storage.v1',
  { core: coreV1, meta: metaV1 },
  `
VolumeBindingMode = string {Immediate | WaitForFirstConsumer}
VolumeLifecycleMode = string
FSGroupPolicy = string

StorageClass kind                                               Describes how volumes are provisioned.
  provisioner           2  string!                              The provisioner of the volumes.
  parameters            3  map(string)?                         Parameters for the provisioner.
  reclaimPolicy         4  core.PersistentVolumeReclaimPolicy*  The reclaim policy after the deletion of the claim: Delete or Retain.
  mountOptions          5  []string atomic?                     Options for mounting.
  allowVolumeExpansion  6  bool*                                Whether claims can be expanded.
  volumeBindingMode     7  VolumeBindingMode*                   When volumes are bound: Immediate or WaitForFirstConsumer.
  allowedTopologies     8  []core.TopologySelectorTerm atomic?  Restricts where volumes are provisioned.

VolumeAttachment kind                A volume attached to a node.
  spec    2  VolumeAttachmentSpec!   The volume and the node; immutable.
  status  3  VolumeAttachmentStatus  Whether it is attached.

VolumeAttachmentSpec                    The volume and the node.
  attacher  1  string!                  The driver that attaches the volume.
  source    2  VolumeAttachmentSource!  The volume.
  nodeName  3  string!                  The node.

VolumeAttachmentSource                                 The volume: one of two fields.
  persistentVolumeName  1  string*                     Name of a persistent volume.
  inlineVolumeSpec      2  core.PersistentVolumeSpec*  A volume that a pod describes.

VolumeAttachmentStatus                 Whether it is attached.
  attached            1  bool!         Whether it is attached.
  attachmentMetadata  2  map(string)?  Information for mounting the volume.
  attachError         3  VolumeError*  The last error in attaching.
  detachError         4  VolumeError*  The last error in detaching.

VolumeError            An error.
  time     1  Time     When the error occurred.
  message  2  string?  The error message.

CSIDriver kind             A storage driver of the cluster.
  spec  2  CSIDriverSpec!  The requirements and capabilities of the driver.

CSIDriverSpec                                          The requirements and capabilities of the driver.
  attachRequired        1  bool*                       Whether volumes are attached before they are mounted; immutable.
  podInfoOnMount        2  bool*                       Whether it receives information about the pod.
  volumeLifecycleModes  3  []VolumeLifecycleMode set?  Persistent, Ephemeral or both; immutable.
  storageCapacity       4  bool*                       Whether scheduling considers the storage capacity.
  fsGroupPolicy         5  FSGroupPolicy*              When the group of a volume's files is changed.
  tokenRequests         6  []TokenRequest atomic?      Tokens of the pod that it receives.
  requiresRepublish     7  bool*                       Whether volumes are published periodically.
  seLinuxMount          8  bool*                       Whether it mounts with SELinux labels.

TokenRequest                     A token that the driver receives.
  audience           1  string!  The audience of the token.
  expirationSeconds  2  int64*   The validity in seconds.

CSINode kind             The storage drivers on a node.
  spec  2  CSINodeSpec!  The drivers of the node.

CSINodeSpec                                              The drivers of a node.
  drivers  1  []CSINodeDriver by(name)! merge key(name)  The drivers, each of which is immutable.

CSINodeDriver                            A driver on a node.
  name          1  string!               Name of the driver.
  nodeID        2  string!               The id of the node for the driver.
  topologyKeys  3  []string atomic       Labels of the node that describe the driver's topology.
  allocatable   4  VolumeNodeResources*  The maximum number of volumes on the node.

VolumeNodeResources  The volume limits of a node.
  count  1  int32*  The maximum number of volumes.

CSIStorageCapacity kind                      The available capacity of a storage class in a topology segment.
  nodeTopology       2  meta.LabelSelector*  The nodes with access to the storage; immutable.
  storageClassName   3  string!              Class of the storage; immutable.
  capacity           4  Quantity*            The available capacity.
  maximumVolumeSize  5  Quantity*            The maximum size of a volume.
`,
);

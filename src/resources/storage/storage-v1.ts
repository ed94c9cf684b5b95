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

StorageClass kind                                               How volumes are made on demand.
  provisioner           2  string!                              The program that makes them.
  parameters            3  map(string)?                         Parameters for that program.
  reclaimPolicy         4  core.PersistentVolumeReclaimPolicy*  What becomes of a volume whose claim is gone: Delete or Retain.
  mountOptions          5  []string atomic?                     Options for mounting.
  allowVolumeExpansion  6  bool*                                Whether claims may grow.
  volumeBindingMode     7  VolumeBindingMode*                   When a volume is made: Immediate or WaitForFirstConsumer.
  allowedTopologies     8  []core.TopologySelectorTerm atomic?  Where volumes may be made.

VolumeAttachment kind                A volume attached to a node.
  spec    2  VolumeAttachmentSpec!   What is attached where; fixed.
  status  3  VolumeAttachmentStatus  Whether it is attached.

VolumeAttachmentSpec                    What is attached where.
  attacher  1  string!                  The driver that attaches it.
  source    2  VolumeAttachmentSource!  The volume.
  nodeName  3  string!                  The node.

VolumeAttachmentSource                                 The volume: one of two.
  persistentVolumeName  1  string*                     Name of a persistent volume.
  inlineVolumeSpec      2  core.PersistentVolumeSpec*  A volume that a pod describes.

VolumeAttachmentStatus                 Whether it is attached.
  attached            1  bool!         Whether it is attached.
  attachmentMetadata  2  map(string)?  What has to be known to mount it.
  attachError         3  VolumeError*  The last error in attaching.
  detachError         4  VolumeError*  The last error in detaching.

VolumeError            What went wrong.
  time     1  Time     When it did.
  message  2  string?  What it was.

CSIDriver kind             A storage driver of the cluster.
  spec  2  CSIDriverSpec!  What the driver needs and can do.

CSIDriverSpec                                          What the driver needs and can do.
  attachRequired        1  bool*                       Whether volumes are attached before they are mounted; fixed.
  podInfoOnMount        2  bool*                       Whether it learns of the pod.
  volumeLifecycleModes  3  []VolumeLifecycleMode set?  Persistent, Ephemeral or both; fixed.
  storageCapacity       4  bool*                       Whether pods are placed by the storage that is left.
  fsGroupPolicy         5  FSGroupPolicy*              When a volume's group is changed.
  tokenRequests         6  []TokenRequest atomic?      Tokens of the pod that it gets.
  requiresRepublish     7  bool*                       Whether volumes are published again and again.
  seLinuxMount          8  bool*                       Whether it mounts with SELinux labels.

TokenRequest                     A token that the driver gets.
  audience           1  string!  Who the token is for.
  expirationSeconds  2  int64*   How long it is good for.

CSINode kind             The storage drivers on a node.
  spec  2  CSINodeSpec!  The drivers of the node.

CSINodeSpec                                              The drivers of a node.
  drivers  1  []CSINodeDriver by(name)! merge key(name)  The drivers; each is fixed once it is there.

CSINodeDriver                            A driver on a node.
  name          1  string!               Name of the driver.
  nodeID        2  string!               What the driver calls the node.
  topologyKeys  3  []string atomic       Labels of the node that the driver knows.
  allocatable   4  VolumeNodeResources*  What the node has room for.

VolumeNodeResources  What a node has room for.
  count  1  int32*  How many volumes.

CSIStorageCapacity kind                      What a class of storage has left in a place.
  nodeTopology       2  meta.LabelSelector*  The nodes it can be reached from; fixed.
  storageClassName   3  string!              Class of the storage; fixed.
  capacity           4  Quantity*            How much is left.
  maximumVolumeSize  5  Quantity*            How large one volume can be.
`,
);

/** The core/v1 structs of volumes and claims, as input of `fieldTable`. */
export const volumes = `
PersistentVolume kind                A piece of storage of the cluster.
  spec    2  PersistentVolumeSpec    The location and usage of the volume.
  status  3  PersistentVolumeStatus  The current phase.

PersistentVolumeSpec                                                         The location and usage of a volume.
  capacity                          1  ResourceList*                         The capacity.
  gcePersistentDisk               2.1  GCEPersistentDiskVolumeSource*        A disk of Google Compute Engine.
  awsElasticBlockStore            2.2  AWSElasticBlockStoreVolumeSource*     A disk of Amazon's block store.
  hostPath                        2.3  HostPathVolumeSource*                 A file or folder of the node.
  glusterfs                       2.4  GlusterfsPersistentVolumeSource*      A Glusterfs volume.
  nfs                             2.5  NFSVolumeSource*                      A folder of a network file server.
  rbd                             2.6  RBDPersistentVolumeSource*            A Ceph block device.
  iscsi                           2.7  ISCSIPersistentVolumeSource*          A disk reached over iSCSI.
  cinder                          2.8  CinderPersistentVolumeSource*         An OpenStack disk.
  cephfs                          2.9  CephFSPersistentVolumeSource*         A Ceph file system.
  fc                             2.10  FCVolumeSource*                       A fibre channel disk.
  flocker                        2.11  FlockerVolumeSource*                  A Flocker volume.
  flexVolume                     2.12  FlexPersistentVolumeSource*           A volume of a plug-in command.
  azureFile                      2.13  AzureFilePersistentVolumeSource*      An Azure file share.
  vsphereVolume                  2.14  VsphereVirtualDiskVolumeSource*       A vSphere disk.
  quobyte                        2.15  QuobyteVolumeSource*                  A Quobyte volume.
  azureDisk                      2.16  AzureDiskVolumeSource*                An Azure disk.
  photonPersistentDisk           2.17  PhotonPersistentDiskVolumeSource*     A Photon disk.
  portworxVolume                 2.18  PortworxVolumeSource*                 A Portworx volume.
  scaleIO                        2.19  ScaleIOPersistentVolumeSource*        A ScaleIO volume.
  local                          2.20  LocalVolumeSource*                    A disk of a node.
  storageos                      2.21  StorageOSPersistentVolumeSource*      A StorageOS volume.
  csi                            2.22  CSIPersistentVolumeSource*            A volume of a storage driver.
  accessModes                       3  []PersistentVolumeAccessMode atomic?  The access modes.
  claimRef                          4  ObjectReference granular*             The claim that the volume is bound to.
  persistentVolumeReclaimPolicy     5  PersistentVolumeReclaimPolicy?        The reclaim policy after the deletion of the claim: Delete, Recycle or Retain.
  storageClassName                  6  string?                               Its class.
  mountOptions                      7  []string atomic?                      Options for mounting.
  volumeMode                        8  PersistentVolumeMode*                 Filesystem or Block.
  nodeAffinity                      9  VolumeNodeAffinity*                   The nodes with access to the volume.
  volumeAttributesClassName        10  string*                               The class of its volume attributes.

VolumeNodeAffinity            The nodes with access to a volume.
  required  1  NodeSelector*  The requirements on nodes.

PersistentVolumeStatus                                The observed state of a volume.
  phase                    1  PersistentVolumePhase?  Pending, Available, Bound, Released or Failed.
  message                  2  string?                 The reason for the phase, for people.
  reason                   3  string?                 The reason for the phase, in one word.
  lastPhaseTransitionTime  4  Time*                   When the phase last changed.

PersistentVolumeClaim kind                A request for storage.
  spec    2  PersistentVolumeClaimSpec    The requested storage.
  status  3  PersistentVolumeClaimStatus  The current phase.

PersistentVolumeClaimSpec                                             The requested storage.
  accessModes                1  []PersistentVolumeAccessMode atomic?  The requested access modes.
  selector                   4  meta.LabelSelector*                   Selects volumes.
  resources                  2  VolumeResourceRequirements            The requested amount.
  volumeName                 3  string?                               Name of the bound volume.
  storageClassName           5  string*                               Class of the storage.
  volumeMode                 6  PersistentVolumeMode*                 Filesystem or Block.
  dataSource                 7  TypedLocalObjectReference*            The initial content of the volume.
  dataSourceRef              8  TypedObjectReference*                 The initial content of the volume, from an object of any kind.
  volumeAttributesClassName  9  string*                               The class of its volume attributes.

PersistentVolumeClaimStatus                                                          The observed state of a claim.
  phase                             1  PersistentVolumeClaimPhase?                   Pending, Bound or Lost.
  accessModes                       2  []PersistentVolumeAccessMode atomic?          The access modes of the volume.
  capacity                          3  ResourceList?                                 The capacity of the volume.
  conditions                        4  []PersistentVolumeClaimCondition by(type)? merge key(type)  The conditions.
  allocatedResources                5  ResourceList?                                 The requested capacity of the volume.
  allocatedResourceStatuses         7  ClaimResourceStatuses?                        The progress of the expansion.
  currentVolumeAttributesClassName  8  string*                                       The current class of its volume attributes.
  modifyVolumeStatus                9  ModifyVolumeStatus*                           The progress of a change of attributes.

PersistentVolumeClaimCondition                                A condition of a claim.
  type                1  PersistentVolumeClaimConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!                True, False or Unknown.
  lastProbeTime       3  Time                                 When it was last checked.
  lastTransitionTime  4  Time                                 When its status last changed.
  reason              5  string?                              The reason, in one word.
  message             6  string?                              The reason, for people.

ModifyVolumeStatus                                                              The progress of a change of attributes.
  targetVolumeAttributesClassName  1  string?                                   The requested class.
  status                           2  PersistentVolumeClaimModifyVolumeStatus!  Pending, InProgress or Infeasible.

Volume                                                             A folder that containers can mount.
  name                      1  string!                             Name of the volume; unique in the pod.
  hostPath                2.1  HostPathVolumeSource*               A file or folder of the node.
  emptyDir                2.2  EmptyDirVolumeSource*               A folder that lives as long as the pod.
  gcePersistentDisk       2.3  GCEPersistentDiskVolumeSource*      A disk of Google Compute Engine.
  awsElasticBlockStore    2.4  AWSElasticBlockStoreVolumeSource*   A disk of Amazon's block store.
  gitRepo                 2.5  GitRepoVolumeSource*                A clone of a git repository.
  secret                  2.6  SecretVolumeSource*                 The data of a secret.
  nfs                     2.7  NFSVolumeSource*                    A folder of a network file server.
  iscsi                   2.8  ISCSIVolumeSource*                  A disk reached over iSCSI.
  glusterfs               2.9  GlusterfsVolumeSource*              A Glusterfs volume.
  persistentVolumeClaim  2.10  PersistentVolumeClaimVolumeSource*  The volume bound to a claim.
  rbd                    2.11  RBDVolumeSource*                    A Ceph block device.
  flexVolume             2.12  FlexVolumeSource*                   A volume of a plug-in command.
  cinder                 2.13  CinderVolumeSource*                 An OpenStack disk.
  cephfs                 2.14  CephFSVolumeSource*                 A Ceph file system.
  flocker                2.15  FlockerVolumeSource*                A Flocker volume.
  downwardAPI            2.16  DownwardAPIVolumeSource*            Fields of the pod.
  fc                     2.17  FCVolumeSource*                     A fibre channel disk.
  azureFile              2.18  AzureFileVolumeSource*              An Azure file share.
  configMap              2.19  ConfigMapVolumeSource*              The data of a config map.
  vsphereVolume          2.20  VsphereVirtualDiskVolumeSource*     A vSphere disk.
  quobyte                2.21  QuobyteVolumeSource*                A Quobyte volume.
  azureDisk              2.22  AzureDiskVolumeSource*              An Azure disk.
  photonPersistentDisk   2.23  PhotonPersistentDiskVolumeSource*   A Photon disk.
  projected              2.26  ProjectedVolumeSource*              Several sources in one folder.
  portworxVolume         2.24  PortworxVolumeSource*               A Portworx volume.
  scaleIO                2.25  ScaleIOVolumeSource*                A ScaleIO volume.
  storageos              2.27  StorageOSVolumeSource*              A StorageOS volume.
  csi                    2.28  CSIVolumeSource*                    A volume of a storage driver.
  ephemeral              2.29  EphemeralVolumeSource*              A volume that is created for the pod.
  image                  2.30  ImageVolumeSource*                  The content of an image.

KeyToPath           Maps a key to a file.
  key   1  string!  The key.
  path  2  string!  File, relative to the mount.
  mode  3  int32*   Permission bits of the file.

DownwardAPIVolumeFile                          A file with a field of the pod.
  path              1  string!                 File, relative to the mount.
  fieldRef          2  ObjectFieldSelector*    A field of the pod.
  resourceFieldRef  3  ResourceFieldSelector*  A resource amount of a container.
  mode              4  int32*                  Permission bits of the file.

PersistentVolumeClaimTemplate              A template of a claim for the pod.
  metadata  1  meta.ObjectMeta             Labels and annotations of the claim.
  spec      2  PersistentVolumeClaimSpec!  The requested storage.

VolumeMount                                     Where a volume is mounted.
  name               1  string!                 Name of the volume.
  readOnly           2  bool?                   Whether it is read-only.
  recursiveReadOnly  7  RecursiveReadOnlyMode*  Whether mounts below it are read-only too.
  mountPath          3  string!                 Path in the container.
  subPath            4  string?                 Path in the volume.
  mountPropagation   5  MountPropagationMode*   How mounts are propagated.
  subPathExpr        6  string?                 Path in the volume, with variables.

VolumeDevice              Path of a raw block device.
  name        1  string!  Name of the claim's volume.
  devicePath  2  string!  Path in the container.

VolumeMountStatus                               The state of a mounted volume.
  name               1  string!                 Name of the volume.
  mountPath          2  string!                 Path in the container.
  readOnly           3  bool?                   Whether it is read-only.
  recursiveReadOnly  4  RecursiveReadOnlyMode*  Whether mounts below it are read-only too.

AttachedVolume                      A volume attached to a node.
  name        1  UniqueVolumeName!  Name of the volume.
  devicePath  2  string!            Path of the device.

`;

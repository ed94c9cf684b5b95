/** The core/v1 structs of volume sources, as input of `fieldTable`. */
export const volumeSources = `
GCEPersistentDiskVolumeSource  A disk of Google Compute Engine.
  pdName     1  string!  Name of the disk.
  fsType     2  string?  File system.
  partition  3  int32?   Partition to mount.
  readOnly   4  bool?    Whether it is read-only.

AWSElasticBlockStoreVolumeSource  A disk of Amazon's block store.
  volumeID   1  string!  Id of the disk.
  fsType     2  string?  File system.
  partition  3  int32?   Partition to mount.
  readOnly   4  bool?    Whether it is read-only.

HostPathVolumeSource      A file or folder of the node.
  path  1  string!        Path on the node.
  type  2  HostPathType*  What must be at the path.

GlusterfsPersistentVolumeSource   A Glusterfs volume.
  endpoints           1  string!  The endpoints of the servers.
  path                2  string!  Name of the volume.
  readOnly            3  bool?    Whether it is read-only.
  endpointsNamespace  4  string*  Namespace of the endpoints; default that of the claim.

NFSVolumeSource         A folder of a network file server.
  server    1  string!  Host of the server.
  path      2  string!  Path on the server.
  readOnly  3  bool?    Whether it is read-only.

RBDPersistentVolumeSource                   A Ceph block device.
  monitors   1  []string atomic!            Addresses of the monitors.
  image      2  string!                     Name of the image.
  fsType     3  string?                     Its file system.
  pool       4  string? =rbd                Pool of the image.
  user       5  string? =admin              User of the storage.
  keyring    6  string? =/etc/ceph/keyring  The file with its key.
  secretRef  7  SecretReference*            The secret with its key.
  readOnly   8  bool?                       Whether it is read-only.

ISCSIPersistentVolumeSource                A disk reached over iSCSI.
  targetPortal        1  string!           Address of the target.
  iqn                 2  string!           Name of the target.
  lun                 3  int32!            Number of the disk.
  iscsiInterface      4  string? =default  Name of the interface.
  fsType              5  string?           Its file system.
  readOnly            6  bool?             Whether it is read-only.
  portals             7  []string atomic?  Further addresses.
  chapAuthDiscovery   8  bool?             Whether discovery is authenticated.
  chapAuthSession    11  bool?             Whether sessions are authenticated.
  secretRef          10  SecretReference*  The secret for both.
  initiatorName      12  string*           Name of the initiator.

CinderPersistentVolumeSource      An OpenStack disk.
  volumeID   1  string!           Id of the disk.
  fsType     2  string?           Its file system.
  readOnly   3  bool?             Whether it is read-only.
  secretRef  4  SecretReference*  The secret with the parameters of the cloud.

CephFSPersistentVolumeSource       A Ceph file system.
  monitors    1  []string atomic!  Addresses of the monitors.
  path        2  string?           The folder to mount.
  user        3  string?           User of the storage.
  secretFile  4  string?           The file with its key.
  secretRef   5  SecretReference*  The secret with its key.
  readOnly    6  bool?             Whether it is read-only.

FCVolumeSource                     A fibre channel disk.
  targetWWNs  1  []string atomic?  Names of the targets.
  lun         2  int32*            Number of the unit.
  fsType      3  string?           File system.
  readOnly    4  bool?             Whether it is read-only.
  wwids       5  []string atomic?  Names of the disk.

FlockerVolumeSource        A Flocker volume.
  datasetName  1  string?  Name of the data set.
  datasetUUID  2  string?  Id of the data set.

FlexPersistentVolumeSource        A volume of a plug-in command.
  driver     1  string!           Name of the command.
  fsType     2  string?           Its file system.
  secretRef  3  SecretReference*  A secret for the command.
  readOnly   4  bool?             Whether it is read-only.
  options    5  map(string)?      Options of the command.

AzureFilePersistentVolumeSource  An Azure file share.
  secretName       1  string!  The secret with the name and key of the account.
  shareName        2  string!  Name of the share.
  readOnly         3  bool?    Whether it is read-only.
  secretNamespace  4  string~  Namespace of the secret; default that of the claim.

VsphereVirtualDiskVolumeSource   A vSphere disk.
  volumePath         1  string!  Path of the disk.
  fsType             2  string?  File system.
  storagePolicyName  3  string?  Name of the storage policy.
  storagePolicyID    4  string?  Id of the storage policy.

QuobyteVolumeSource     A Quobyte volume.
  registry  1  string!  Addresses of the registry.
  volume    2  string!  Name of the volume.
  readOnly  3  bool?    Whether it is read-only.
  user      4  string?  User name.
  group     5  string?  Group name.
  tenant    6  string?  Tenant.

AzureDiskVolumeSource                                   An Azure disk.
  diskName     1  string!                               Name of the disk.
  diskURI      2  string!                               Address of the disk.
  cachingMode  3  AzureDataDiskCachingMode* =ReadWrite  The caching mode of the host.
  fsType       4  string* =ext4                         File system.
  readOnly     5  bool* =false                          Whether it is read-only.
  kind         6  AzureDataDiskKind* =Shared            Kind of the disk.

PhotonPersistentDiskVolumeSource  A Photon disk.
  pdID    1  string!  Id of the disk.
  fsType  2  string?  File system.

PortworxVolumeSource    A Portworx volume.
  volumeID  1  string!  Id of the volume.
  fsType    2  string?  File system.
  readOnly  3  bool?    Whether it is read-only.

ScaleIOPersistentVolumeSource                      A ScaleIO volume.
  gateway            1  string!                    Address of the gateway.
  system             2  string!                    Name of the system.
  secretRef          3  SecretReference~ required  The secret with the user and password.
  sslEnabled         4  bool?                      Whether the gateway is reached over TLS.
  protectionDomain   5  string?                    Protection domain of the storage.
  storagePool        6  string?                    Pool of the storage.
  storageMode        7  string? =ThinProvisioned   ThickProvisioned or ThinProvisioned.
  volumeName         8  string?                    Name of the volume.
  fsType             9  string? =xfs               Its file system.
  readOnly          10  bool?                      Whether it is read-only.

LocalVolumeSource     A disk of a node.
  path    1  string!  The path on the node.
  fsType  2  string*  Its file system.

StorageOSPersistentVolumeSource         A StorageOS volume.
  volumeName       1  string?           Name of the volume.
  volumeNamespace  2  string?           The scope of the volume in StorageOS.
  fsType           3  string?           Its file system.
  readOnly         4  bool?             Whether it is read-only.
  secretRef        5  ObjectReference*  The secret with the credentials.

CSIPersistentVolumeSource                           A volume of a storage driver.
  driver                       1  string!           Name of the driver.
  volumeHandle                 2  string!           The id of the volume for the driver.
  readOnly                     3  bool?             Whether it is read-only.
  fsType                       4  string?           Its file system.
  volumeAttributes             5  map(string)?      Parameters for the driver.
  controllerPublishSecretRef   6  SecretReference*  A secret for attaching.
  nodeStageSecretRef           7  SecretReference*  A secret for mounting on the node.
  nodePublishSecretRef         8  SecretReference*  A secret for mounting into pods.
  controllerExpandSecretRef    9  SecretReference*  A secret for expansion.
  nodeExpandSecretRef         10  SecretReference*  A secret for expansion on the node.

EmptyDirVolumeSource            A folder that lives as long as the pod.
  medium     1  StorageMedium?  The storage medium: empty for the node's disk, or Memory.
  sizeLimit  2  Quantity*       The largest size.

GitRepoVolumeSource       A clone of a git repository; deprecated.
  repository  1  string!  Address of the repository.
  revision    2  string?  Commit.
  directory   3  string?  Folder to clone into.

SecretVolumeSource                     The data of a secret as files.
  secretName   1  string?              Name of the secret.
  items        2  []KeyToPath atomic?  The keys to project; default all.
  defaultMode  3  int32*               Permission bits of the files.
  optional     4  bool*                Whether the secret or its keys may be missing.

ISCSIVolumeSource                               A disk reached over iSCSI.
  targetPortal        1  string!                Address of the target.
  iqn                 2  string!                Name of the target.
  lun                 3  int32!                 Number of the unit.
  iscsiInterface      4  string?                Interface name.
  fsType              5  string?                File system.
  readOnly            6  bool?                  Whether it is read-only.
  portals             7  []string atomic?       More addresses of the target.
  chapAuthDiscovery   8  bool?                  Whether discovery is authenticated.
  chapAuthSession    11  bool?                  Whether sessions are authenticated.
  secretRef          10  LocalObjectReference*  Secret with the credentials.
  initiatorName      12  string*                Name of the initiator.

GlusterfsVolumeSource    A Glusterfs volume.
  endpoints  1  string!  Name of the endpoints.
  path       2  string!  Name of the volume.
  readOnly   3  bool?    Whether it is read-only.

PersistentVolumeClaimVolumeSource  The volume bound to a claim.
  claimName  1  string!  Name of the claim.
  readOnly   2  bool?    Whether it is read-only.

RBDVolumeSource                             A Ceph block device.
  monitors   1  []string atomic!            Addresses of the monitors.
  image      2  string!                     Name of the image.
  fsType     3  string?                     File system.
  pool       4  string? =rbd                Name of the pool.
  user       5  string? =admin              User name.
  keyring    6  string? =/etc/ceph/keyring  Path of the key ring.
  secretRef  7  LocalObjectReference*       Secret with the credentials.
  readOnly   8  bool?                       Whether it is read-only.

FlexVolumeSource                       A volume of a plug-in command.
  driver     1  string!                Name of the driver.
  fsType     2  string?                File system.
  secretRef  3  LocalObjectReference*  Secret with the credentials.
  readOnly   4  bool?                  Whether it is read-only.
  options    5  map(string)?           Parameters for the driver.

CinderVolumeSource                     An OpenStack disk.
  volumeID   1  string!                Id of the disk.
  fsType     2  string?                File system.
  readOnly   3  bool?                  Whether it is read-only.
  secretRef  4  LocalObjectReference*  Secret with the credentials.

CephFSVolumeSource                      A Ceph file system.
  monitors    1  []string atomic!       Addresses of the monitors.
  path        2  string?                Root to mount.
  user        3  string?                User name.
  secretFile  4  string?                Path of the key ring.
  secretRef   5  LocalObjectReference*  Secret with the credentials.
  readOnly    6  bool?                  Whether it is read-only.

DownwardAPIVolumeSource                            Fields of the pod as files.
  items        1  []DownwardAPIVolumeFile atomic?  The files.
  defaultMode  2  int32*                           Permission bits of the files.

AzureFileVolumeSource     An Azure file share.
  secretName  1  string!  Secret with the credentials.
  shareName   2  string!  Name of the share.
  readOnly    3  bool?    Whether it is read-only.

ConfigMapVolumeSource                    The data of a config map as files.
  name         1.1  string? =""          Name of the config map.
  items          2  []KeyToPath atomic?  The keys to project; default all.
  defaultMode    3  int32*               Permission bits of the files.
  optional       4  bool*                Whether the config map or its keys may be missing.

ProjectedVolumeSource                         Several sources in one folder.
  sources      1  []VolumeProjection atomic?  The sources.
  defaultMode  2  int32*                      Permission bits of the files.

VolumeProjection                                          One source of a projected volume.
  secret               1  SecretProjection*               Keys of a secret.
  downwardAPI          2  DownwardAPIProjection*          Fields of the pod.
  configMap            3  ConfigMapProjection*            Keys of a config map.
  serviceAccountToken  4  ServiceAccountTokenProjection*  A token of the pod's account.
  clusterTrustBundle   5  ClusterTrustBundleProjection*   Trust anchors of the cluster.

SecretProjection                      Keys of a secret.
  name      1.1  string? =""          Name of the secret.
  items       2  []KeyToPath atomic?  The keys to project; default all.
  optional    4  bool*                Whether the secret or its keys may be missing.

DownwardAPIProjection                        Fields of the pod.
  items  1  []DownwardAPIVolumeFile atomic?  The files.

ConfigMapProjection                   Keys of a config map.
  name      1.1  string? =""          Name of the config map.
  items       2  []KeyToPath atomic?  The keys to project; default all.
  optional    4  bool*                Whether the config map or its keys may be missing.

ServiceAccountTokenProjection    A token of the pod's account.
  audience           1  string?  Audiences of the token.
  expirationSeconds  2  int64*   Its validity, in seconds.
  path               3  string!  File, relative to the mount.

ClusterTrustBundleProjection             Trust anchors of the cluster.
  name           1  string*              Name of one bundle.
  signerName     2  string*              Signer of the bundles.
  labelSelector  3  meta.LabelSelector*  Selects bundles of the signer.
  optional       5  bool*                Whether the bundles may be missing.
  path           4  string!              File, relative to the mount.

ScaleIOVolumeSource                                     A ScaleIO volume.
  gateway            1  string!                         Address of the gateway.
  system             2  string!                         Name of the system.
  secretRef          3  LocalObjectReference~ required  Secret with the credentials.
  sslEnabled         4  bool?                           Whether the gateway is reached over TLS.
  protectionDomain   5  string?                         Name of the protection domain.
  storagePool        6  string?                         Name of the pool.
  storageMode        7  string? =ThinProvisioned        Thick or thin.
  volumeName         8  string?                         Name of the volume.
  fsType             9  string? =xfs                    File system.
  readOnly          10  bool?                           Whether it is read-only.

StorageOSVolumeSource                        A StorageOS volume.
  volumeName       1  string?                Name of the volume.
  volumeNamespace  2  string?                Scope of the name.
  fsType           3  string?                File system.
  readOnly         4  bool?                  Whether it is read-only.
  secretRef        5  LocalObjectReference*  Secret with the credentials.

CSIVolumeSource                                   A volume of a storage driver.
  driver                1  string!                Name of the driver.
  readOnly              2  bool*                  Whether it is read-only.
  fsType                3  string*                File system.
  volumeAttributes      4  map(string)?           Parameters for the driver.
  nodePublishSecretRef  5  LocalObjectReference*  Secret with the credentials.

EphemeralVolumeSource                                     A volume that is created for the pod.
  volumeClaimTemplate  1  PersistentVolumeClaimTemplate*  The template of the claim.

ImageVolumeSource             The content of an image.
  reference   1  string?      Name of the image.
  pullPolicy  2  PullPolicy?  When to pull the image.

`;

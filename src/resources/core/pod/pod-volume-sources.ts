import { listAtomic, map, omitEmpty, omitNull, required, string } from '../../../schema/authoring.js';
import { coreStruct, count, flag, text } from '../../fragments/core-struct.js';
import { localObjectReference } from '../../fragments/object-reference.js';

export const gcePersistentDiskVolumeSource = coreStruct(
  'GCEPersistentDiskVolumeSource',
  'A disk of Google Compute Engine.',
  {
    pdName: required(text, 'Name of the disk.'),
    fsType: omitEmpty(text, 'File system.'),
    partition: omitEmpty(count, 'Partition to mount.'),
    readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  },
);

export const awsElasticBlockStoreVolumeSource = coreStruct(
  'AWSElasticBlockStoreVolumeSource',
  "A disk of Amazon's block store.",
  {
    volumeID: required(text, 'Id of the disk.'),
    fsType: omitEmpty(text, 'File system.'),
    partition: omitEmpty(count, 'Partition to mount.'),
    readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  },
);

export const gitRepoVolumeSource = coreStruct('GitRepoVolumeSource', 'A clone of a git repository; deprecated.', {
  repository: required(text, 'Address of the repository.'),
  revision: omitEmpty(text, 'Commit.'),
  directory: omitEmpty(text, 'Folder to clone into.'),
});

export const nfsVolumeSource = coreStruct('NFSVolumeSource', 'A folder of a network file server.', {
  server: required(text, 'Host of the server.'),
  path: required(text, 'Path on the server.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const iscsiVolumeSource = coreStruct('ISCSIVolumeSource', 'A disk reached over iSCSI.', {
  targetPortal: required(text, 'Address of the target.'),
  iqn: required(text, 'Name of the target.'),
  lun: required(count, 'Number of the unit.'),
  iscsiInterface: omitEmpty(text, 'Interface name.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  portals: omitEmpty(listAtomic(text), 'More addresses of the target.'),
  chapAuthDiscovery: omitEmpty(flag, 'Whether discovery is authenticated.'),
  chapAuthSession: omitEmpty(flag, 'Whether sessions are authenticated.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
  initiatorName: omitNull(text, 'Name of the initiator.'),
});

export const glusterfsVolumeSource = coreStruct('GlusterfsVolumeSource', 'A Glusterfs volume.', {
  endpoints: required(text, 'Name of the endpoints.'),
  path: required(text, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const rbdVolumeSource = coreStruct('RBDVolumeSource', 'A Ceph block device.', {
  monitors: required(listAtomic(text), 'Addresses of the monitors.'),
  image: required(text, 'Name of the image.'),
  fsType: omitEmpty(text, 'File system.'),
  pool: omitEmpty(text, 'Name of the pool.'),
  user: omitEmpty(text, 'User name.'),
  keyring: omitEmpty(text, 'Path of the key ring.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const flexVolumeSource = coreStruct('FlexVolumeSource', 'A volume of a plug-in command.', {
  driver: required(text, 'Name of the driver.'),
  fsType: omitEmpty(text, 'File system.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  options: omitEmpty(map(text), 'Parameters for the driver.'),
});

export const cinderVolumeSource = coreStruct('CinderVolumeSource', 'An OpenStack disk.', {
  volumeID: required(text, 'Id of the disk.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
});

export const cephFSVolumeSource = coreStruct('CephFSVolumeSource', 'A Ceph file system.', {
  monitors: required(listAtomic(text), 'Addresses of the monitors.'),
  path: omitEmpty(text, 'Root to mount.'),
  user: omitEmpty(text, 'User name.'),
  secretFile: omitEmpty(text, 'Path of the key ring.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const flockerVolumeSource = coreStruct('FlockerVolumeSource', 'A Flocker volume.', {
  datasetName: omitEmpty(text, 'Name of the data set.'),
  datasetUUID: omitEmpty(text, 'Id of the data set.'),
});

export const fcVolumeSource = coreStruct('FCVolumeSource', 'A fibre channel disk.', {
  targetWWNs: omitEmpty(listAtomic(text), 'Names of the targets.'),
  lun: omitNull(count, 'Number of the unit.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  wwids: omitEmpty(listAtomic(text), 'Names of the disk.'),
});

export const azureFileVolumeSource = coreStruct('AzureFileVolumeSource', 'An Azure file share.', {
  secretName: required(text, 'Secret with the credentials.'),
  shareName: required(text, 'Name of the share.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const vsphereVirtualDiskVolumeSource = coreStruct('VsphereVirtualDiskVolumeSource', 'A vSphere disk.', {
  volumePath: required(text, 'Path of the disk.'),
  fsType: omitEmpty(text, 'File system.'),
  storagePolicyName: omitEmpty(text, 'Name of the storage policy.'),
  storagePolicyID: omitEmpty(text, 'Id of the storage policy.'),
});

export const quobyteVolumeSource = coreStruct('QuobyteVolumeSource', 'A Quobyte volume.', {
  registry: required(text, 'Addresses of the registry.'),
  volume: required(text, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  user: omitEmpty(text, 'User name.'),
  group: omitEmpty(text, 'Group name.'),
  tenant: omitEmpty(text, 'Tenant.'),
});

export const azureDiskVolumeSource = coreStruct('AzureDiskVolumeSource', 'An Azure disk.', {
  diskName: required(text, 'Name of the disk.'),
  diskURI: required(text, 'Address of the disk.'),
  cachingMode: omitNull(string({ typeName: 'v1.AzureDataDiskCachingMode' }), 'The caching mode of the host.'),
  fsType: omitNull(text, 'File system.'),
  readOnly: omitNull(flag, 'Whether it is read-only.'),
  kind: omitNull(string({ typeName: 'v1.AzureDataDiskKind' }), 'Kind of the disk.'),
});

export const photonPersistentDiskVolumeSource = coreStruct('PhotonPersistentDiskVolumeSource', 'A Photon disk.', {
  pdID: required(text, 'Id of the disk.'),
  fsType: omitEmpty(text, 'File system.'),
});

export const portworxVolumeSource = coreStruct('PortworxVolumeSource', 'A Portworx volume.', {
  volumeID: required(text, 'Id of the volume.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const scaleIOVolumeSource = coreStruct('ScaleIOVolumeSource', 'A ScaleIO volume.', {
  gateway: required(text, 'Address of the gateway.'),
  system: required(text, 'Name of the system.'),
  secretRef: required(localObjectReference, 'Secret with the credentials.'),
  sslEnabled: omitEmpty(flag, 'Whether the gateway is reached over TLS.'),
  protectionDomain: omitEmpty(text, 'Name of the protection domain.'),
  storagePool: omitEmpty(text, 'Name of the pool.'),
  storageMode: omitEmpty(text, 'Thick or thin.'),
  volumeName: omitEmpty(text, 'Name of the volume.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
});

export const storageOSVolumeSource = coreStruct('StorageOSVolumeSource', 'A StorageOS volume.', {
  volumeName: omitEmpty(text, 'Name of the volume.'),
  volumeNamespace: omitEmpty(text, 'Scope of the name.'),
  fsType: omitEmpty(text, 'File system.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  secretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
});

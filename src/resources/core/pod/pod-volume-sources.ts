import { listAtomic, map, omitEmpty, omitNull, orNull, required, string } from '../../../schema/authoring.js';
import { coreStruct, count, flag, text } from '../../fragments/core-struct.js';
import { localObjectReference } from '../../fragments/object-reference.js';

export const gcePersistentDiskVolumeSource = coreStruct(
  'GCEPersistentDiskVolumeSource',
  'A disk of Google Compute Engine.',
  () => ({
    pdName: required(text, 1, 'Name of the disk.'),
    fsType: omitEmpty(text, 2, 'File system.'),
    partition: omitEmpty(count, 3, 'Partition to mount.'),
    readOnly: omitEmpty(flag, 4, 'Whether it is read-only.'),
  }),
);

export const awsElasticBlockStoreVolumeSource = coreStruct(
  'AWSElasticBlockStoreVolumeSource',
  "A disk of Amazon's block store.",
  () => ({
    volumeID: required(text, 1, 'Id of the disk.'),
    fsType: omitEmpty(text, 2, 'File system.'),
    partition: omitEmpty(count, 3, 'Partition to mount.'),
    readOnly: omitEmpty(flag, 4, 'Whether it is read-only.'),
  }),
);

export const gitRepoVolumeSource = coreStruct(
  'GitRepoVolumeSource',
  'A clone of a git repository; deprecated.',
  () => ({
    repository: required(text, 1, 'Address of the repository.'),
    revision: omitEmpty(text, 2, 'Commit.'),
    directory: omitEmpty(text, 3, 'Folder to clone into.'),
  }),
);

export const nfsVolumeSource = coreStruct('NFSVolumeSource', 'A folder of a network file server.', () => ({
  server: required(text, 1, 'Host of the server.'),
  path: required(text, 2, 'Path on the server.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
}));

export const iscsiVolumeSource = coreStruct('ISCSIVolumeSource', 'A disk reached over iSCSI.', () => ({
  targetPortal: required(text, 1, 'Address of the target.'),
  iqn: required(text, 2, 'Name of the target.'),
  lun: required(count, 3, 'Number of the unit.'),
  iscsiInterface: omitEmpty(text, 4, 'Interface name.'),
  fsType: omitEmpty(text, 5, 'File system.'),
  readOnly: omitEmpty(flag, 6, 'Whether it is read-only.'),
  portals: omitEmpty(listAtomic(text), 7, 'More addresses of the target.'),
  chapAuthDiscovery: omitEmpty(flag, 8, 'Whether discovery is authenticated.'),
  chapAuthSession: omitEmpty(flag, 11, 'Whether sessions are authenticated.'),
  secretRef: omitNull(localObjectReference, 10, 'Secret with the credentials.'),
  initiatorName: omitNull(text, 12, 'Name of the initiator.'),
}));

export const glusterfsVolumeSource = coreStruct('GlusterfsVolumeSource', 'A Glusterfs volume.', () => ({
  endpoints: required(text, 1, 'Name of the endpoints.'),
  path: required(text, 2, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
}));

export const rbdVolumeSource = coreStruct('RBDVolumeSource', 'A Ceph block device.', () => ({
  monitors: required(listAtomic(text), 1, 'Addresses of the monitors.'),
  image: required(text, 2, 'Name of the image.'),
  fsType: omitEmpty(text, 3, 'File system.'),
  pool: omitEmpty(text, 4, 'Name of the pool.', { default: 'rbd' }),
  user: omitEmpty(text, 5, 'User name.', { default: 'admin' }),
  keyring: omitEmpty(text, 6, 'Path of the key ring.', { default: '/etc/ceph/keyring' }),
  secretRef: omitNull(localObjectReference, 7, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 8, 'Whether it is read-only.'),
}));

export const flexVolumeSource = coreStruct('FlexVolumeSource', 'A volume of a plug-in command.', () => ({
  driver: required(text, 1, 'Name of the driver.'),
  fsType: omitEmpty(text, 2, 'File system.'),
  secretRef: omitNull(localObjectReference, 3, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 4, 'Whether it is read-only.'),
  options: omitEmpty(map(text), 5, 'Parameters for the driver.'),
}));

export const cinderVolumeSource = coreStruct('CinderVolumeSource', 'An OpenStack disk.', () => ({
  volumeID: required(text, 1, 'Id of the disk.'),
  fsType: omitEmpty(text, 2, 'File system.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
  secretRef: omitNull(localObjectReference, 4, 'Secret with the credentials.'),
}));

export const cephFSVolumeSource = coreStruct('CephFSVolumeSource', 'A Ceph file system.', () => ({
  monitors: required(listAtomic(text), 1, 'Addresses of the monitors.'),
  path: omitEmpty(text, 2, 'Root to mount.'),
  user: omitEmpty(text, 3, 'User name.'),
  secretFile: omitEmpty(text, 4, 'Path of the key ring.'),
  secretRef: omitNull(localObjectReference, 5, 'Secret with the credentials.'),
  readOnly: omitEmpty(flag, 6, 'Whether it is read-only.'),
}));

export const flockerVolumeSource = coreStruct('FlockerVolumeSource', 'A Flocker volume.', () => ({
  datasetName: omitEmpty(text, 1, 'Name of the data set.'),
  datasetUUID: omitEmpty(text, 2, 'Id of the data set.'),
}));

export const fcVolumeSource = coreStruct('FCVolumeSource', 'A fibre channel disk.', () => ({
  targetWWNs: omitEmpty(listAtomic(text), 1, 'Names of the targets.'),
  lun: omitNull(count, 2, 'Number of the unit.'),
  fsType: omitEmpty(text, 3, 'File system.'),
  readOnly: omitEmpty(flag, 4, 'Whether it is read-only.'),
  wwids: omitEmpty(listAtomic(text), 5, 'Names of the disk.'),
}));

export const azureFileVolumeSource = coreStruct('AzureFileVolumeSource', 'An Azure file share.', () => ({
  secretName: required(text, 1, 'Secret with the credentials.'),
  shareName: required(text, 2, 'Name of the share.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
}));

export const vsphereVirtualDiskVolumeSource = coreStruct('VsphereVirtualDiskVolumeSource', 'A vSphere disk.', () => ({
  volumePath: required(text, 1, 'Path of the disk.'),
  fsType: omitEmpty(text, 2, 'File system.'),
  storagePolicyName: omitEmpty(text, 3, 'Name of the storage policy.'),
  storagePolicyID: omitEmpty(text, 4, 'Id of the storage policy.'),
}));

export const quobyteVolumeSource = coreStruct('QuobyteVolumeSource', 'A Quobyte volume.', () => ({
  registry: required(text, 1, 'Addresses of the registry.'),
  volume: required(text, 2, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
  user: omitEmpty(text, 4, 'User name.'),
  group: omitEmpty(text, 5, 'Group name.'),
  tenant: omitEmpty(text, 6, 'Tenant.'),
}));

export const azureDiskVolumeSource = coreStruct('AzureDiskVolumeSource', 'An Azure disk.', () => ({
  diskName: required(text, 1, 'Name of the disk.'),
  diskURI: required(text, 2, 'Address of the disk.'),
  cachingMode: omitNull(
    string({ typeName: 'v1.AzureDataDiskCachingMode', enum: ['None', 'ReadOnly', 'ReadWrite'] }),
    3,
    'The caching mode of the host.',
    { default: 'ReadWrite' },
  ),
  fsType: omitNull(text, 4, 'File system.', { default: 'ext4' }),
  readOnly: omitNull(flag, 5, 'Whether it is read-only.', { default: false }),
  kind: omitNull(
    string({ typeName: 'v1.AzureDataDiskKind', enum: ['Dedicated', 'Managed', 'Shared'] }),
    6,
    'Kind of the disk.',
    { default: 'Shared' },
  ),
}));

export const photonPersistentDiskVolumeSource = coreStruct(
  'PhotonPersistentDiskVolumeSource',
  'A Photon disk.',
  () => ({
    pdID: required(text, 1, 'Id of the disk.'),
    fsType: omitEmpty(text, 2, 'File system.'),
  }),
);

export const portworxVolumeSource = coreStruct('PortworxVolumeSource', 'A Portworx volume.', () => ({
  volumeID: required(text, 1, 'Id of the volume.'),
  fsType: omitEmpty(text, 2, 'File system.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
}));

export const scaleIOVolumeSource = coreStruct('ScaleIOVolumeSource', 'A ScaleIO volume.', () => ({
  gateway: required(text, 1, 'Address of the gateway.'),
  system: required(text, 2, 'Name of the system.'),
  secretRef: orNull(localObjectReference, 3, 'Secret with the credentials.', { required: true }),
  sslEnabled: omitEmpty(flag, 4, 'Whether the gateway is reached over TLS.'),
  protectionDomain: omitEmpty(text, 5, 'Name of the protection domain.'),
  storagePool: omitEmpty(text, 6, 'Name of the pool.'),
  storageMode: omitEmpty(text, 7, 'Thick or thin.', { default: 'ThinProvisioned' }),
  volumeName: omitEmpty(text, 8, 'Name of the volume.'),
  fsType: omitEmpty(text, 9, 'File system.', { default: 'xfs' }),
  readOnly: omitEmpty(flag, 10, 'Whether it is read-only.'),
}));

export const storageOSVolumeSource = coreStruct('StorageOSVolumeSource', 'A StorageOS volume.', () => ({
  volumeName: omitEmpty(text, 1, 'Name of the volume.'),
  volumeNamespace: omitEmpty(text, 2, 'Scope of the name.'),
  fsType: omitEmpty(text, 3, 'File system.'),
  readOnly: omitEmpty(flag, 4, 'Whether it is read-only.'),
  secretRef: omitNull(localObjectReference, 5, 'Secret with the credentials.'),
}));

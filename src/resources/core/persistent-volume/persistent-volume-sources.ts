import { listAtomic, map, omitEmpty, omitNull, orNull, required } from '../../../schema/authoring.js';
import { coreStruct, count, flag, text } from '../../fragments/core-struct.js';
import { objectReference, secretReference } from '../../fragments/object-reference.js';

// Sources that name a secret of any namespace, as a volume is in none. The others are those of pods.

export const azureFilePersistentVolumeSource = coreStruct(
  'AzureFilePersistentVolumeSource',
  'An Azure file share.',
  () => ({
    secretName: required(text, 1, 'The secret with the name and key of the account.'),
    shareName: required(text, 2, 'Name of the share.'),
    readOnly: omitEmpty(flag, 3, 'Whether it can only be read.'),
    secretNamespace: orNull(text, 4, 'Namespace of the secret; that of the claim where absent.'),
  }),
);

export const cephFSPersistentVolumeSource = coreStruct('CephFSPersistentVolumeSource', 'A Ceph file system.', () => ({
  monitors: required(listAtomic(text), 1, 'Addresses of the monitors.'),
  path: omitEmpty(text, 2, 'The folder to mount.'),
  user: omitEmpty(text, 3, 'User of the storage.'),
  secretFile: omitEmpty(text, 4, 'The file with its key.'),
  secretRef: omitNull(secretReference, 5, 'The secret with its key.'),
  readOnly: omitEmpty(flag, 6, 'Whether it can only be read.'),
}));

export const cinderPersistentVolumeSource = coreStruct('CinderPersistentVolumeSource', 'An OpenStack disk.', () => ({
  volumeID: required(text, 1, 'Id of the disk.'),
  fsType: omitEmpty(text, 2, 'Its file system.'),
  readOnly: omitEmpty(flag, 3, 'Whether it can only be read.'),
  secretRef: omitNull(secretReference, 4, 'The secret with the parameters of the cloud.'),
}));

export const csiPersistentVolumeSource = coreStruct(
  'CSIPersistentVolumeSource',
  'A volume of a storage driver.',
  () => ({
    driver: required(text, 1, 'Name of the driver.'),
    volumeHandle: required(text, 2, 'What the driver calls the volume.'),
    readOnly: omitEmpty(flag, 3, 'Whether it can only be read.'),
    fsType: omitEmpty(text, 4, 'Its file system.'),
    volumeAttributes: omitEmpty(map(text), 5, 'What the driver is told.'),
    controllerPublishSecretRef: omitNull(secretReference, 6, 'A secret for attaching.'),
    nodeStageSecretRef: omitNull(secretReference, 7, 'A secret for mounting on the node.'),
    nodePublishSecretRef: omitNull(secretReference, 8, 'A secret for mounting into pods.'),
    controllerExpandSecretRef: omitNull(secretReference, 9, 'A secret for growing.'),
    nodeExpandSecretRef: omitNull(secretReference, 10, 'A secret for growing on the node.'),
  }),
);

export const flexPersistentVolumeSource = coreStruct(
  'FlexPersistentVolumeSource',
  'A volume of a plug-in command.',
  () => ({
    driver: required(text, 1, 'Name of the command.'),
    fsType: omitEmpty(text, 2, 'Its file system.'),
    secretRef: omitNull(secretReference, 3, 'A secret for the command.'),
    readOnly: omitEmpty(flag, 4, 'Whether it can only be read.'),
    options: omitEmpty(map(text), 5, 'Options of the command.'),
  }),
);

export const glusterfsPersistentVolumeSource = coreStruct(
  'GlusterfsPersistentVolumeSource',
  'A Glusterfs volume.',
  () => ({
    endpoints: required(text, 1, 'The endpoints of the servers.'),
    path: required(text, 2, 'Name of the volume.'),
    readOnly: omitEmpty(flag, 3, 'Whether it can only be read.'),
    endpointsNamespace: omitNull(text, 4, 'Namespace of the endpoints; that of the claim where absent.'),
  }),
);

export const iscsiPersistentVolumeSource = coreStruct(
  'ISCSIPersistentVolumeSource',
  'A disk reached over iSCSI.',
  () => ({
    targetPortal: required(text, 1, 'Address of the target.'),
    iqn: required(text, 2, 'Name of the target.'),
    lun: required(count, 3, 'Number of the disk.'),
    iscsiInterface: omitEmpty(text, 4, 'Name of the interface.', { default: 'default' }),
    fsType: omitEmpty(text, 5, 'Its file system.'),
    readOnly: omitEmpty(flag, 6, 'Whether it can only be read.'),
    portals: omitEmpty(listAtomic(text), 7, 'Further addresses.'),
    chapAuthDiscovery: omitEmpty(flag, 8, 'Whether discovery is authenticated.'),
    secretRef: omitNull(secretReference, 10, 'The secret for that.'),
    chapAuthSession: omitEmpty(flag, 11, 'Whether sessions are authenticated.'),
    initiatorName: omitNull(text, 12, 'Own name of the initiator.'),
  }),
);

export const localVolumeSource = coreStruct('LocalVolumeSource', 'A disk of a node.', () => ({
  path: required(text, 1, 'Where it is on the node.'),
  fsType: omitNull(text, 2, 'Its file system.'),
}));

export const rbdPersistentVolumeSource = coreStruct('RBDPersistentVolumeSource', 'A Ceph block device.', () => ({
  monitors: required(listAtomic(text), 1, 'Addresses of the monitors.'),
  image: required(text, 2, 'Name of the image.'),
  fsType: omitEmpty(text, 3, 'Its file system.'),
  pool: omitEmpty(text, 4, 'Pool of the image.', { default: 'rbd' }),
  user: omitEmpty(text, 5, 'User of the storage.', { default: 'admin' }),
  keyring: omitEmpty(text, 6, 'The file with its key.', { default: '/etc/ceph/keyring' }),
  secretRef: omitNull(secretReference, 7, 'The secret with its key.'),
  readOnly: omitEmpty(flag, 8, 'Whether it can only be read.'),
}));

export const scaleIOPersistentVolumeSource = coreStruct('ScaleIOPersistentVolumeSource', 'A ScaleIO volume.', () => ({
  gateway: required(text, 1, 'Address of the gateway.'),
  system: required(text, 2, 'Name of the system.'),
  secretRef: orNull(secretReference, 3, 'The secret with the user and password.', { required: true }),
  sslEnabled: omitEmpty(flag, 4, 'Whether the gateway speaks TLS.'),
  protectionDomain: omitEmpty(text, 5, 'Protection domain of the storage.'),
  storagePool: omitEmpty(text, 6, 'Pool of the storage.'),
  storageMode: omitEmpty(text, 7, 'ThickProvisioned or ThinProvisioned.', { default: 'ThinProvisioned' }),
  volumeName: omitEmpty(text, 8, 'Name of the volume.'),
  fsType: omitEmpty(text, 9, 'Its file system.', { default: 'xfs' }),
  readOnly: omitEmpty(flag, 10, 'Whether it can only be read.'),
}));

export const storageOSPersistentVolumeSource = coreStruct(
  'StorageOSPersistentVolumeSource',
  'A StorageOS volume.',
  () => ({
    volumeName: omitEmpty(text, 1, 'Name of the volume.'),
    volumeNamespace: omitEmpty(text, 2, 'Its scope in the storage.'),
    fsType: omitEmpty(text, 3, 'Its file system.'),
    readOnly: omitEmpty(flag, 4, 'Whether it can only be read.'),
    secretRef: omitNull(objectReference, 5, 'The secret with the access.'),
  }),
);

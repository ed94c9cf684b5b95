import {
  always,
  embedded,
  listAtomic,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  orNull,
  quantity,
  required,
  string,
  type Typed,
} from '../../../schema/authoring.js';
import { objectMeta } from '../../../schema/object-meta-schema.js';
import { coreStruct, count, flag, long, resourceList, text } from '../../fragments/core-struct.js';
import { labelSelector } from '../../fragments/label-selector.js';
import { localObjectReference } from '../../fragments/object-reference.js';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFileVolumeSource,
  cephFSVolumeSource,
  cinderVolumeSource,
  fcVolumeSource,
  flexVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  gitRepoVolumeSource,
  glusterfsVolumeSource,
  iscsiVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rbdVolumeSource,
  scaleIOVolumeSource,
  storageOSVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './pod-volume-sources.js';

const keyToPath = coreStruct('KeyToPath', 'Puts one key into a file.', () => ({
  key: required(text, 1, 'The key.'),
  path: required(text, 2, 'File, relative to the mount.'),
  mode: omitNull(count, 3, 'Permission bits of the file.'),
}));

export const objectFieldSelector = coreStruct(
  'ObjectFieldSelector',
  'A field of the pod.',
  () => ({
    apiVersion: omitEmpty(text, 1, 'Version that the path is of.'),
    fieldPath: required(text, 2, 'Path of the field.'),
  }),
  { mapType: 'atomic' },
);

export const resourceFieldSelector = coreStruct(
  'ResourceFieldSelector',
  'A resource amount of a container.',
  () => ({
    containerName: omitEmpty(text, 1, 'Container; needed for volumes.'),
    resource: required(text, 2, 'The amount, such as limits.cpu.'),
    divisor: always(quantity(), 3, 'Unit of the result.'),
  }),
  { mapType: 'atomic' },
);

export const hostPathVolumeSource = coreStruct('HostPathVolumeSource', 'A file or folder of the node.', () => ({
  path: required(text, 1, 'Path on the node.'),
  type: omitNull(
    string({
      typeName: 'v1.HostPathType',
      enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
    }),
    2,
    'What must be at the path.',
  ),
}));

const emptyDirVolumeSource = coreStruct('EmptyDirVolumeSource', 'A folder that lives as long as the pod.', () => ({
  medium: omitEmpty(string({ typeName: 'v1.StorageMedium' }), 1, "Where it is kept: the node's disk or Memory."),
  sizeLimit: omitNull(quantity(), 2, 'The largest size.'),
}));

const secretVolumeSource = coreStruct('SecretVolumeSource', 'The data of a secret as files.', () => ({
  secretName: omitEmpty(text, 1, 'Name of the secret.'),
  items: omitEmpty(listAtomic(keyToPath), 2, 'Keys to show; default all.'),
  defaultMode: omitNull(count, 3, 'Permission bits of the files.'),
  optional: omitNull(flag, 4, 'Whether the secret or its keys may be missing.'),
}));

const persistentVolumeClaimVolumeSource = coreStruct(
  'PersistentVolumeClaimVolumeSource',
  'The volume bound to a claim.',
  () => ({
    claimName: required(text, 1, 'Name of the claim.'),
    readOnly: omitEmpty(flag, 2, 'Whether it is read-only.'),
  }),
);

const downwardAPIVolumeFile = coreStruct('DownwardAPIVolumeFile', 'A file that shows a fact of the pod.', () => ({
  path: required(text, 1, 'File, relative to the mount.'),
  fieldRef: omitNull(objectFieldSelector, 2, 'A field of the pod.'),
  resourceFieldRef: omitNull(resourceFieldSelector, 3, 'A resource amount of a container.'),
  mode: omitNull(count, 4, 'Permission bits of the file.'),
}));

const downwardAPIVolumeSource = coreStruct('DownwardAPIVolumeSource', 'Facts of the pod as files.', () => ({
  items: omitEmpty(listAtomic(downwardAPIVolumeFile), 1, 'The files.'),
  defaultMode: omitNull(count, 2, 'Permission bits of the files.'),
}));

const configMapVolumeSource = coreStruct('ConfigMapVolumeSource', 'The data of a config map as files.', () => ({
  ...embedded(1, { name: omitEmpty(text, 1, 'Name of the config map.', { default: '' }) }),
  items: omitEmpty(listAtomic(keyToPath), 2, 'Keys to show; default all.'),
  defaultMode: omitNull(count, 3, 'Permission bits of the files.'),
  optional: omitNull(flag, 4, 'Whether the config map or its keys may be missing.'),
}));

const secretProjection = coreStruct('SecretProjection', 'Keys of a secret.', () => ({
  ...embedded(1, { name: omitEmpty(text, 1, 'Name of the secret.', { default: '' }) }),
  items: omitEmpty(listAtomic(keyToPath), 2, 'Keys to show; default all.'),
  optional: omitNull(flag, 4, 'Whether the secret or its keys may be missing.'),
}));

const downwardAPIProjection = coreStruct('DownwardAPIProjection', 'Facts of the pod.', () => ({
  items: omitEmpty(listAtomic(downwardAPIVolumeFile), 1, 'The files.'),
}));

const configMapProjection = coreStruct('ConfigMapProjection', 'Keys of a config map.', () => ({
  ...embedded(1, { name: omitEmpty(text, 1, 'Name of the config map.', { default: '' }) }),
  items: omitEmpty(listAtomic(keyToPath), 2, 'Keys to show; default all.'),
  optional: omitNull(flag, 4, 'Whether the config map or its keys may be missing.'),
}));

const serviceAccountTokenProjection = coreStruct(
  'ServiceAccountTokenProjection',
  "A token of the pod's account.",
  () => ({
    audience: omitEmpty(text, 1, 'Audiences of the token.'),
    expirationSeconds: omitNull(long, 2, 'Its validity, in seconds.'),
    path: required(text, 3, 'File, relative to the mount.'),
  }),
);

export const clusterTrustBundleProjection = coreStruct(
  'ClusterTrustBundleProjection',
  'Trust anchors of the cluster.',
  () => ({
    name: omitNull(text, 1, 'Name of one bundle.'),
    signerName: omitNull(text, 2, 'Signer of the bundles.'),
    labelSelector: omitNull(labelSelector, 3, 'Picks bundles of the signer.'),
    optional: omitNull(flag, 5, 'Whether the bundles may be missing.'),
    path: required(text, 4, 'File, relative to the mount.'),
  }),
);

const volumeProjection = coreStruct('VolumeProjection', 'One source of a projected volume.', () => ({
  secret: omitNull(secretProjection, 1, 'Keys of a secret.'),
  downwardAPI: omitNull(downwardAPIProjection, 2, 'Facts of the pod.'),
  configMap: omitNull(configMapProjection, 3, 'Keys of a config map.'),
  serviceAccountToken: omitNull(serviceAccountTokenProjection, 4, "A token of the pod's account."),
  clusterTrustBundle: omitNull(clusterTrustBundleProjection, 5, 'Trust anchors of the cluster.'),
}));

const projectedVolumeSource = coreStruct('ProjectedVolumeSource', 'Several sources in one folder.', () => ({
  sources: omitEmpty(listAtomic(volumeProjection), 1, 'The sources.'),
  defaultMode: omitNull(count, 2, 'Permission bits of the files.'),
}));

const csiVolumeSource = coreStruct('CSIVolumeSource', 'A volume of a storage driver.', () => ({
  driver: required(text, 1, 'Name of the driver.'),
  readOnly: omitNull(flag, 2, 'Whether it is read-only.'),
  fsType: omitNull(text, 3, 'File system.'),
  volumeAttributes: omitEmpty(map(text), 4, 'Parameters for the driver.'),
  nodePublishSecretRef: omitNull(localObjectReference, 5, 'Secret with the credentials.'),
}));

const volumeResourceRequirements = coreStruct(
  'VolumeResourceRequirements',
  'The storage that a claim requests.',
  () => ({
    limits: omitEmpty(resourceList, 1, 'The largest amounts of each resource.'),
    requests: omitEmpty(resourceList, 2, 'The smallest amounts of each resource.'),
  }),
);

export const typedLocalObjectReference = coreStruct(
  'TypedLocalObjectReference',
  'Names an object of any kind in the namespace.',
  () => ({
    apiGroup: orNull(text, 1, 'Group of the object.'),
    kind: required(text, 2, 'Kind of the object.'),
    name: required(text, 3, 'Name of the object.'),
  }),
  { mapType: 'atomic' },
);

const typedObjectReference = coreStruct('TypedObjectReference', 'Names an object of any kind.', () => ({
  apiGroup: orNull(text, 1, 'Group of the object.'),
  kind: required(text, 2, 'Kind of the object.'),
  name: required(text, 3, 'Name of the object.'),
  namespace: omitNull(text, 4, 'Namespace of the object.'),
}));

const persistentVolumeClaimSpecStruct = coreStruct('PersistentVolumeClaimSpec', 'The requested storage.', () => ({
  accessModes: omitEmpty(
    listAtomic(
      string({
        typeName: 'v1.PersistentVolumeAccessMode',
        enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
      }),
    ),
    1,
    'The requested access modes.',
  ),
  selector: omitNull(labelSelector, 4, 'Picks volumes.'),
  resources: always(volumeResourceRequirements, 2, 'The requested amount.'),
  volumeName: omitEmpty(text, 3, 'Name of the bound volume.'),
  storageClassName: omitNull(text, 5, 'Class of the storage.'),
  volumeMode: omitNull(
    string({ typeName: 'v1.PersistentVolumeMode', enum: ['Block', 'Filesystem'] }),
    6,
    'Filesystem or Block.',
  ),
  dataSource: omitNull(typedLocalObjectReference, 7, 'What the volume starts from.'),
  dataSourceRef: omitNull(typedObjectReference, 8, 'What the volume starts from, of any kind.'),
  volumeAttributesClassName: omitNull(text, 9, 'Class of changeable attributes.'),
}));
export interface PersistentVolumeClaimSpec extends OutputOf<typeof persistentVolumeClaimSpecStruct> {}
export const persistentVolumeClaimSpec: Typed<PersistentVolumeClaimSpec> = persistentVolumeClaimSpecStruct;

const persistentVolumeClaimTemplate = coreStruct(
  'PersistentVolumeClaimTemplate',
  'A claim to be made for the pod.',
  () => ({
    metadata: always(objectMeta, 1, 'Labels and annotations of the claim.'),
    spec: required(persistentVolumeClaimSpec, 2, 'The requested storage.'),
  }),
);

const ephemeralVolumeSource = coreStruct('EphemeralVolumeSource', 'A volume made for the pod.', () => ({
  volumeClaimTemplate: omitNull(persistentVolumeClaimTemplate, 1, 'The claim to make.'),
}));

const imageVolumeSource = coreStruct('ImageVolumeSource', 'The content of an image.', () => ({
  reference: omitEmpty(text, 1, 'Name of the image.'),
  pullPolicy: omitEmpty(
    string({ typeName: 'v1.PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'] }),
    2,
    'When to pull the image.',
  ),
}));

const volumeStruct = coreStruct('Volume', 'A folder that containers can mount.', () => ({
  name: required(text, 1, 'Name of the volume; unique in the pod.'),
  ...embedded(2, {
    hostPath: omitNull(hostPathVolumeSource, 1, 'A file or folder of the node.'),
    emptyDir: omitNull(emptyDirVolumeSource, 2, 'A folder that lives as long as the pod.'),
    gcePersistentDisk: omitNull(gcePersistentDiskVolumeSource, 3, 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: omitNull(awsElasticBlockStoreVolumeSource, 4, "A disk of Amazon's block store."),
    gitRepo: omitNull(gitRepoVolumeSource, 5, 'A clone of a git repository.'),
    secret: omitNull(secretVolumeSource, 6, 'The data of a secret.'),
    nfs: omitNull(nfsVolumeSource, 7, 'A folder of a network file server.'),
    iscsi: omitNull(iscsiVolumeSource, 8, 'A disk reached over iSCSI.'),
    glusterfs: omitNull(glusterfsVolumeSource, 9, 'A Glusterfs volume.'),
    persistentVolumeClaim: omitNull(persistentVolumeClaimVolumeSource, 10, 'The volume bound to a claim.'),
    rbd: omitNull(rbdVolumeSource, 11, 'A Ceph block device.'),
    flexVolume: omitNull(flexVolumeSource, 12, 'A volume of a plug-in command.'),
    cinder: omitNull(cinderVolumeSource, 13, 'An OpenStack disk.'),
    cephfs: omitNull(cephFSVolumeSource, 14, 'A Ceph file system.'),
    flocker: omitNull(flockerVolumeSource, 15, 'A Flocker volume.'),
    downwardAPI: omitNull(downwardAPIVolumeSource, 16, 'Facts of the pod.'),
    fc: omitNull(fcVolumeSource, 17, 'A fibre channel disk.'),
    azureFile: omitNull(azureFileVolumeSource, 18, 'An Azure file share.'),
    configMap: omitNull(configMapVolumeSource, 19, 'The data of a config map.'),
    vsphereVolume: omitNull(vsphereVirtualDiskVolumeSource, 20, 'A vSphere disk.'),
    quobyte: omitNull(quobyteVolumeSource, 21, 'A Quobyte volume.'),
    azureDisk: omitNull(azureDiskVolumeSource, 22, 'An Azure disk.'),
    photonPersistentDisk: omitNull(photonPersistentDiskVolumeSource, 23, 'A Photon disk.'),
    projected: omitNull(projectedVolumeSource, 26, 'Several sources in one folder.'),
    portworxVolume: omitNull(portworxVolumeSource, 24, 'A Portworx volume.'),
    scaleIO: omitNull(scaleIOVolumeSource, 25, 'A ScaleIO volume.'),
    storageos: omitNull(storageOSVolumeSource, 27, 'A StorageOS volume.'),
    csi: omitNull(csiVolumeSource, 28, 'A volume of a storage driver.'),
    ephemeral: omitNull(ephemeralVolumeSource, 29, 'A volume made for the pod.'),
    image: omitNull(imageVolumeSource, 30, 'The content of an image.'),
  }),
}));
export interface Volume extends OutputOf<typeof volumeStruct> {}
export const volume: Typed<Volume> = volumeStruct;

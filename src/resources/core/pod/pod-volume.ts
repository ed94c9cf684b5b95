import {
  always,
  listAtomic,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
} from '../../../schema/authoring.js';
import { objectMeta } from '../../../schema/object-meta-schema.js';
import { coreStruct, count, flag, long, text } from '../../fragments/core-struct.js';
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

const keyToPath = coreStruct('KeyToPath', 'Puts one key into a file.', {
  key: required(text, 'The key.'),
  path: required(text, 'File, relative to the mount.'),
  mode: omitNull(count, 'Permission bits of the file.'),
});

export const objectFieldSelector = coreStruct(
  'ObjectFieldSelector',
  'A field of the pod.',
  {
    apiVersion: omitEmpty(text, 'Version that the path is of.'),
    fieldPath: required(text, 'Path of the field.'),
  },
  { mapType: 'atomic' },
);

export const resourceFieldSelector = coreStruct(
  'ResourceFieldSelector',
  'A resource amount of a container.',
  {
    containerName: omitEmpty(text, 'Container; needed for volumes.'),
    resource: required(text, 'The amount, such as limits.cpu.'),
    divisor: always(quantity(), 'Unit of the result.'),
  },
  { mapType: 'atomic' },
);

const hostPathVolumeSource = coreStruct('HostPathVolumeSource', 'A file or folder of the node.', {
  path: required(text, 'Path on the node.'),
  type: omitNull(string({ typeName: 'v1.HostPathType' }), 'What must be at the path.'),
});

const emptyDirVolumeSource = coreStruct('EmptyDirVolumeSource', 'A folder that lives as long as the pod.', {
  medium: omitEmpty(string({ typeName: 'v1.StorageMedium' }), "Where it is kept: the node's disk or Memory."),
  sizeLimit: omitNull(quantity(), 'The largest size.'),
});

const secretVolumeSource = coreStruct('SecretVolumeSource', 'The data of a secret as files.', {
  secretName: omitEmpty(text, 'Name of the secret.'),
  items: omitEmpty(listAtomic(keyToPath), 'Keys to show; default all.'),
  defaultMode: omitNull(count, 'Permission bits of the files.'),
  optional: omitNull(flag, 'Whether the secret or its keys may be missing.'),
});

const persistentVolumeClaimVolumeSource = coreStruct(
  'PersistentVolumeClaimVolumeSource',
  'The volume bound to a claim.',
  {
    claimName: required(text, 'Name of the claim.'),
    readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  },
);

const downwardAPIVolumeFile = coreStruct('DownwardAPIVolumeFile', 'A file that shows a fact of the pod.', {
  path: required(text, 'File, relative to the mount.'),
  fieldRef: omitNull(objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: omitNull(resourceFieldSelector, 'A resource amount of a container.'),
  mode: omitNull(count, 'Permission bits of the file.'),
});

const downwardAPIVolumeSource = coreStruct('DownwardAPIVolumeSource', 'Facts of the pod as files.', {
  items: omitEmpty(listAtomic(downwardAPIVolumeFile), 'The files.'),
  defaultMode: omitNull(count, 'Permission bits of the files.'),
});

const configMapVolumeSource = coreStruct('ConfigMapVolumeSource', 'The data of a config map as files.', {
  name: omitEmpty(text, 'Name of the config map.', { default: '' }),
  items: omitEmpty(listAtomic(keyToPath), 'Keys to show; default all.'),
  defaultMode: omitNull(count, 'Permission bits of the files.'),
  optional: omitNull(flag, 'Whether the config map or its keys may be missing.'),
});

const secretProjection = coreStruct('SecretProjection', 'Keys of a secret.', {
  name: omitEmpty(text, 'Name of the secret.', { default: '' }),
  items: omitEmpty(listAtomic(keyToPath), 'Keys to show; default all.'),
  optional: omitNull(flag, 'Whether the secret or its keys may be missing.'),
});

const downwardAPIProjection = coreStruct('DownwardAPIProjection', 'Facts of the pod.', {
  items: omitEmpty(listAtomic(downwardAPIVolumeFile), 'The files.'),
});

const configMapProjection = coreStruct('ConfigMapProjection', 'Keys of a config map.', {
  name: omitEmpty(text, 'Name of the config map.', { default: '' }),
  items: omitEmpty(listAtomic(keyToPath), 'Keys to show; default all.'),
  optional: omitNull(flag, 'Whether the config map or its keys may be missing.'),
});

const serviceAccountTokenProjection = coreStruct('ServiceAccountTokenProjection', "A token of the pod's account.", {
  audience: omitEmpty(text, 'Audiences of the token.'),
  expirationSeconds: omitNull(long, 'Its validity, in seconds.'),
  path: required(text, 'File, relative to the mount.'),
});

const clusterTrustBundleProjection = coreStruct('ClusterTrustBundleProjection', 'Trust anchors of the cluster.', {
  name: omitNull(text, 'Name of one bundle.'),
  signerName: omitNull(text, 'Signer of the bundles.'),
  labelSelector: omitNull(labelSelector, 'Picks bundles of the signer.'),
  optional: omitNull(flag, 'Whether the bundles may be missing.'),
  path: required(text, 'File, relative to the mount.'),
});

const volumeProjection = coreStruct('VolumeProjection', 'One source of a projected volume.', {
  secret: omitNull(secretProjection, 'Keys of a secret.'),
  downwardAPI: omitNull(downwardAPIProjection, 'Facts of the pod.'),
  configMap: omitNull(configMapProjection, 'Keys of a config map.'),
  serviceAccountToken: omitNull(serviceAccountTokenProjection, "A token of the pod's account."),
  clusterTrustBundle: omitNull(clusterTrustBundleProjection, 'Trust anchors of the cluster.'),
});

const projectedVolumeSource = coreStruct('ProjectedVolumeSource', 'Several sources in one folder.', {
  sources: omitEmpty(listAtomic(volumeProjection), 'The sources.'),
  defaultMode: omitNull(count, 'Permission bits of the files.'),
});

const csiVolumeSource = coreStruct('CSIVolumeSource', 'A volume of a storage driver.', {
  driver: required(text, 'Name of the driver.'),
  readOnly: omitNull(flag, 'Whether it is read-only.'),
  fsType: omitNull(text, 'File system.'),
  volumeAttributes: omitEmpty(map(text), 'Parameters for the driver.'),
  nodePublishSecretRef: omitNull(localObjectReference, 'Secret with the credentials.'),
});

const volumeResourceRequirements = coreStruct('VolumeResourceRequirements', 'The storage that a claim requests.', {
  limits: omitEmpty(map(quantity()), 'The largest amounts of each resource.'),
  requests: omitEmpty(map(quantity()), 'The smallest amounts of each resource.'),
});

const typedLocalObjectReference = coreStruct(
  'TypedLocalObjectReference',
  'Names an object of any kind in the namespace.',
  {
    apiGroup: omitNull(text, 'Group of the object.'),
    kind: required(text, 'Kind of the object.'),
    name: required(text, 'Name of the object.'),
  },
  { mapType: 'atomic' },
);

const typedObjectReference = coreStruct('TypedObjectReference', 'Names an object of any kind.', {
  apiGroup: omitNull(text, 'Group of the object.'),
  kind: required(text, 'Kind of the object.'),
  name: required(text, 'Name of the object.'),
  namespace: omitNull(text, 'Namespace of the object.'),
});

const persistentVolumeClaimSpec = coreStruct('PersistentVolumeClaimSpec', 'The requested storage.', {
  accessModes: omitEmpty(
    listAtomic(string({ typeName: 'v1.PersistentVolumeAccessMode' })),
    'The requested access modes.',
  ),
  selector: omitNull(labelSelector, 'Picks volumes.'),
  resources: always(volumeResourceRequirements, 'The requested amount.'),
  volumeName: omitEmpty(text, 'Name of the bound volume.'),
  storageClassName: omitNull(text, 'Class of the storage.'),
  volumeMode: omitNull(string({ typeName: 'v1.PersistentVolumeMode' }), 'Filesystem or Block.'),
  dataSource: omitNull(typedLocalObjectReference, 'What the volume starts from.'),
  dataSourceRef: omitNull(typedObjectReference, 'What the volume starts from, of any kind.'),
  volumeAttributesClassName: omitNull(text, 'Class of changeable attributes.'),
});

const persistentVolumeClaimTemplate = coreStruct('PersistentVolumeClaimTemplate', 'A claim to be made for the pod.', {
  metadata: always(objectMeta, 'Labels and annotations of the claim.'),
  spec: required(persistentVolumeClaimSpec, 'The requested storage.'),
});

const ephemeralVolumeSource = coreStruct('EphemeralVolumeSource', 'A volume made for the pod.', {
  volumeClaimTemplate: omitNull(persistentVolumeClaimTemplate, 'The claim to make.'),
});

const imageVolumeSource = coreStruct('ImageVolumeSource', 'The content of an image.', {
  reference: omitEmpty(text, 'Name of the image.'),
  pullPolicy: omitEmpty(string({ typeName: 'v1.PullPolicy' }), 'When to pull the image.'),
});

export const volume = coreStruct('Volume', 'A folder that containers can mount.', {
  name: required(text, 'Name of the volume; unique in the pod.'),
  hostPath: omitNull(hostPathVolumeSource, 'A file or folder of the node.'),
  emptyDir: omitNull(emptyDirVolumeSource, 'A folder that lives as long as the pod.'),
  gcePersistentDisk: omitNull(gcePersistentDiskVolumeSource, 'A disk of Google Compute Engine.'),
  awsElasticBlockStore: omitNull(awsElasticBlockStoreVolumeSource, "A disk of Amazon's block store."),
  gitRepo: omitNull(gitRepoVolumeSource, 'A clone of a git repository.'),
  secret: omitNull(secretVolumeSource, 'The data of a secret.'),
  nfs: omitNull(nfsVolumeSource, 'A folder of a network file server.'),
  iscsi: omitNull(iscsiVolumeSource, 'A disk reached over iSCSI.'),
  glusterfs: omitNull(glusterfsVolumeSource, 'A Glusterfs volume.'),
  persistentVolumeClaim: omitNull(persistentVolumeClaimVolumeSource, 'The volume bound to a claim.'),
  rbd: omitNull(rbdVolumeSource, 'A Ceph block device.'),
  flexVolume: omitNull(flexVolumeSource, 'A volume of a plug-in command.'),
  cinder: omitNull(cinderVolumeSource, 'An OpenStack disk.'),
  cephfs: omitNull(cephFSVolumeSource, 'A Ceph file system.'),
  flocker: omitNull(flockerVolumeSource, 'A Flocker volume.'),
  downwardAPI: omitNull(downwardAPIVolumeSource, 'Facts of the pod.'),
  fc: omitNull(fcVolumeSource, 'A fibre channel disk.'),
  azureFile: omitNull(azureFileVolumeSource, 'An Azure file share.'),
  configMap: omitNull(configMapVolumeSource, 'The data of a config map.'),
  vsphereVolume: omitNull(vsphereVirtualDiskVolumeSource, 'A vSphere disk.'),
  quobyte: omitNull(quobyteVolumeSource, 'A Quobyte volume.'),
  azureDisk: omitNull(azureDiskVolumeSource, 'An Azure disk.'),
  photonPersistentDisk: omitNull(photonPersistentDiskVolumeSource, 'A Photon disk.'),
  projected: omitNull(projectedVolumeSource, 'Several sources in one folder.'),
  portworxVolume: omitNull(portworxVolumeSource, 'A Portworx volume.'),
  scaleIO: omitNull(scaleIOVolumeSource, 'A ScaleIO volume.'),
  storageos: omitNull(storageOSVolumeSource, 'A StorageOS volume.'),
  csi: omitNull(csiVolumeSource, 'A volume of a storage driver.'),
  ephemeral: omitNull(ephemeralVolumeSource, 'A volume made for the pod.'),
  image: omitNull(imageVolumeSource, 'The content of an image.'),
});

export type Volume = OutputOf<typeof volume>;

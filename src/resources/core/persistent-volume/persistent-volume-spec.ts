import {
  embedded,
  granular,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  string,
  type Typed,
  time,
} from '../../../schema/authoring.js';
import { coreStruct, resourceList, text } from '../../fragments/core-struct.js';
import { objectReference } from '../../fragments/object-reference.js';
import { nodeSelector } from '../pod/pod-spec.js';
import { hostPathVolumeSource } from '../pod/pod-volume.js';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  fcVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from '../pod/pod-volume-sources.js';
import {
  azureFilePersistentVolumeSource,
  cephFSPersistentVolumeSource,
  cinderPersistentVolumeSource,
  csiPersistentVolumeSource,
  flexPersistentVolumeSource,
  glusterfsPersistentVolumeSource,
  iscsiPersistentVolumeSource,
  localVolumeSource,
  rbdPersistentVolumeSource,
  scaleIOPersistentVolumeSource,
  storageOSPersistentVolumeSource,
} from './persistent-volume-sources.js';

export const volumeNodeAffinity = coreStruct('VolumeNodeAffinity', 'The nodes a volume can be reached from.', () => ({
  required: omitNull(nodeSelector, 1, 'What nodes must be like.'),
}));

/** How a volume is used; shared with claims. */
export const accessModes = listAtomic(
  string<string>({
    typeName: 'v1.PersistentVolumeAccessMode',
    enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
  }),
);

const sources = () =>
  embedded(2, {
    gcePersistentDisk: omitNull(gcePersistentDiskVolumeSource, 1, 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: omitNull(awsElasticBlockStoreVolumeSource, 2, "A disk of Amazon's block store."),
    hostPath: omitNull(hostPathVolumeSource, 3, 'A file or folder of the node.'),
    glusterfs: omitNull(glusterfsPersistentVolumeSource, 4, 'A Glusterfs volume.'),
    nfs: omitNull(nfsVolumeSource, 5, 'A folder of a network file server.'),
    rbd: omitNull(rbdPersistentVolumeSource, 6, 'A Ceph block device.'),
    iscsi: omitNull(iscsiPersistentVolumeSource, 7, 'A disk reached over iSCSI.'),
    cinder: omitNull(cinderPersistentVolumeSource, 8, 'An OpenStack disk.'),
    cephfs: omitNull(cephFSPersistentVolumeSource, 9, 'A Ceph file system.'),
    fc: omitNull(fcVolumeSource, 10, 'A fibre channel disk.'),
    flocker: omitNull(flockerVolumeSource, 11, 'A Flocker volume.'),
    flexVolume: omitNull(flexPersistentVolumeSource, 12, 'A volume of a plug-in command.'),
    azureFile: omitNull(azureFilePersistentVolumeSource, 13, 'An Azure file share.'),
    vsphereVolume: omitNull(vsphereVirtualDiskVolumeSource, 14, 'A vSphere disk.'),
    quobyte: omitNull(quobyteVolumeSource, 15, 'A Quobyte volume.'),
    azureDisk: omitNull(azureDiskVolumeSource, 16, 'An Azure disk.'),
    photonPersistentDisk: omitNull(photonPersistentDiskVolumeSource, 17, 'A Photon disk.'),
    portworxVolume: omitNull(portworxVolumeSource, 18, 'A Portworx volume.'),
    scaleIO: omitNull(scaleIOPersistentVolumeSource, 19, 'A ScaleIO volume.'),
    local: omitNull(localVolumeSource, 20, 'A disk of a node.'),
    storageos: omitNull(storageOSPersistentVolumeSource, 21, 'A StorageOS volume.'),
    csi: omitNull(csiPersistentVolumeSource, 22, 'A volume of a storage driver.'),
  });

/** The members of which a volume has one: where it is. */
export const SOURCES: readonly string[] = (
  'hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume ' +
  'azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi'
).split(' ');

const persistentVolumeSpecStruct = coreStruct('PersistentVolumeSpec', 'Where a volume is, and how it is used.', () => ({
  // An empty one is refused, and the refusal shows it.
  capacity: omitNull(resourceList, 1, 'How large it is.'),
  ...sources(),
  accessModes: omitEmpty(accessModes, 3, 'How it can be used.'),
  claimRef: omitNull(granular(objectReference), 4, 'The claim it is bound to.'),
  persistentVolumeReclaimPolicy: omitEmpty(
    string<string>({ typeName: 'v1.PersistentVolumeReclaimPolicy', enum: ['Delete', 'Recycle', 'Retain'] }),
    5,
    'What becomes of it when its claim is gone: Delete, Recycle or Retain.',
  ),
  storageClassName: omitEmpty(text, 6, 'Its class.'),
  mountOptions: omitEmpty(listAtomic(text), 7, 'Options for mounting.'),
  volumeMode: omitNull(
    string<string>({ typeName: 'v1.PersistentVolumeMode', enum: ['Block', 'Filesystem'] }),
    8,
    'Filesystem or Block.',
  ),
  nodeAffinity: omitNull(volumeNodeAffinity, 9, 'The nodes it can be reached from.'),
  volumeAttributesClassName: omitNull(text, 10, 'Class of its changeable attributes.'),
}));
export interface PersistentVolumeSpec extends OutputOf<typeof persistentVolumeSpecStruct> {}
export const persistentVolumeSpec: Typed<PersistentVolumeSpec> = persistentVolumeSpecStruct;

export const persistentVolumeStatus = coreStruct('PersistentVolumeStatus', 'What has become of a volume.', () => ({
  phase: omitEmpty(
    string<string>({
      typeName: 'v1.PersistentVolumePhase',
      enum: ['Available', 'Bound', 'Failed', 'Pending', 'Released'],
    }),
    1,
    'Pending, Available, Bound, Released or Failed.',
  ),
  message: omitEmpty(text, 2, 'Why it is in that phase.'),
  reason: omitEmpty(text, 3, 'The same as one word.'),
  lastPhaseTransitionTime: omitNull(time(), 4, 'When it came into that phase.'),
}));

/** The members of which a volume has one: where it is. */
export const SOURCES: readonly string[] = (
  'hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume ' +
  'azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi'
).split(' ');

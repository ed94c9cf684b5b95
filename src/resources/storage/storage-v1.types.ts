// Made by `npm run api-types` of storage-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface StorageV1 {
  StorageClass: StorageClass;
  VolumeAttachment: VolumeAttachment;
  VolumeAttachmentSpec: VolumeAttachmentSpec;
  VolumeAttachmentSource: VolumeAttachmentSource;
  VolumeAttachmentStatus: VolumeAttachmentStatus;
  VolumeError: VolumeError;
  CSIDriver: CSIDriver;
  CSIDriverSpec: CSIDriverSpec;
  TokenRequest: TokenRequest;
  CSINode: CSINode;
  CSINodeSpec: CSINodeSpec;
  CSINodeDriver: CSINodeDriver;
  VolumeNodeResources: VolumeNodeResources;
  CSIStorageCapacity: CSIStorageCapacity;
}

export type VolumeBindingMode = 'Immediate' | 'WaitForFirstConsumer';

export type VolumeLifecycleMode = string;

export type FSGroupPolicy = string;

/** Describes how volumes are provisioned. */
export interface StorageClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The provisioner of the volumes. */
  readonly provisioner: string;
  /** Parameters for the provisioner. */
  readonly parameters?: { readonly [key: string]: string };
  /** The reclaim policy after the deletion of the claim: Delete or Retain. */
  readonly reclaimPolicy?: core.PersistentVolumeReclaimPolicy;
  /** Options for mounting. */
  readonly mountOptions?: readonly string[];
  /** Whether claims can be expanded. */
  readonly allowVolumeExpansion?: boolean;
  /** When volumes are bound: Immediate or WaitForFirstConsumer. */
  readonly volumeBindingMode?: VolumeBindingMode;
  /** Restricts where volumes are provisioned. */
  readonly allowedTopologies?: readonly core.TopologySelectorTerm[];
}

/** A volume attached to a node. */
export interface VolumeAttachment extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The volume and the node; immutable. */
  readonly spec: VolumeAttachmentSpec;
  /** Whether it is attached. */
  readonly status: VolumeAttachmentStatus;
}

/** The volume and the node. */
export interface VolumeAttachmentSpec {
  /** The driver that attaches the volume. */
  readonly attacher: string;
  /** The volume. */
  readonly source: VolumeAttachmentSource;
  /** The node. */
  readonly nodeName: string;
}

/** The volume: one of two fields. */
export interface VolumeAttachmentSource {
  /** Name of a persistent volume. */
  readonly persistentVolumeName?: string;
  /** A volume that a pod describes. */
  readonly inlineVolumeSpec?: core.PersistentVolumeSpec;
}

/** Whether it is attached. */
export interface VolumeAttachmentStatus {
  /** Whether it is attached. */
  readonly attached: boolean;
  /** Information for mounting the volume. */
  readonly attachmentMetadata?: { readonly [key: string]: string };
  /** The last error in attaching. */
  readonly attachError?: VolumeError;
  /** The last error in detaching. */
  readonly detachError?: VolumeError;
}

/** An error. */
export interface VolumeError extends Filled<'time'> {
  /** When the error occurred. */
  readonly time: string | null;
  /** The error message. */
  readonly message?: string;
}

/** A storage driver of the cluster. */
export interface CSIDriver extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The requirements and capabilities of the driver. */
  readonly spec: CSIDriverSpec;
}

/** The requirements and capabilities of the driver. */
export interface CSIDriverSpec {
  /** Whether volumes are attached before they are mounted; immutable. */
  readonly attachRequired?: boolean;
  /** Whether it receives information about the pod. */
  readonly podInfoOnMount?: boolean;
  /** Persistent, Ephemeral or both; immutable. */
  readonly volumeLifecycleModes?: readonly VolumeLifecycleMode[];
  /** Whether scheduling considers the storage capacity. */
  readonly storageCapacity?: boolean;
  /** When the group of a volume's files is changed. */
  readonly fsGroupPolicy?: FSGroupPolicy;
  /** Tokens of the pod that it receives. */
  readonly tokenRequests?: readonly TokenRequest[];
  /** Whether volumes are published periodically. */
  readonly requiresRepublish?: boolean;
  /** Whether it mounts with SELinux labels. */
  readonly seLinuxMount?: boolean;
}

/** A token that the driver receives. */
export interface TokenRequest {
  /** The audience of the token. */
  readonly audience: string;
  /** The validity in seconds. */
  readonly expirationSeconds?: number;
}

/** The storage drivers on a node. */
export interface CSINode extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The drivers of the node. */
  readonly spec: CSINodeSpec;
}

/** The drivers of a node. */
export interface CSINodeSpec {
  /** The drivers, each of which is immutable. */
  readonly drivers: readonly CSINodeDriver[];
}

/** A driver on a node. */
export interface CSINodeDriver extends Filled<'topologyKeys'> {
  /** Name of the driver. */
  readonly name: string;
  /** The id of the node for the driver. */
  readonly nodeID: string;
  /** Labels of the node that describe the driver's topology. */
  readonly topologyKeys: readonly string[] | null;
  /** The maximum number of volumes on the node. */
  readonly allocatable?: VolumeNodeResources;
}

/** The volume limits of a node. */
export interface VolumeNodeResources {
  /** The maximum number of volumes. */
  readonly count?: number;
}

/** The available capacity of a storage class in a topology segment. */
export interface CSIStorageCapacity extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The nodes with access to the storage; immutable. */
  readonly nodeTopology?: meta.LabelSelector;
  /** Class of the storage; immutable. */
  readonly storageClassName: string;
  /** The available capacity. */
  readonly capacity?: string;
  /** The maximum size of a volume. */
  readonly maximumVolumeSize?: string;
}

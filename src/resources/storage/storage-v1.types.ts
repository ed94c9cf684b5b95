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

/** How volumes are made on demand. */
export interface StorageClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The program that makes them. */
  readonly provisioner: string;
  /** Parameters for that program. */
  readonly parameters?: { readonly [key: string]: string };
  /** What becomes of a volume whose claim is gone: Delete or Retain. */
  readonly reclaimPolicy?: core.PersistentVolumeReclaimPolicy;
  /** Options for mounting. */
  readonly mountOptions?: readonly string[];
  /** Whether claims may grow. */
  readonly allowVolumeExpansion?: boolean;
  /** When a volume is made: Immediate or WaitForFirstConsumer. */
  readonly volumeBindingMode?: VolumeBindingMode;
  /** Where volumes may be made. */
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
  /** What is attached where; fixed. */
  readonly spec: VolumeAttachmentSpec;
  /** Whether it is attached. */
  readonly status: VolumeAttachmentStatus;
}

/** What is attached where. */
export interface VolumeAttachmentSpec {
  /** The driver that attaches it. */
  readonly attacher: string;
  /** The volume. */
  readonly source: VolumeAttachmentSource;
  /** The node. */
  readonly nodeName: string;
}

/** The volume: one of two. */
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
  /** What has to be known to mount it. */
  readonly attachmentMetadata?: { readonly [key: string]: string };
  /** The last error in attaching. */
  readonly attachError?: VolumeError;
  /** The last error in detaching. */
  readonly detachError?: VolumeError;
}

/** What went wrong. */
export interface VolumeError extends Filled<'time'> {
  /** When it did. */
  readonly time: string | null;
  /** What it was. */
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
  /** What the driver needs and can do. */
  readonly spec: CSIDriverSpec;
}

/** What the driver needs and can do. */
export interface CSIDriverSpec {
  /** Whether volumes are attached before they are mounted; fixed. */
  readonly attachRequired?: boolean;
  /** Whether it learns of the pod. */
  readonly podInfoOnMount?: boolean;
  /** Persistent, Ephemeral or both; fixed. */
  readonly volumeLifecycleModes?: readonly VolumeLifecycleMode[];
  /** Whether pods are placed by the storage that is left. */
  readonly storageCapacity?: boolean;
  /** When a volume's group is changed. */
  readonly fsGroupPolicy?: FSGroupPolicy;
  /** Tokens of the pod that it gets. */
  readonly tokenRequests?: readonly TokenRequest[];
  /** Whether volumes are published again and again. */
  readonly requiresRepublish?: boolean;
  /** Whether it mounts with SELinux labels. */
  readonly seLinuxMount?: boolean;
}

/** A token that the driver gets. */
export interface TokenRequest {
  /** Who the token is for. */
  readonly audience: string;
  /** How long it is good for. */
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
  /** The drivers; each is fixed once it is there. */
  readonly drivers: readonly CSINodeDriver[];
}

/** A driver on a node. */
export interface CSINodeDriver extends Filled<'topologyKeys'> {
  /** Name of the driver. */
  readonly name: string;
  /** What the driver calls the node. */
  readonly nodeID: string;
  /** Labels of the node that the driver knows. */
  readonly topologyKeys: readonly string[] | null;
  /** What the node has room for. */
  readonly allocatable?: VolumeNodeResources;
}

/** What a node has room for. */
export interface VolumeNodeResources {
  /** How many volumes. */
  readonly count?: number;
}

/** What a class of storage has left in a place. */
export interface CSIStorageCapacity extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The nodes it can be reached from; fixed. */
  readonly nodeTopology?: meta.LabelSelector;
  /** Class of the storage; fixed. */
  readonly storageClassName: string;
  /** How much is left. */
  readonly capacity?: string;
  /** How large one volume can be. */
  readonly maximumVolumeSize?: string;
}

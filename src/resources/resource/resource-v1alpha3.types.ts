// Made by `npm run api-types` of resource-v1alpha3.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface ResourceV1alpha3 {
  DeviceClass: DeviceClass;
  DeviceClassSpec: DeviceClassSpec;
  DeviceSelector: DeviceSelector;
  CELDeviceSelector: CELDeviceSelector;
  DeviceClassConfiguration: DeviceClassConfiguration;
  OpaqueDeviceConfiguration: OpaqueDeviceConfiguration;
  ResourceClaim: ResourceClaim;
  ResourceClaimSpec: ResourceClaimSpec;
  DeviceClaim: DeviceClaim;
  DeviceRequest: DeviceRequest;
  DeviceConstraint: DeviceConstraint;
  DeviceClaimConfiguration: DeviceClaimConfiguration;
  ResourceClaimStatus: ResourceClaimStatus;
  AllocationResult: AllocationResult;
  DeviceAllocationResult: DeviceAllocationResult;
  DeviceRequestAllocationResult: DeviceRequestAllocationResult;
  DeviceAllocationConfiguration: DeviceAllocationConfiguration;
  ResourceClaimConsumerReference: ResourceClaimConsumerReference;
  ResourceClaimTemplate: ResourceClaimTemplate;
  ResourceClaimTemplateSpec: ResourceClaimTemplateSpec;
  PodSchedulingContext: PodSchedulingContext;
  PodSchedulingContextSpec: PodSchedulingContextSpec;
  PodSchedulingContextStatus: PodSchedulingContextStatus;
  ResourceClaimSchedulingStatus: ResourceClaimSchedulingStatus;
  ResourceSlice: ResourceSlice;
  ResourceSliceSpec: ResourceSliceSpec;
  ResourcePool: ResourcePool;
  Device: Device;
  BasicDevice: BasicDevice;
  DeviceAttribute: DeviceAttribute;
}

export type DeviceAllocationMode = string;

export type FullyQualifiedName = string;

export type AllocationConfigSource = string;

export type DeviceAttributes = { readonly [key: string]: DeviceAttribute };

export type DeviceCapacity = { readonly [key: string]: string };

/** A class of devices. */
export interface DeviceClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The devices and their configuration. */
  readonly spec: DeviceClassSpec;
}

/** The devices and their configuration. */
export interface DeviceClassSpec {
  /** The requirements, all of which must be met. */
  readonly selectors?: readonly DeviceSelector[];
  /** Parameters for drivers. */
  readonly config?: readonly DeviceClassConfiguration[];
  /** Nodes that may have these devices. */
  readonly suitableNodes?: core.NodeSelector;
}

/** A selector for devices. */
export interface DeviceSelector {
  /** An expression. */
  readonly cel?: CELDeviceSelector;
}

/** A selector that is an expression. */
export interface CELDeviceSelector {
  /** The expression, with the variable 'device'. */
  readonly expression: string;
}

/** Parameters for drivers. */
export interface DeviceClassConfiguration {
  /** Parameters for a driver. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** Parameters for a driver. */
export interface OpaqueDeviceConfiguration {
  /** The driver. */
  readonly driver: string;
  /** The parameters. */
  readonly parameters: meta.RawExtension;
}

/** A claim of devices. */
export interface ResourceClaim extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The requested devices; immutable. */
  readonly spec: ResourceClaimSpec;
  /** The allocated devices. */
  readonly status: ResourceClaimStatus;
}

/** The requested devices. */
export interface ResourceClaimSpec extends Filled<'devices'> {
  /** The requested devices. */
  readonly devices: DeviceClaim;
  /** The driver whose controller allocates. */
  readonly controller?: string;
}

/** The requested devices. */
export interface DeviceClaim {
  /** The requests. */
  readonly requests?: readonly DeviceRequest[];
  /** Constraints on all devices. */
  readonly constraints?: readonly DeviceConstraint[];
  /** Parameters for drivers. */
  readonly config?: readonly DeviceClaimConfiguration[];
}

/** One request for devices. */
export interface DeviceRequest {
  /** Its name. */
  readonly name: string;
  /** The class of the devices. */
  readonly deviceClassName: string;
  /** The requirements, all of which must be met. */
  readonly selectors?: readonly DeviceSelector[];
  /** ExactCount or All. */
  readonly allocationMode?: DeviceAllocationMode;
  /** The number of devices. */
  readonly count?: number;
  /** Whether it grants administrative access to devices in use. */
  readonly adminAccess?: boolean;
}

/** A common property of several devices. */
export interface DeviceConstraint {
  /** Names of requests; default all. */
  readonly requests?: readonly string[];
  /** The attribute that must have the same value. */
  readonly matchAttribute?: FullyQualifiedName;
}

/** Parameters for drivers. */
export interface DeviceClaimConfiguration {
  /** Names of requests; default all. */
  readonly requests?: readonly string[];
  /** Parameters for a driver. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** The allocated devices. */
export interface ResourceClaimStatus {
  /** The allocated devices, and their nodes. */
  readonly allocation?: AllocationResult;
  /** The users of the claim. */
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  /** Whether the devices must be deallocated. */
  readonly deallocationRequested?: boolean;
}

/** The allocated devices, and their nodes. */
export interface AllocationResult extends Filled<'devices'> {
  /** The allocated devices. */
  readonly devices: DeviceAllocationResult;
  /** The nodes of the devices. */
  readonly nodeSelector?: core.NodeSelector;
  /** The driver whose controller allocated the devices. */
  readonly controller?: string;
}

/** The allocated devices. */
export interface DeviceAllocationResult {
  /** The devices. */
  readonly results?: readonly DeviceRequestAllocationResult[];
  /** Parameters for drivers. */
  readonly config?: readonly DeviceAllocationConfiguration[];
}

/** An allocated device. */
export interface DeviceRequestAllocationResult {
  /** The request. */
  readonly request: string;
  /** The driver. */
  readonly driver: string;
  /** The pool. */
  readonly pool: string;
  /** The device. */
  readonly device: string;
}

/** Parameters for drivers. */
export interface DeviceAllocationConfiguration {
  /** FromClass or FromClaim. */
  readonly source: AllocationConfigSource;
  /** Names of requests; default all. */
  readonly requests?: readonly string[];
  /** Parameters for a driver. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** A user of the claim. */
export interface ResourceClaimConsumerReference {
  /** Its group. */
  readonly apiGroup?: string;
  /** Its resource. */
  readonly resource: string;
  /** Its name. */
  readonly name: string;
  /** Its uid. */
  readonly uid: meta.UID;
}

/** A template of claims for pods. */
export interface ResourceClaimTemplate extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The template of the claims; immutable. */
  readonly spec: ResourceClaimTemplateSpec;
}

/** The template of the claims. */
export interface ResourceClaimTemplateSpec extends Filled<'metadata'> {
  /** Labels and annotations of the claims. */
  readonly metadata: meta.ObjectMeta;
  /** The requested devices. */
  readonly spec: ResourceClaimSpec;
}

/** Coordinates the scheduling of a pod with claims. */
export interface PodSchedulingContext extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The possible nodes of the pod. */
  readonly spec: PodSchedulingContextSpec;
  /** The unsuitable nodes of the pod. */
  readonly status: PodSchedulingContextStatus;
}

/** The possible nodes of the pod. */
export interface PodSchedulingContextSpec {
  /** The selected node. */
  readonly selectedNode?: string;
  /** The possible nodes. */
  readonly potentialNodes?: readonly string[];
}

/** The unsuitable nodes of the pod. */
export interface PodSchedulingContextStatus {
  /** The unsuitable nodes, by claim. */
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatus[];
}

/** The unsuitable nodes of a claim. */
export interface ResourceClaimSchedulingStatus {
  /** The claim, as the pod names it. */
  readonly name: string;
  /** The unsuitable nodes. */
  readonly unsuitableNodes?: readonly string[];
}

/** Devices of one driver in one pool. */
export interface ResourceSlice extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Devices of one driver. */
  readonly spec: ResourceSliceSpec;
}

/** Devices of one driver. */
export interface ResourceSliceSpec {
  /** The driver; immutable. */
  readonly driver: string;
  /** The pool of the devices. */
  readonly pool: ResourcePool;
  /** The node of the devices; immutable. */
  readonly nodeName?: string;
  /** The nodes with access to the devices. */
  readonly nodeSelector?: core.NodeSelector;
  /** Whether all nodes have access to the devices. */
  readonly allNodes?: boolean;
  /** The devices. */
  readonly devices?: readonly Device[];
}

/** The pool of the devices. */
export interface ResourcePool {
  /** Its name. */
  readonly name: string;
  /** The generation of the pool. */
  readonly generation: number;
  /** The number of slices of the pool. */
  readonly resourceSliceCount: number;
}

/** One device. */
export interface Device {
  /** Its name. */
  readonly name: string;
  /** The properties of the device. */
  readonly basic?: BasicDevice;
}

/** The properties of the device. */
export interface BasicDevice {
  /** Its attributes. */
  readonly attributes?: DeviceAttributes;
  /** The capacity of the device. */
  readonly capacity?: DeviceCapacity;
}

/** One value. */
export interface DeviceAttribute {
  /** A number. */
  readonly int?: number;
  /** A boolean. */
  readonly bool?: boolean;
  /** A string. */
  readonly string?: string;
  /** A semantic version. */
  readonly version?: string;
}

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
  /** Which devices, and how they are set up. */
  readonly spec: DeviceClassSpec;
}

/** Which devices, and how they are set up. */
export interface DeviceClassSpec {
  /** Requirements that all must hold. */
  readonly selectors?: readonly DeviceSelector[];
  /** Parameters for drivers. */
  readonly config?: readonly DeviceClassConfiguration[];
  /** Nodes that may have such devices. */
  readonly suitableNodes?: core.NodeSelector;
}

/** Which devices. */
export interface DeviceSelector {
  /** An expression. */
  readonly cel?: CELDeviceSelector;
}

/** A selector that is an expression. */
export interface CELDeviceSelector {
  /** The expression, about 'device'. */
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
  /** What is wanted; fixed. */
  readonly spec: ResourceClaimSpec;
  /** What was given. */
  readonly status: ResourceClaimStatus;
}

/** What is wanted. */
export interface ResourceClaimSpec extends Filled<'devices'> {
  /** The devices that are wanted. */
  readonly devices: DeviceClaim;
  /** The driver whose controller allocates. */
  readonly controller?: string;
}

/** The devices that are wanted. */
export interface DeviceClaim {
  /** The requests. */
  readonly requests?: readonly DeviceRequest[];
  /** What must hold of all. */
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
  /** Requirements that all must hold. */
  readonly selectors?: readonly DeviceSelector[];
  /** ExactCount or All. */
  readonly allocationMode?: DeviceAllocationMode;
  /** How many. */
  readonly count?: number;
  /** Whether it is for looking after devices that are in use. */
  readonly adminAccess?: boolean;
}

/** What devices must have in common. */
export interface DeviceConstraint {
  /** Names of requests; all of them unless given. */
  readonly requests?: readonly string[];
  /** An attribute of one value. */
  readonly matchAttribute?: FullyQualifiedName;
}

/** Parameters for drivers. */
export interface DeviceClaimConfiguration {
  /** Names of requests; all of them unless given. */
  readonly requests?: readonly string[];
  /** Parameters for a driver. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** What was given. */
export interface ResourceClaimStatus {
  /** What was given, and where. */
  readonly allocation?: AllocationResult;
  /** Who uses it. */
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  /** Whether it is to be given back. */
  readonly deallocationRequested?: boolean;
}

/** What was given, and where. */
export interface AllocationResult extends Filled<'devices'> {
  /** Devices that were given. */
  readonly devices: DeviceAllocationResult;
  /** Where they are. */
  readonly nodeSelector?: core.NodeSelector;
  /** The driver whose controller gave them. */
  readonly controller?: string;
}

/** Devices that were given. */
export interface DeviceAllocationResult {
  /** The devices. */
  readonly results?: readonly DeviceRequestAllocationResult[];
  /** Parameters for drivers. */
  readonly config?: readonly DeviceAllocationConfiguration[];
}

/** A device that was given. */
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
  /** Names of requests; all of them unless given. */
  readonly requests?: readonly string[];
  /** Parameters for a driver. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** Who uses the claim. */
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

/** What claims of pods are made after. */
export interface ResourceClaimTemplate extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The claims to make; fixed. */
  readonly spec: ResourceClaimTemplateSpec;
}

/** The claims to make. */
export interface ResourceClaimTemplateSpec extends Filled<'metadata'> {
  /** Labels and annotations of the claims. */
  readonly metadata: meta.ObjectMeta;
  /** What they want. */
  readonly spec: ResourceClaimSpec;
}

/** What a pod with claims waits for. */
export interface PodSchedulingContext extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Where the pod may go. */
  readonly spec: PodSchedulingContextSpec;
  /** Where it cannot go. */
  readonly status: PodSchedulingContextStatus;
}

/** Where the pod may go. */
export interface PodSchedulingContextSpec {
  /** The node that was chosen. */
  readonly selectedNode?: string;
  /** Nodes that it may go to. */
  readonly potentialNodes?: readonly string[];
}

/** Where it cannot go. */
export interface PodSchedulingContextStatus {
  /** Where its claims cannot be met. */
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatus[];
}

/** Where a claim cannot be met. */
export interface ResourceClaimSchedulingStatus {
  /** The claim, as the pod names it. */
  readonly name: string;
  /** Nodes that it cannot be met for. */
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
  /** The driver; fixed. */
  readonly driver: string;
  /** The pool of the devices. */
  readonly pool: ResourcePool;
  /** The node that has them; fixed. */
  readonly nodeName?: string;
  /** The nodes that reach them. */
  readonly nodeSelector?: core.NodeSelector;
  /** Whether all nodes reach them. */
  readonly allNodes?: boolean;
  /** The devices. */
  readonly devices?: readonly Device[];
}

/** The pool of the devices. */
export interface ResourcePool {
  /** Its name. */
  readonly name: string;
  /** Counts its changes. */
  readonly generation: number;
  /** The number of its slices. */
  readonly resourceSliceCount: number;
}

/** One device. */
export interface Device {
  /** Its name. */
  readonly name: string;
  /** What the device is like. */
  readonly basic?: BasicDevice;
}

/** What the device is like. */
export interface BasicDevice {
  /** Its attributes. */
  readonly attributes?: DeviceAttributes;
  /** What it has to give. */
  readonly capacity?: DeviceCapacity;
}

/** One value. */
export interface DeviceAttribute {
  /** A number. */
  readonly int?: number;
  /** A truth. */
  readonly bool?: boolean;
  /** A text. */
  readonly string?: string;
  /** A semantic version. */
  readonly version?: string;
}

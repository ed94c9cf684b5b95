// Made by `npm run api-types` of networking-v1beta1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface NetworkingV1beta1 {
  IPAddress: IPAddress;
  IPAddressSpec: IPAddressSpec;
  ParentReference: ParentReference;
  ServiceCIDR: ServiceCIDR;
  ServiceCIDRSpec: ServiceCIDRSpec;
  ServiceCIDRStatus: ServiceCIDRStatus;
}

/** An allocated address, which is the name of the object. */
export interface IPAddress extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The user of the address. */
  readonly spec: IPAddressSpec;
}

/** The user of the address. */
export interface IPAddressSpec {
  /** The object that uses the address; immutable. */
  readonly parentRef?: ParentReference;
}

/** The object that uses the address. */
export interface ParentReference {
  /** Its group. */
  readonly group?: string;
  /** Its resource. */
  readonly resource?: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Its name. */
  readonly name?: string;
}

/** Ranges of service addresses. */
export interface ServiceCIDR extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The ranges. */
  readonly spec: ServiceCIDRSpec;
  /** The observed state. */
  readonly status: ServiceCIDRStatus;
}

/** The ranges. */
export interface ServiceCIDRSpec {
  /** One range, or one of each IP family; immutable. */
  readonly cidrs?: readonly string[];
}

/** The observed state. */
export interface ServiceCIDRStatus {
  /** Its conditions. */
  readonly conditions?: readonly meta.Condition[];
}

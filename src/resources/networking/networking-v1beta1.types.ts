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

/** An address that is taken: its name. */
export interface IPAddress extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Who has the address. */
  readonly spec: IPAddressSpec;
}

/** Who has the address. */
export interface IPAddressSpec {
  /** The object that has the address; fixed. */
  readonly parentRef?: ParentReference;
}

/** The object that has the address. */
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

/** Ranges that services get addresses from. */
export interface ServiceCIDR extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The ranges. */
  readonly spec: ServiceCIDRSpec;
  /** What was found about it. */
  readonly status: ServiceCIDRStatus;
}

/** The ranges. */
export interface ServiceCIDRSpec {
  /** One range, or one of each family; fixed. */
  readonly cidrs?: readonly string[];
}

/** What was found about it. */
export interface ServiceCIDRStatus {
  /** Its conditions. */
  readonly conditions?: readonly meta.Condition[];
}

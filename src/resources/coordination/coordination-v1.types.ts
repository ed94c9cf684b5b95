// Made by `npm run api-types` of coordination-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CoordinationV1 {
  Lease: Lease;
  LeaseSpec: LeaseSpec;
}

export type CoordinatedLeaseStrategy = string;

/** A claim to leadership that must be renewed. */
export interface Lease extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The holder and the times of the lease. */
  readonly spec: LeaseSpec;
}

/** The holder and the times of the lease. */
export interface LeaseSpec {
  /** The holder of the lease. */
  readonly holderIdentity?: string;
  /** How long other candidates wait after the last renewal, in seconds. */
  readonly leaseDurationSeconds?: number;
  /** When it was acquired. */
  readonly acquireTime?: string;
  /** When it was last renewed. */
  readonly renewTime?: string;
  /** The number of changes of the holder. */
  readonly leaseTransitions?: number;
  /** The way a leader is chosen. */
  readonly strategy?: CoordinatedLeaseStrategy;
  /** The preferred next holder. */
  readonly preferredHolder?: string;
}

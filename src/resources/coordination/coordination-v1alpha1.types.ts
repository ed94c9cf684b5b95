// Made by `npm run api-types` of coordination-v1alpha1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CoordinationV1alpha1 {
  LeaseCandidate: LeaseCandidate;
  LeaseCandidateSpec: LeaseCandidateSpec;
}

export type CoordinatedLeaseStrategy = string;

/** Who may be chosen to lead. */
export interface LeaseCandidate extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The candidate. */
  readonly spec: LeaseCandidateSpec;
}

/** The candidate. */
export interface LeaseCandidateSpec {
  /** The lease it wants to hold; fixed. */
  readonly leaseName: string;
  /** When it was last asked whether it lives. */
  readonly pingTime?: string;
  /** When it last said so. */
  readonly renewTime?: string;
  /** Its version. */
  readonly binaryVersion?: string;
  /** The version that it behaves as. */
  readonly emulationVersion?: string;
  /** The ways of choosing it prefers, in order. */
  readonly preferredStrategies: readonly CoordinatedLeaseStrategy[];
}

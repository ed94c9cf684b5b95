// Made by `npm run api-types` of coordination-v1alpha1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CoordinationV1alpha1 {
  LeaseCandidate: LeaseCandidate;
  LeaseCandidateSpec: LeaseCandidateSpec;
}

export type CoordinatedLeaseStrategy = string;

/** A candidate for leadership. */
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
  /** The lease that the candidate wants to hold; immutable. */
  readonly leaseName: string;
  /** When the candidate was last asked to renew. */
  readonly pingTime?: string;
  /** When the candidate last renewed. */
  readonly renewTime?: string;
  /** The version of the candidate. */
  readonly binaryVersion?: string;
  /** The version that the candidate emulates. */
  readonly emulationVersion?: string;
  /** The preferred strategies for the choice of a leader, in order. */
  readonly preferredStrategies: readonly CoordinatedLeaseStrategy[];
}

import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { CoordinationV1alpha1 } from './coordination-v1alpha1.types.js';

/** The structs of coordination/v1alpha1. */
export const coordinationV1alpha1 = /* @__PURE__ */ fieldTable<CoordinationV1alpha1>(
  'io.k8s.api.coordination.v1alpha1',
  { meta: metaV1 },
  `
CoordinatedLeaseStrategy = string as v1.CoordinatedLeaseStrategy

LeaseCandidate kind            A candidate for leadership.
  spec  2  LeaseCandidateSpec  The candidate.

LeaseCandidateSpec                                            The candidate.
  leaseName            1  string!                             The lease that the candidate wants to hold; immutable.
  pingTime             2  MicroTime*                          When the candidate was last asked to renew.
  renewTime            3  MicroTime*                          When the candidate last renewed.
  binaryVersion        4  string?                             The version of the candidate.
  emulationVersion     5  string?                             The version that the candidate emulates.
  preferredStrategies  6  []CoordinatedLeaseStrategy atomic!  The preferred strategies for the choice of a leader, in order.
`,
);

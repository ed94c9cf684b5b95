import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { CoordinationV1alpha1 } from './coordination-v1alpha1.types.js';

/** The structs of coordination/v1alpha1. */
export const coordinationV1alpha1 = /* @__PURE__ */ fieldTable<CoordinationV1alpha1>(
  'io.k8s.api.coordination.v1alpha1',
  { meta: metaV1 },
  `
CoordinatedLeaseStrategy = string as v1.CoordinatedLeaseStrategy

LeaseCandidate kind            Who may be chosen to lead.
  spec  2  LeaseCandidateSpec  The candidate.

LeaseCandidateSpec                                            The candidate.
  leaseName            1  string!                             The lease it wants to hold; fixed.
  pingTime             2  MicroTime*                          When it was last asked whether it lives.
  renewTime            3  MicroTime*                          When it last said so.
  binaryVersion        4  string?                             Its version.
  emulationVersion     5  string?                             The version that it behaves as.
  preferredStrategies  6  []CoordinatedLeaseStrategy atomic!  The ways of choosing it prefers, in order.
`,
);

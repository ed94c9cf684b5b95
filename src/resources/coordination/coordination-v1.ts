import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { CoordinationV1 } from './coordination-v1.types.js';

/** The structs of coordination/v1. */
export const coordinationV1 = /* @__PURE__ */ fieldTable<CoordinationV1>(
  'io.k8s.api.coordination.v1',
  { meta: metaV1 },
  `
CoordinatedLeaseStrategy = string

Lease kind            A claim to leadership that must be renewed.
  spec  2  LeaseSpec  The holder and the times of the lease.

LeaseSpec                                             The holder and the times of the lease.
  holderIdentity        1  string*                    The holder of the lease.
  leaseDurationSeconds  2  int32*                     How long other candidates wait after the last renewal, in seconds.
  acquireTime           3  MicroTime*                 When it was acquired.
  renewTime             4  MicroTime*                 When it was last renewed.
  leaseTransitions      5  int32*                     The number of changes of the holder.
  strategy              6  CoordinatedLeaseStrategy*  The way a leader is chosen.
  preferredHolder       7  string*                    The preferred next holder.
`,
);

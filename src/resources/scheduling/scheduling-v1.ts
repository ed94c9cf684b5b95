import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { SchedulingV1 } from './scheduling-v1.types.js';

/** The structs of scheduling/v1. */
export const schedulingV1 = /* @__PURE__ */ fieldTable<SchedulingV1>(
  'io.k8s.api.scheduling.v1',
  { meta: metaV1 },
  `
PreemptionPolicy = string {Never, PreemptLowerPriority}

PriorityClass kind                        How important pods are.
  value             2  int32!             Pods with a higher value are preferred; immutable.
  globalDefault     3  bool?              Whether this is the class of pods that name none.
  description       4  string?            The purpose of the class.
  preemptionPolicy  5  PreemptionPolicy*  Whether other pods are evicted for it: PreemptLowerPriority or Never; immutable.
`,
);

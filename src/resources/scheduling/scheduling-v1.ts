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
  value             2  int32!             Pods of higher value come first; fixed.
  globalDefault     3  bool?              Whether pods that name no class get this one.
  description       4  string?            What the class is for.
  preemptionPolicy  5  PreemptionPolicy*  Whether others make room: PreemptLowerPriority or Never; fixed.
`,
);

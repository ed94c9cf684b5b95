// Made by `npm run api-types` of scheduling-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface SchedulingV1 {
  PriorityClass: PriorityClass;
}

export type PreemptionPolicy = string;

/** How important pods are. */
export interface PriorityClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Pods with a higher value are preferred; immutable. */
  readonly value: number;
  /** Whether this is the class of pods that name none. */
  readonly globalDefault?: boolean;
  /** The purpose of the class. */
  readonly description?: string;
  /** Whether other pods are evicted for it: PreemptLowerPriority or Never; immutable. */
  readonly preemptionPolicy?: PreemptionPolicy;
}

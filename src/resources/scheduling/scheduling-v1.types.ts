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
  /** Pods of higher value come first; fixed. */
  readonly value: number;
  /** Whether pods that name no class get this one. */
  readonly globalDefault?: boolean;
  /** What the class is for. */
  readonly description?: string;
  /** Whether others make room: PreemptLowerPriority or Never; fixed. */
  readonly preemptionPolicy?: PreemptionPolicy;
}

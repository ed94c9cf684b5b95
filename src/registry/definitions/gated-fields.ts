import type { FeatureGate } from '../../meta/features/gates.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Draft } from '../strategy.js';

/**
 * Fields of a feature. While its gate is off, a write leaves them out, unless the object had the feature before. Paths lead through
 * lists to each of their items: `spec.containers.resizePolicy`. What is empty is not there.
 */
export interface GatedFields<Part = ApiObject> {
  /** The gate; of several each is enough. */
  readonly gate: FeatureGate | readonly FeatureGate[];
  /** The part of the object that paths begin at. Default: the object. */
  readonly within?: string;
  readonly fields: readonly string[];
  /** Fields that show that an object had the feature. Default `fields`; none: what an object had is no reason. */
  readonly usedBy?: readonly string[];
  /** What the fields are set to instead of being left out: to have this is not to use the feature. */
  readonly instead?: string;
  /** Only new objects lose them: an update cannot change them anyway. */
  readonly onlyNew?: boolean;
  /** Of a status: a write of the status may have them, the next write of the rest leaves them out of the status that it keeps. */
  readonly ofStatus?: boolean;
  /** What is done instead of leaving the fields out. It may run twice, and must not mind. (A method, so that parts may be of any type.) */
  drop?(draft: Draft<Part>): void;
}

/** The same fields in a part of another object. */
/* @__NO_SIDE_EFFECTS__ */
export function gatedWithin(within: string, fields: readonly GatedFields[]): readonly GatedFields[] {
  return fields.map((each) => ({ ...each, within }));
}

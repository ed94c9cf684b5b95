import type { FeatureGate } from '../../meta/features/gates.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Draft } from '../strategy.js';

/**
 * The fields of a feature. While its gate is off, a write drops them, unless the stored object already uses the feature. Paths lead through
 * lists to each item: `spec.containers.resizePolicy`. An empty list counts as absent.
 */
export interface GatedFields<Part = ApiObject> {
  /** The gate; one of several is enough. */
  readonly gate: FeatureGate | readonly FeatureGate[];
  /** The part of the object that paths begin at. Default: the object. */
  readonly within?: string;
  readonly fields: readonly string[];
  /** Fields that show that a stored object uses the feature. Default `fields`; with [] the stored object makes no difference. */
  readonly usedBy?: readonly string[];
  /** The value that the fields are set to instead of being dropped. A field with this value does not use the feature. */
  readonly instead?: string;
  /** Whether only new objects lose the fields, because an update cannot change them. */
  readonly onlyNew?: boolean;
  /**
   * Whether the fields are in the status: a write of the status keeps them, and the next write of the object drops them from the status.
   */
  readonly ofStatus?: boolean;
  /** Replaces the default removal of the fields. It may run twice and must be idempotent. (A method, so that parts may be of any type.) */
  drop?(draft: Draft<Part>): void;
}

/** Returns the same gated fields within a part of another object. */
/* @__NO_SIDE_EFFECTS__ */
export function gatedWithin(within: string, fields: readonly GatedFields[]): readonly GatedFields[] {
  return fields.map((each) => ({ ...each, within }));
}

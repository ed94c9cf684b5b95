import type { ApiObject } from '../../meta/object-meta.js';
import { always, omitEmpty, required, struct, time } from '../../schema/authoring.js';
import { text } from '../fragments/core-struct.js';

/** A condition of a controller: its type, when its status changed, and why. */
/* @__NO_SIDE_EFFECTS__ */
export function workloadCondition(definition: string) {
  return struct(definition, 'A condition of the controller.', () => ({
    type: required(text, 1, 'Type of the condition.'),
    status: required(text, 2, 'True, False or Unknown.'),
    lastTransitionTime: always(time(), 3, 'When its status last changed.'),
    reason: omitEmpty(text, 4, 'The reason, in one word.'),
    message: omitEmpty(text, 5, 'The reason, for people.'),
  }));
}

/** How conditions merge. */
export const byType = { patchStrategy: ['merge'], patchMergeKey: 'type' } as const;

/** Writes of the object leave its status alone. */
export function keepStatus(draft: { status: unknown }, old: ApiObject & { readonly status: unknown }): void {
  Object.assign(draft, { status: old.status });
}

/** Writes of the status leave the spec alone. */
export function keepSpec(draft: { spec: unknown }, old: ApiObject & { readonly spec: unknown }): void {
  Object.assign(draft, { spec: old.spec });
}

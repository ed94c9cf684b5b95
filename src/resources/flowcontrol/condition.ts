import { addErrors, type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { always, omitEmpty, struct, time } from '../../schema/authoring.js';
import { conditionStatus, text, textOf } from '../fragments/core-struct.js';

export type FlowControlVersion = 'v1' | 'v1beta3';

/** Returns a function that makes the full name of a struct in a version. */
export const flowControlName =
  (version: FlowControlVersion) =>
  (name: string): string =>
    `io.k8s.api.flowcontrol.${version}.${name}`;

/* @__NO_SIDE_EFFECTS__ */
export function flowControlCondition(definition: string) {
  return struct(definition, 'A condition of the object.', () => ({
    type: omitEmpty(textOf(definition, 'Type'), 1, 'Type of the condition.'),
    status: omitEmpty(conditionStatus(definition), 2, 'True, False or Unknown.'),
    lastTransitionTime: always(time(), 3, 'When its status last changed.'),
    reason: omitEmpty(text, 4, 'The reason, in one word.'),
    message: omitEmpty(text, 5, 'The reason, for people.'),
  }));
}

/** Checks that conditions have distinct types. */
export function validateConditionTypes({
  status,
}: {
  readonly status: { readonly conditions?: readonly { readonly type?: string }[] };
}): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, { type = '' }] of (status.conditions ?? []).entries()) {
    if (isFull(errors)) break;
    const path = `status.conditions[${i}].type`;
    if (types.has(type)) addErrors(errors, [fieldError.duplicate(path, type)]);
    types.add(type);
    if (type === '') addErrors(errors, [fieldError.required(path, 'must not be empty')]);
  }
  return errors;
}

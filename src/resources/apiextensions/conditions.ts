import type {
  CustomResourceDefinitionCondition as CrdCondition,
  CustomResourceDefinition,
} from './apiextensions-v1.types.js';

/** Returns the condition of a type in the status of a definition, or undefined when there is none. */
export function conditionOf(
  { conditions }: Pick<CustomResourceDefinition['status'], 'conditions'>,
  type: string,
): CrdCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the definition is established, so that its kinds are served. */
export const isEstablished = ({ status }: Pick<CustomResourceDefinition, 'status'>): boolean =>
  conditionOf(status, 'Established')?.status === 'True';

/**
 * Returns the conditions with `newCondition`, which replaces the condition of the same type if there is one. The transition time is kept
 * when the status stays the same.
 */
export function withCondition(
  conditions: readonly CrdCondition[],
  newCondition: Omit<CrdCondition, 'lastTransitionTime'>,
  now: string,
): readonly CrdCondition[] {
  const { type, status, ...about } = newCondition;
  const old = conditionOf({ conditions }, type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
  const next = { type, status, lastTransitionTime, ...about } as CrdCondition;
  return old ? conditions.map((condition) => (condition === old ? next : condition)) : [...conditions, next];
}

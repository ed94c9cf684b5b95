import type {
  CustomResourceDefinitionCondition as CrdCondition,
  CustomResourceDefinition,
} from './apiextensions-v1.types.js';

/** A condition of a definition, where it has one of this type. */
export function conditionOf(
  { status }: Pick<CustomResourceDefinition, 'status'>,
  type: string,
): CrdCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Whether it is served. */
export const isEstablished = (definition: Pick<CustomResourceDefinition, 'status'>): boolean =>
  conditionOf(definition, 'Established')?.status === 'True';

/** Conditions with one in the place of the one of its type; the time is kept where the status stays. */
export function withCondition(
  conditions: readonly CrdCondition[],
  given: Omit<CrdCondition, 'lastTransitionTime'>,
  now: string,
): readonly CrdCondition[] {
  const old = conditions.find(({ type }) => type === given.type);
  const { type, status, ...about } = given;
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
  const next = { type, status, lastTransitionTime, ...about } as CrdCondition;
  return old ? conditions.map((condition) => (condition === old ? next : condition)) : [...conditions, next];
}

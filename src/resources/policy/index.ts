import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { podDisruptionBudget } from './pod-disruption-budget.js';

export type { PodDisruptionBudget } from './policy-v1.types.js';
export { podDisruptionBudget };

/** The kinds of the group policy. */
export const policyKinds: readonly ResourceDefinition[] = [podDisruptionBudget];

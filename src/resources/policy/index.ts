import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { PodDisruptionBudget } from './policy-v1.types.js';

/** policy/v1 PodDisruptionBudget: how many pods of a set may be evicted at the same time. */
export const podDisruptionBudget = defineKind(
  {
    groupStem: 'policy',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    scope: 'Namespaced',
    allowUnconditionalUpdate: false,
    tracksGeneration: true,
    looksAtMetadata: 'nothing',
    subresources: { status: {} },
  },
  async () => (await import('./pod-disruption-budget.js')).podDisruptionBudgetRules,
);

/** The kinds of the group policy. */
export const policyKinds: readonly ResourceDefinition[] = [podDisruptionBudget];

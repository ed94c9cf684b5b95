import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { RuntimeClass } from './node-v1.types.js';

/** node/v1 RuntimeClass: a configuration for running containers. */
export const runtimeClass = defineKind(
  {
    groupStem: 'node',
    version: 'v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    scope: 'Cluster',
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  async () => (await import('./runtime-class.js')).runtimeClassRules,
);

/** The kinds of the group node. */
export const nodeKinds: readonly ResourceDefinition[] = [runtimeClass];

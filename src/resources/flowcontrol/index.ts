import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { flowSchema, flowSchemaV1beta3 } from './flow-schema.js';
import { priorityLevelConfiguration, priorityLevelConfigurationV1beta3 } from './priority-level.js';

export type { FlowSchema, PriorityLevelConfiguration } from './flowcontrol-v1.types.js';
export { flowSchema, flowSchemaV1beta3, priorityLevelConfiguration, priorityLevelConfigurationV1beta3 };

/** The kinds of the group flowcontrol, the newer version first. */
export const flowControlKinds: readonly ResourceDefinition[] = [
  priorityLevelConfiguration,
  flowSchema,
  priorityLevelConfigurationV1beta3,
  flowSchemaV1beta3,
];

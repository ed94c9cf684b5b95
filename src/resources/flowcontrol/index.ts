import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { FLOW_CONTROL } from './names.js';

export type { FlowSchema, PriorityLevelConfiguration } from './flowcontrol-v1.types.js';

const schema = {
  groupStem: FLOW_CONTROL,
  kind: 'FlowSchema',
  plural: 'flowschemas',
  scope: 'Cluster',
  tracksGeneration: true,
  subresources: { status: {} },
} as const;
const level = { ...schema, kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' } as const;
const older = {
  version: 'v1beta3',
  servedByDefault: true,
  deprecation: { since: '1.29', removed: '1.32', replacement: 'v1' },
} as const;
const newer = { version: 'v1', knownVersions: ['v1beta3', 'v1beta2', 'v1beta1'] } as const;

/** flowcontrol.apiserver/v1 FlowSchema: assigns requests to a priority level. */
export const flowSchema = defineKind(
  { ...schema, ...newer },
  async () => (await import('./flow-schema.js')).flowSchemaRules,
);

/** FlowSchema in the older version. */
export const flowSchemaV1beta3 = defineKind(
  { ...schema, ...older, storedAs: flowSchema },
  async () => (await import('./flow-schema.js')).flowSchemaV1beta3Rules,
);

/** flowcontrol.apiserver/v1 PriorityLevelConfiguration: how many requests of a level are served concurrently. */
export const priorityLevelConfiguration = defineKind(
  { ...level, ...newer },
  async () => (await import('./priority-level.js')).priorityLevelConfigurationRules,
);

/** PriorityLevelConfiguration in the older version. */
export const priorityLevelConfigurationV1beta3 = defineKind(
  { ...level, ...older, storedAs: priorityLevelConfiguration },
  async () => (await import('./priority-level.js')).priorityLevelConfigurationV1beta3Rules,
);

/** The kinds of the group flowcontrol.apiserver, the newer version first. */
export const flowControlKinds: readonly ResourceDefinition[] = [
  priorityLevelConfiguration,
  flowSchema,
  priorityLevelConfigurationV1beta3,
  flowSchemaV1beta3,
];

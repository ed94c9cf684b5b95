import { groupOf } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { age, nameColumn } from '../fragments/columns.js';
import { keepAllButStatus, keepStatus } from '../fragments/workload.js';
import { type FlowSchema, flowSchemaParts, flowSchemaV1 } from './flow-schema-schema.js';
import { validateFlowSchema } from './flow-schema-validation.js';

export type { FlowSchema } from './flow-schema-schema.js';

const GROUP = 'flowcontrol.apiserver';
const PRECEDENCE = 1000;

/** The type of the condition that says whether the priority level is missing. */
export const DANGLING = 'Dangling';

/** What both versions have in common: all but the names of their structs. */
const common = {
  groupStem: GROUP,
  kind: 'FlowSchema',
  plural: 'flowschemas',
  scope: 'Cluster',
  tracksGeneration: true,
  setDefaults({ spec }: Draft<FlowSchema>) {
    spec.matchingPrecedence ||= PRECEDENCE;
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft: Draft<FlowSchema>) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate: validateFlowSchema,
  },
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateFlowSchema },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'PriorityLevel',
      type: 'string',
      description: 'The level of these requests.',
      cell: ({ spec }: FlowSchema) => spec.priorityLevelConfiguration.name,
    },
    {
      name: 'MatchingPrecedence',
      type: 'string',
      description: 'Of several that match, the one with the least number counts.',
      cell: ({ spec }: FlowSchema) => spec.matchingPrecedence,
    },
    {
      name: 'DistinguisherMethod',
      type: 'string',
      description: 'How flows are told apart.',
      cell: ({ spec }: FlowSchema) => spec.distinguisherMethod?.type ?? '<none>',
    },
    age,
    {
      name: 'MissingPL',
      type: 'string',
      description: 'Whether the level is not there.',
      cell: ({ status }: FlowSchema) => status.conditions?.find(({ type }) => type === DANGLING)?.status ?? '?',
    },
  ],
} as const;

/** flowcontrol.apiserver/v1 FlowSchema: the priority level of some requests. */
export const flowSchema = defineResource({
  ...common,
  version: 'v1',
  knownVersions: ['v1beta3', 'v1beta2', 'v1beta1'],
  schema: flowSchemaV1.schema,
});

/** The same objects in the older version. */
export const flowSchemaV1beta3 = defineResource({
  ...common,
  version: 'v1beta3',
  servedByDefault: true,
  deprecation: { since: '1.29', removed: '1.32', replacement: 'v1' },
  schema: flowSchemaParts('v1beta3').schema,
  storedAs: {
    definition: flowSchema,
    toStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, GROUP)}/v1` }),
    fromStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, GROUP)}/v1beta3` }),
  },
});

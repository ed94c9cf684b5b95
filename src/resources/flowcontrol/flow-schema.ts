import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { age, nameColumn } from '../fragments/columns.js';
import { inVersion } from '../fragments/in-version.js';
import { keepSpec, keepStatus } from '../fragments/workload.js';
import { type FlowSchema, flowSchemaSchema } from './flow-schema-schema.js';
import { validateFlowSchema } from './flow-schema-validation.js';

export type { FlowSchema } from './flow-schema-schema.js';

const PRECEDENCE = 1000;

/** The type of the condition that says whether the priority level is missing. */
export const DANGLING = 'Dangling';

/** flowcontrol.apiserver/v1 FlowSchema: the priority level of some requests. */
export const flowSchema = defineResource({
  groupStem: 'flowcontrol.apiserver',
  version: 'v1',
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
    status: { resetFields: ['spec'], strategy: { prepareForUpdate: keepSpec, validateUpdate: validateFlowSchema } },
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
  schema: flowSchemaSchema,
});

/** The same objects in the older version. */
export const flowSchemaV1beta3 = inVersion(flowSchema, 'v1beta3', {
  servedByDefault: true,
  deprecation: { since: '1.29', removed: '1.32', replacement: 'v1' },
});

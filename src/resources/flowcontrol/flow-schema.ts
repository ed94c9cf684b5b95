import { compareText } from '../../json/order.js';
import { groupOf } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { validateConditionTypes } from './condition.js';
import { validateFlowSchema } from './flow-schema-validation.js';
import { flowcontrolV1 } from './flowcontrol-v1.js';
import type { FlowSchema } from './flowcontrol-v1.types.js';
import { flowcontrolV1beta3 } from './flowcontrol-v1beta3.js';
import { DANGLING, FLOW_CONTROL, NEWER, OLDER } from './names.js';

const PRECEDENCE = 1000;

/** The members of the kind definition that v1 and v1beta3 share. The two versions differ only in the names of their structs. */
const common = {
  groupStem: FLOW_CONTROL,
  kind: 'FlowSchema',
  plural: 'flowschemas',
  metadataChecks: ['whole'],
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
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateConditionTypes },
    },
  },
  compareRows: (a: FlowSchema, b: FlowSchema) =>
    a.spec.matchingPrecedence - b.spec.matchingPrecedence || compareText(a.metadata.name ?? '', b.metadata.name ?? ''),
  columns: [
    nameColumn,
    {
      name: 'PriorityLevel',
      type: 'string',
      description: 'The priority level of these requests.',
      cell: ({ spec }: FlowSchema) => spec.priorityLevelConfiguration.name,
    },
    {
      name: 'MatchingPrecedence',
      type: 'string',
      description: 'The flow schema with the lowest value applies if several match.',
      cell: ({ spec }: FlowSchema) => spec.matchingPrecedence,
    },
    {
      name: 'DistinguisherMethod',
      type: 'string',
      description: 'How flows are distinguished.',
      cell: ({ spec }: FlowSchema) => spec.distinguisherMethod?.type ?? '<none>',
    },
    age,
    {
      name: 'MissingPL',
      type: 'string',
      description: 'Whether the priority level is missing.',
      cell: ({ status }: FlowSchema) => status.conditions?.find(({ type }) => type === DANGLING)?.status ?? '?',
    },
  ],
} as const;

/** flowcontrol/v1 FlowSchema: assigns requests to a priority level. */
export const flowSchema = defineResource({
  ...NEWER,
  ...common,
  schema: flowcontrolV1.struct('FlowSchema'),
});

/** flowcontrol/v1beta3 FlowSchema. */
export const flowSchemaV1beta3 = defineResource({
  ...OLDER,
  ...common,
  schema: flowcontrolV1beta3.struct('FlowSchema'),
  storedAs: {
    definition: flowSchema,
    toStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, FLOW_CONTROL)}/v1` }),
    fromStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, FLOW_CONTROL)}/v1beta3` }),
  },
});

import { apiError } from '../../meta/api-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { listMap, type OutputOf, omitEmpty, required, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { nameColumn } from '../fragments/columns.js';

const HEALTHY = 'Healthy';
const condition = struct('io.k8s.api.core.v1.ComponentCondition', 'A condition of a component.', () => ({
  type: required(string({ typeName: 'v1.ComponentConditionType' }), 1, 'What the condition is about: Healthy.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  message: omitEmpty(string(), 3, 'What the component says of itself.'),
  error: omitEmpty(string(), 4, 'Why that is not known.'),
}));
const schema = topLevel(
  'io.k8s.api.core.v1.ComponentStatus',
  'The health of a component of the control plane.',
  () => ({
    conditions: omitEmpty(listMap(condition, ['type']), 2, 'What was observed.', {
      patchStrategy: ['merge'],
      patchMergeKey: 'type',
    }),
  }),
);
export type ComponentStatus = OutputOf<typeof schema>;

export const componentStatusRules = defineRules({
  schema,
  virtual: {
    // The controllers are part of this server; a scheduler is not.
    list: () => [
      component('controller-manager', 'True', 'ok'),
      component('scheduler', 'False', 'this server has no scheduler'),
    ],
    absent: (name, { dialect }) => apiError.clientFault(dialect, `Component not found: ${name}`),
  },
  columns: [
    nameColumn,
    {
      name: 'Status',
      type: 'string',
      description: 'Whether the component is healthy.',
      cell: (object) => (healthOf(object)?.status === 'True' ? 'Healthy' : healthOf(object) ? 'Unhealthy' : 'Unknown'),
    },
    {
      name: 'Message',
      type: 'string',
      description: 'What it says of itself.',
      cell: (object) => healthOf(object)?.message ?? '',
    },
    {
      name: 'Error',
      type: 'string',
      description: 'Why that is not known.',
      cell: (object) => healthOf(object)?.error ?? '',
    },
  ],
});

const healthOf = ({ conditions = [] }: ComponentStatus) => conditions.find(({ type }) => type === HEALTHY);

function component(name: string, status: string, message: string): ComponentStatus {
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name, creationTimestamp: null },
    conditions: [{ type: HEALTHY, status, message }],
  };
}

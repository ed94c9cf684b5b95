import { apiError } from '../../meta/api-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { nameColumn } from '../shared/columns.js';
import { coreV1 } from './core-v1.js';
import type { ComponentStatus } from './core-v1.types.js';

const HEALTHY = 'Healthy';

/** v1 ComponentStatus: the state of the components of the control plane, read-only. */
export const componentStatus = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  scope: 'Cluster',
  verbs: ['get', 'list'],
  deprecation: { since: '1.19' },
  schema: coreV1.struct('ComponentStatus'),
  virtual: {
    // The controllers run in this server, so the controller manager counts as healthy. There is no scheduler, so it counts as unhealthy.
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
      description: 'The message of the component.',
      cell: (object) => healthOf(object)?.message ?? '',
    },
    {
      name: 'Error',
      type: 'string',
      description: 'The error that prevented the check.',
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

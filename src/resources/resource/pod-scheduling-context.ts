import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { always, type OutputOf, required } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from '../fragments/columns.js';
import { keepAllButStatus, keepStatus } from '../fragments/workload.js';
import { resourceName, schedulingSpec, schedulingStatus } from './device-schema.js';
import { validateDistinct, validateSubdomain } from './lists.js';

const schema = topLevel(resourceName('PodSchedulingContext'), 'What a pod with claims waits for.', () => ({
  spec: required(schedulingSpec, 2, 'Where the pod may go.'),
  status: always(schedulingStatus, 3, 'Where it cannot go.'),
}));
export type PodSchedulingContext = OutputOf<typeof schema>;

const MOST_NODES = 128;

const validateNodes = (nodes: readonly string[] = [], path: string): FieldError[] =>
  validateDistinct(nodes, MOST_NODES, validateSubdomain, path, (name) => name);

const validate = ({ spec: { potentialNodes } }: PodSchedulingContext) =>
  validateNodes(potentialNodes, 'spec.potentialNodes');

function validateStatus({ status: { resourceClaims = [] } }: PodSchedulingContext): FieldError[] {
  const names = new Set<string>();
  return resourceClaims.flatMap(({ name, unsuitableNodes }, i) => {
    const path = `status.claims[${i}]`;
    const twin = names.has(name);
    names.add(name);
    return [
      ...validateNodes(unsuitableNodes, `${path}.unsuitableNodes`),
      ...(twin ? [fieldError.duplicate(path, name)] : []),
    ];
  });
}

export const podSchedulingContextRules = defineRules({
  schema,
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate,
  },
  subresources: {
    status: { resetFields: ['spec'], strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateStatus } },
  },
  columns: [
    nameColumn,
    {
      name: 'SelectedNode',
      type: 'string',
      description: 'The node that was chosen.',
      cell: ({ spec }) => spec.selectedNode ?? '',
    },
    age,
  ],
});

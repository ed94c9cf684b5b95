import { type FieldError, fieldError } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { validateDistinct, validateSubdomain } from './lists.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { PodSchedulingContext } from './resource-v1alpha3.types.js';

const MOST_NODES = 128;

const validateNodes = (nodes: readonly string[] = [], path: string): FieldError[] =>
  validateDistinct(nodes, MOST_NODES, validateSubdomain, path, (name) => name);

const validate = ({ spec: { potentialNodes } }: PodSchedulingContext) =>
  validateNodes(potentialNodes, 'spec.potentialNodes');

function validateStatus({ status: { resourceClaims = [] } }: PodSchedulingContext): FieldError[] {
  const names = new Set<string>();
  return resourceClaims.flatMap(({ name, unsuitableNodes }, i) => {
    const path = `status.claims[${i}]`;
    const isDuplicate = names.has(name);
    names.add(name);
    return [
      ...validateNodes(unsuitableNodes, `${path}.unsuitableNodes`),
      ...(isDuplicate ? [fieldError.duplicate(path, name)] : []),
    ];
  });
}

/** resource/v1alpha3 PodSchedulingContext: how drivers and the scheduler agree on a node for a pod with claims. */
export const podSchedulingContext = defineResource({
  groupStem: 'resource',
  version: 'v1alpha3',
  kind: 'PodSchedulingContext',
  plural: 'podschedulingcontexts',
  metadataChecks: ['whole', 'changes', 'whole'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: resourceV1alpha3.struct('PodSchedulingContext'),
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate,
    // Upstream reports the errors of the spec twice.
    validateUpdate(next) {
      const errors = validate(next);
      return [...errors, METADATA_CHECK, METADATA_CHECK, ...errors];
    },
  },
  subresources: {
    status: {
      table: false,
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'SelectedNode',
      type: 'string',
      description: 'The selected node.',
      cell: ({ spec }) => spec.selectedNode ?? '',
    },
    age,
  ],
});

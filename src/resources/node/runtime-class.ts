import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Label } from '../../meta/names.js';
import { METADATA_CHECK, validateLabels } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { coreV1 } from '../core/core-v1.js';
import { oldLabelText } from '../core/persistent-volume/old-labels.js';
import { validateTolerations } from '../core/pod/validation/pod-scheduling-validation.js';
import { age, nameColumn } from '../shared/columns.js';
import { roundAmounts, validateResources } from '../shared/resource-rules.js';
import { nodeV1 } from './node-v1.js';
import type { RuntimeClass, Scheduling } from './node-v1.types.js';

/** node/v1 RuntimeClass: a configuration for running containers. */
export const runtimeClass = defineResource({
  groupStem: 'node',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  genericMetadata: true,
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  schema: nodeV1.struct('RuntimeClass'),
  setDefaults: ({ overhead }) => roundAmounts(overhead?.podFixed),
  strategy: {
    validate: validateRuntimeClass,
    validateUpdate: (next, old) => [
      ...validateRuntimeClass(next),
      METADATA_CHECK,
      ...(next.handler === old.handler ? [] : [fieldError.invalid('handler', next.handler, 'field is immutable')]),
    ],
    warnings: ({ scheduling }, _old, { host }) => {
      const oldLabel = oldLabelText(host.dialect);
      const labelWarnings = Object.keys(scheduling?.nodeSelector ?? {}).map(oldLabel);
      return labelWarnings.flatMap((text) => (text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]));
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Handler',
      type: 'string',
      description: 'The name of the handler on nodes.',
      cell: ({ handler }) => handler,
    },
    age,
  ],
});

function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  return [
    ...dns1123Label(handler).map((message) => fieldError.invalid('handler', handler, message)),
    ...(overhead?.podFixed ? validateResources('overhead', { limits: overhead.podFixed }) : []),
    ...(scheduling ? validateScheduling(scheduling) : []),
  ];
}

function validateScheduling({ nodeSelector, tolerations = [] }: Scheduling): FieldError[] {
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    // As in upstream, these paths contain the name of the field twice.
    ...validateTolerations(tolerations, 'scheduling.tolerations.tolerations'),
    ...errorsOf(tolerations, (item, i) => {
      const same = printGoSyntax(coreV1.struct('Toleration'), { ...item, tolerationSeconds: undefined });
      if (seen.has(same))
        return [
          fieldError.duplicate(
            `scheduling.tolerations[${i}]`,
            printed(printGoSyntax(coreV1.struct('Toleration'), item)),
          ),
        ];
      seen.add(same);
      return [];
    }),
  ];
}

import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Label } from '../../meta/names.js';
import { validateLabels } from '../../meta/object-meta-validation.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { atomicMap, listAtomic, type OutputOf, omitEmpty, omitNull, required, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { oldLabelText } from '../core/persistent-volume/old-labels.js';
import { toleration } from '../core/pod/pod-spec.js';
import { validateTolerations } from '../core/pod/validation/pod-scheduling-validation.js';
import { age, nameColumn } from '../fragments/columns.js';
import { resourceList, text } from '../fragments/core-struct.js';
import { roundAmounts, validateResources } from '../fragments/resource-rules.js';

const overhead = struct('io.k8s.api.node.v1.Overhead', 'What running a pod costs beside its containers.', () => ({
  podFixed: omitEmpty(resourceList, 1, 'The same for every pod.'),
}));

const scheduling = struct('io.k8s.api.node.v1.Scheduling', 'The nodes that can run it.', () => ({
  nodeSelector: omitEmpty(atomicMap(text), 1, 'Labels that nodes must have.'),
  tolerations: omitEmpty(listAtomic(toleration), 2, 'Taints that its pods bear.'),
}));

const schema = topLevel('io.k8s.api.node.v1.RuntimeClass', 'A way to run containers.', () => ({
  handler: required(text, 2, 'What nodes call it; fixed.'),
  overhead: omitNull(overhead, 3, 'What running a pod costs beside its containers.'),
  scheduling: omitNull(scheduling, 4, 'The nodes that can run it.'),
}));
export type RuntimeClass = OutputOf<typeof schema>;

export const runtimeClassRules = defineRules({
  schema,
  setDefaults: ({ overhead }) => roundAmounts(overhead?.podFixed),
  strategy: {
    validate: validateRuntimeClass,
    validateUpdate: (next, old) => [
      ...validateRuntimeClass(next),
      ...(next.handler === old.handler ? [] : [fieldError.invalid('handler', next.handler, 'field is immutable')]),
    ],
    warnings: ({ scheduling }, _old, { host }) => {
      const oldLabel = oldLabelText(host.dialect);
      const said = Object.keys(scheduling?.nodeSelector ?? {}).map(oldLabel);
      return said.flatMap((text) => (text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]));
    },
  },
  columns: [
    nameColumn,
    { name: 'Handler', type: 'string', description: 'What nodes call it.', cell: ({ handler }) => handler },
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

function validateScheduling({ nodeSelector, tolerations = [] }: OutputOf<typeof scheduling>): FieldError[] {
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    // The field appears twice in these paths, as recorded.
    ...validateTolerations(tolerations, 'scheduling.tolerations.tolerations'),
    ...errorsOf(tolerations, (item, i) => {
      const same = printGoSyntax(toleration, { ...item, tolerationSeconds: undefined });
      if (seen.has(same))
        return [fieldError.duplicate(`scheduling.tolerations[${i}]`, printed(printGoSyntax(toleration, item)))];
      seen.add(same);
      return [];
    }),
  ];
}

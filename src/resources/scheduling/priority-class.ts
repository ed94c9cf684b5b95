import { apiError } from '../../meta/api-error.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import { schedulingV1 } from './scheduling-v1.js';
import type { PriorityClass } from './scheduling-v1.types.js';
import { HIGHEST_USER_PRIORITY, systemPriorityClasses } from './system-priority-classes.js';

const SYSTEM_PREFIX = 'system-';
const systemClass = (name: string | undefined) => systemPriorityClasses.find(({ metadata }) => metadata.name === name);

/** scheduling/v1 PriorityClass: the priority of pods. */
export const priorityClass = defineResource({
  groupStem: 'scheduling',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  metadataChecks: ['changes'],
  shortNames: ['pc'],
  scope: 'Cluster',
  schema: schedulingV1.struct('PriorityClass'),
  setDefaults(draft) {
    draft.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  strategy: {
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
    validate: validateNew,
    validateUpdate: (next, old) => [
      ...(next.value === old.value ? [] : [fieldError.forbidden('value', 'may not be changed in an update.')]),
      ...(next.preemptionPolicy === old.preemptionPolicy
        ? []
        : [fieldError.invalid('preemptionPolicy', next.preemptionPolicy, 'field is immutable')]),
    ],
    // As in upstream, a DELETE of the collection removes the system classes, too.
    beforeDelete(name, { host }) {
      if (name === undefined || !systemClass(name)) return;
      const resource = { group: `scheduling.${host.dialect.groupSuffix}`, resource: 'priorityclasses' };
      throw apiError.forbidden(resource, name, 'this is a system priority class and cannot be deleted');
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Value',
      type: 'integer',
      description: 'Pods with a higher value are preferred.',
      cell: ({ value }) => value,
    },
    {
      name: 'Global-Default',
      type: 'boolean',
      description: 'Whether this is the class of pods that name none.',
      cell: ({ globalDefault }) => globalDefault ?? false,
    },
    age,
  ],
});

function validateNew({ metadata, value, globalDefault = false, preemptionPolicy: policy }: PriorityClass) {
  const errors: FieldError[] = [];
  const { name = '' } = metadata;
  if (name.startsWith(SYSTEM_PREFIX)) {
    const why = systemNameProblem(name, value, globalDefault);
    const text = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: `;
    if (why !== undefined) errors.push(fieldError.forbidden('metadata.name', text + why));
  } else if (value > HIGHEST_USER_PRIORITY) {
    const why = `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`;
    errors.push(fieldError.forbidden('value', why));
  }
  const policies = ['PreemptLowerPriority', 'Never'];
  if (policy === '') errors.push(fieldError.required('preemptionPolicy'));
  else if (policy !== undefined && !policies.includes(policy))
    errors.push(fieldError.notSupported('preemptionPolicy', policy, policies));
  return errors;
}

function systemNameProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemClass(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known.value !== value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

import { apiError } from '../../meta/api-error.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { type OutputOf, omitEmpty, omitNull, required, string } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from '../fragments/columns.js';
import { count, flag, text } from '../fragments/core-struct.js';
import { HIGHEST_USER_PRIORITY, systemPriorityClasses } from './system-priority-classes.js';

const SYSTEM_PREFIX = 'system-';
const systemClass = (name: string | undefined) => systemPriorityClasses.find(({ metadata }) => metadata.name === name);

const schema = topLevel('io.k8s.api.scheduling.v1.PriorityClass', 'How important pods are.', () => ({
  value: required(count, 2, 'Pods of higher value come first; fixed.'),
  globalDefault: omitEmpty(flag, 3, 'Whether pods that name no class get this one.'),
  description: omitEmpty(text, 4, 'What the class is for.'),
  preemptionPolicy: omitNull(
    string<string>({ typeName: 'v1.PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'] }),
    5,
    'Whether others make room: PreemptLowerPriority or Never; fixed.',
  ),
}));
export type PriorityClass = OutputOf<typeof schema>;

export const priorityClassRules = defineRules({
  schema,
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
    validateDelete({ metadata }, { host }) {
      const name = metadata.name ?? '';
      if (!systemClass(name)) return;
      const resource = { group: `scheduling.${host.dialect.groupSuffix}`, resource: 'priorityclasses' };
      throw apiError.forbidden(resource, name, 'this is a system priority class and cannot be deleted');
    },
  },
  columns: [
    nameColumn,
    { name: 'Value', type: 'integer', description: 'Pods of higher value come first.', cell: ({ value }) => value },
    {
      name: 'Global-Default',
      type: 'boolean',
      description: 'Whether pods that name no class get this one.',
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

import { equalJson } from '../../json/equal.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain, pathSegment } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import type { Column } from '../../registry/resource-definition.js';
import type { Draft, Strategy } from '../../registry/strategy.js';
import { quote } from '../../values/quote.js';
import { age, nameColumn } from '../shared/columns.js';
import type { RoleRef, Subject } from './rbac-v1.types.js';
/** The fields that RoleBinding and ClusterRoleBinding share. */
export interface Binding extends ApiObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

const rbacGroup = (dialect: Dialect) => groupOf(dialect, 'rbac.authorization');

/** Sets absent API groups of users, groups and the bound role to the RBAC group (`rbac.authorization.k8s.io` in the k8s dialect). */
export function setBindingDefaults(draft: Pick<Draft<Binding>, 'roleRef' | 'subjects'>, dialect: Dialect): void {
  if (draft.roleRef.apiGroup === '') draft.roleRef.apiGroup = rbacGroup(dialect);
  for (const [index, { kind, apiGroup, ...rest }] of (draft.subjects ?? []).entries())
    if (apiGroup === undefined && (kind === 'User' || kind === 'Group') && draft.subjects)
      draft.subjects[index] = { kind, apiGroup: rbacGroup(dialect), ...rest };
}

/** Returns the strategy for a kind of binding. `roleKinds` are the kinds of roles to which the binding can refer. */
export const bindingStrategy = (roleKinds: readonly string[]): Strategy<Binding> => ({
  validate: (object, { host }) => validateBinding(object, roleKinds, host.dialect),
  validateUpdate: (next, old, { host }) => validateBindingUpdate(next, old, roleKinds, host.dialect),
});

/**
 * Returns the validation errors of a binding. `roleKinds` are the kinds of roles to which it can refer. Only a namespaced binding can refer
 * to a Role.
 */
function validateBinding(binding: Binding, roleKinds: readonly string[], dialect: Dialect): FieldError[] {
  const group = rbacGroup(dialect);
  const { apiGroup, kind, name } = binding.roleRef;
  const errors: FieldError[] = [];
  if (apiGroup !== group) errors.push(fieldError.notSupported('roleRef.apiGroup', apiGroup, [group]));
  if (!roleKinds.includes(kind)) errors.push(fieldError.notSupported('roleRef.kind', kind, roleKinds));
  if (name === '') errors.push(fieldError.required('roleRef.name'));
  for (const problem of pathSegment(name)) errors.push(fieldError.invalid('roleRef.name', name, problem));
  const namespaced = roleKinds.includes('Role');
  const ofSubjects = errorsOf(binding.subjects ?? [], (item, index) =>
    validateSubject(item, `subjects[${index}]`, namespaced, group),
  );
  return [...errors, ...ofSubjects];
}

/** Returns the validation errors of a binding update. As in upstream, each error is reported twice. */
function validateBindingUpdate(
  next: Binding,
  old: Binding,
  roleKinds: readonly string[],
  dialect: Dialect,
): FieldError[] {
  const errors = validateBinding(next, roleKinds, dialect);
  const ofRole = equalJson(next.roleRef, old.roleRef) ? [] : [roleChanged(next.roleRef)];
  return [...errors, METADATA_CHECK, ...errors, METADATA_CHECK, ...ofRole];
}

function roleChanged({ apiGroup, kind, name }: RoleRef): FieldError {
  const shown = `rbac.RoleRef{APIGroup:${quote(apiGroup)}, Kind:${quote(kind)}, Name:${quote(name)}}`;
  return fieldError.invalid('roleRef', printed(shown), 'cannot change roleRef');
}

function validateSubject(item: Subject, path: string, namespaced: boolean, group: string): FieldError[] {
  const { kind, apiGroup = '', name, namespace = '' } = item;
  const errors: FieldError[] = name === '' ? [fieldError.required(`${path}.name`)] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '')
      for (const problem of dns1123Subdomain(name)) errors.push(fieldError.invalid(`${path}.name`, name, problem));
    if (apiGroup !== '') errors.push(fieldError.notSupported(`${path}.apiGroup`, apiGroup, ['']));
    if (!namespaced && namespace === '') errors.push(fieldError.required(`${path}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) errors.push(fieldError.notSupported(`${path}.apiGroup`, apiGroup, [group]));
  } else {
    errors.push(fieldError.notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

function subjectsOf(kind: string, show: (item: Subject) => string) {
  return ({ subjects = [] }: Binding) =>
    subjects
      .filter((item) => item.kind === kind)
      .map(show)
      .join(', ');
}

/** The columns of bindings in tables. */
export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn,
  {
    name: 'Role',
    type: 'string',
    description: 'The granted role.',
    cell: ({ roleRef: { kind, name } }) => `${kind}/${name}`,
  },
  age,
  {
    name: 'Users',
    type: 'string',
    description: 'Users that the role is granted to.',
    priority: 1,
    cell: subjectsOf('User', ({ name }) => name),
  },
  {
    name: 'Groups',
    type: 'string',
    description: 'Groups that the role is granted to.',
    priority: 1,
    cell: subjectsOf('Group', ({ name }) => name),
  },
  {
    name: 'ServiceAccounts',
    type: 'string',
    description: 'Service accounts that the role is granted to.',
    priority: 1,
    cell: subjectsOf('ServiceAccount', ({ namespace = '', name }) => `${namespace}/${name}`),
  },
];

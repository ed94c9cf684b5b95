import type { Dialect } from '../../meta/dialect.js';
import { domainName } from '../../meta/dialect.js';
import { type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { nameIsDns1123Label, qualifiedName } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { requireStoredPreconditions } from '../../registry/writes/delete.js';
import { age, nameColumn } from '../shared/columns.js';
import { coreV1 } from './core-v1.js';

/** v1 Namespace: a scope for objects. It is deleted only after its content (spec 7.8). */
export const namespace = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  returnsDeletedObject: true,
  describesDeletedObject: false,
  nameRule: nameIsDns1123Label,
  schema: coreV1.struct('Namespace'),
  setDefaults(draft, dialect) {
    draft.status.phase ??= 'Active';
    const name = draft.metadata.name ?? '';
    if (name === '') return;
    draft.metadata.labels = { ...draft.metadata.labels, [domainName(dialect, 'metadata.name')]: name };
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft, { host: { dialect } }) {
      const finalizers = draft.spec.finalizers ?? [];
      const own = dialect.namespaceFinalizer;
      draft.spec.finalizers = finalizers.includes(own) ? finalizers : [...finalizers, own];
      draft.status = { phase: 'Active' };
      nameLabel(draft, dialect);
    },
    prepareForUpdate(draft, old, { host }) {
      Object.assign(draft, { spec: { ...old.spec }, status: old.status });
      nameLabel(draft, host.dialect);
    },
    validate: (object, context) => validateFinalizers(object, context),
    validateDelete: (object, _context, options) =>
      requireStoredPreconditions({ group: '', resource: 'namespaces' }, object, options),
    beginDeletion(draft, { metadata, spec }, _context, { orphanDependents }) {
      if (metadata.deletionTimestamp === undefined) {
        draft.status.phase = 'Terminating';
        // Upstream deletes the dependents of a namespace in the foreground, and those of other kinds in the background.
        if (orphanDependents === false)
          draft.metadata.finalizers = [...(draft.metadata.finalizers ?? []), 'foregroundDeletion'];
        return 'keep';
      }
      if ((spec.finalizers?.length ?? 0) > 0) return 'pending';
      draft.metadata.deletionGracePeriodSeconds = 0;
      return 'remove';
    },
    readyToRemove: ({ spec }) => (spec.finalizers?.length ?? 0) === 0,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate: (draft, old) => void Object.assign(draft, { spec: { ...old.spec } }),
        validateUpdate: validateStatus,
      },
    },
    finalize: {
      verbs: ['update'],
      resetFields: ['status'],
      strategy: {
        prepareForUpdate: (draft, old) => void Object.assign(draft, { status: old.status }),
        validateUpdate: (next, _old, context) =>
          validateFinalizers(next, context, (index) => `spec.finalizers[${index}]`),
      },
    },
  },
  selectableFields: { 'status.phase': ({ status }) => status.phase },
  columns: [
    nameColumn,
    {
      name: 'Status',
      type: 'string',
      description: 'Active, or Terminating during the deletion.',
      cell: ({ status }) => status.phase ?? '',
    },
    age,
  ],
});

interface Labelled {
  metadata: { name?: string; labels?: Record<string, string> };
}

/** Sets the label that contains the name of the namespace. Users can neither remove nor change this label. */
function nameLabel(draft: Labelled, dialect: Dialect): void {
  const label = domainName(dialect, 'metadata.name');
  const name = draft.metadata.name ?? '';
  if (draft.metadata.labels?.[label] !== name) draft.metadata.labels = { ...draft.metadata.labels, [label]: name };
}

/** Validates finalizers. Only errors of the subresource `finalize` contain the index of the invalid finalizer. */
function validateFinalizers(
  { spec }: { readonly spec: { readonly finalizers?: readonly string[] } },
  { host }: StrategyContext,
  pathOf: (index: number) => string = () => 'spec.finalizers',
): FieldError[] {
  const errors: FieldError[] = [];
  const standard = [host.dialect.namespaceFinalizer, 'orphan', 'foregroundDeletion'];
  for (const [index, name] of (spec.finalizers ?? []).entries()) {
    if (isFull(errors)) break;
    for (const message of qualifiedName(name)) errors.push(fieldError.invalid(pathOf(index), name, message));
    if (!name.includes('/') && !standard.includes(name))
      errors.push(
        fieldError.invalid(pathOf(index), name, 'name is neither a standard finalizer name nor is it fully qualified'),
      );
  }
  return errors;
}

interface Phased {
  readonly metadata: { readonly deletionTimestamp?: string | null };
  readonly status: { readonly phase?: string };
}

/** Checks that the phase is `Terminating` if the namespace has a deletion timestamp, and `Active` otherwise. */
function validateStatus({ metadata, status }: Phased): FieldError[] {
  const leaving = metadata.deletionTimestamp !== undefined;
  const phase = status.phase ?? '';
  if (leaving && phase !== 'Terminating')
    return [fieldError.invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  if (!leaving && phase !== 'Active')
    return [fieldError.invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  return [];
}

import { equalJson } from '../../json/equal.js';
import { addErrors, errorsOf, type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { TopologySelectorTerm } from '../core/core-v1.types.js';
import { oldLabelText } from '../core/persistent-volume/old-labels.js';
import { age } from '../shared/columns.js';
import { validateRequired } from '../shared/value-rules.js';
import { classNameColumn, validateParameters } from './classes.js';
import { storageV1 } from './storage-v1.js';
import type { StorageClass } from './storage-v1.types.js';

const RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];

/** storage/v1 StorageClass: how volumes are provisioned on demand. */
export const storageClass = defineResource({
  groupStem: 'storage',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  schema: storageV1.struct('StorageClass'),
  setDefaults(draft) {
    draft.reclaimPolicy ??= 'Delete';
    draft.volumeBindingMode ??= 'Immediate';
  },
  strategy: {
    validate: validateStorageClass,
    validateUpdate: (next, old) => [...validateStorageClass(next), METADATA_CHECK, ...validateFixedFields(next, old)],
    warnings: ({ allowedTopologies = [] }, _old, { host }) => {
      const oldLabel = oldLabelText(host.dialect);
      return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
        matchLabelExpressions.flatMap(({ key }, n) => {
          const warning = oldLabel(key);
          return warning ? [`allowedTopologies[${i}].matchLabelExpressions[${n}].key: ${warning}`] : [];
        }),
      );
    },
  },
  columns: [
    // The pattern also matches the older beta annotation.
    classNameColumn(/^storageclass(?:\.beta)?\.(?:kubernetes|orch)\.io\/is-default-class$/),
    {
      name: 'Provisioner',
      type: 'string',
      description: 'The provisioner of the volumes.',
      cell: ({ provisioner }) => provisioner,
    },
    {
      name: 'ReclaimPolicy',
      type: 'string',
      description: 'The reclaim policy after the deletion of the claim.',
      cell: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    },
    {
      name: 'VolumeBindingMode',
      type: 'string',
      description: 'When volumes are bound.',
      cell: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
    },
    {
      name: 'AllowVolumeExpansion',
      type: 'string',
      description: 'Whether claims can be expanded.',
      cell: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    },
    age,
  ],
});

function validateStorageClass(object: StorageClass): FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy, volumeBindingMode: mode, allowedTopologies = [] } = object;
  return [
    ...validateRequired('provisioner', provisioner.toLowerCase(), qualifiedName),
    ...validateParameters(parameters),
    ...(reclaimPolicy ? requireSupported('reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES) : []),
    ...(mode === undefined
      ? [fieldError.required('volumeBindingMode')]
      : requireSupported('volumeBindingMode', mode, BINDING_MODES)),
    ...validateTopologies(allowedTopologies),
  ];
}

const requireSupported = (path: string, value: string, values: readonly string[]) =>
  values.includes(value) ? [] : [fieldError.notSupported(path, value, values)];

function validateFixedFields(next: StorageClass, old: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  const fixed = { parameters: {}, provisioner: '', reclaimPolicy: '' };
  for (const field of Object.keys(fixed) as (keyof typeof fixed)[])
    if (!equalJson(next[field] ?? fixed[field], old[field] ?? fixed[field]))
      errors.push(fieldError.forbidden(field, `updates to ${field} are forbidden.`));
  const { volumeBindingMode } = next;
  if (volumeBindingMode !== old.volumeBindingMode)
    errors.push(fieldError.invalid('volumeBindingMode', volumeBindingMode, 'field is immutable'));
  return errors;
}

/**
 * Checks that topology terms are distinct. As in upstream, a term without requirements counts as a duplicate of every term of the list,
 * and once more of each earlier term without requirements.
 */
function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  for (const [i, term] of terms.entries()) {
    if (isFull(errors)) break;
    const path = `allowedTopologies[${i}]`;
    addErrors(errors, validateTopologyTerm(term, path));
    const same = contentOf(term);
    const duplicateCount = (seen.get(same) ?? 0) + (same === '[]' ? terms.length : 0);
    for (let n = 0; n < duplicateCount && !isFull(errors); n++)
      errors.push(fieldError.duplicate(`${path}.matchLabelExpressions`, ''));
    seen.set(same, (seen.get(same) ?? 0) + 1);
  }
  return errors;
}

/** Returns a string that is the same for terms with the same requirements. It contains the values by key, sorted. */
function contentOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const values = new Map(matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]));
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validateTopologyTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: string): FieldError[] {
  const keys = new Set<string>();
  return errorsOf(matchLabelExpressions, ({ key, values }, i) => {
    const at = `${path}.matchLabelExpressions[${i}]`;
    const list = values ?? [];
    const errors = list.length === 0 ? [fieldError.required(`${at}.values`)] : [];
    const seen = new Set<string>();
    addErrors(
      errors,
      errorsOf(list, (value, n) => {
        if (seen.has(value)) return [fieldError.duplicate(`${at}.values[${n}]`, value)];
        seen.add(value);
        return [];
      }),
    );
    errors.push(...qualifiedName(key).map((message) => fieldError.invalid(`${at}.key`, key, message)));
    if (keys.has(key)) errors.push(fieldError.duplicate(`${at}.key`, key));
    keys.add(key);
    return errors;
  });
}

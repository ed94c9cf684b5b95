import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { equalAsStored } from '../../schema/empty-collections.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { isLongerThan } from '../../values/utf8.js';
import { validateDriverName } from '../core/volumes/volume-source-rules.js';
import { age, nameColumn } from '../shared/columns.js';
import { notNegative } from '../shared/value-rules.js';
import { storageV1 } from './storage-v1.js';
import type { CSINodeDriver } from './storage-v1.types.js';

const MAX_NODE_ID = 256;

/** storage/v1 CSINode: the storage drivers on the node of the same name. */
export const csiNode = defineResource({
  groupStem: 'storage',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  metadataChecks: ['whole', 'whole'],
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  schema: storageV1.struct('CSINode'),
  strategy: {
    validate: ({ spec }) => validateDrivers(spec.drivers ?? []),
    // As in upstream, the errors of a driver are reported twice.
    validateUpdate: ({ spec }, old) => [
      ...validateDrivers(spec.drivers ?? []),
      METADATA_CHECK,
      ...validateDrivers(spec.drivers ?? []),
      ...validateFixedDrivers(spec.drivers ?? [], old.spec.drivers ?? []),
    ],
  },
  columns: [
    nameColumn,
    {
      name: 'Drivers',
      type: 'integer',
      description: 'The number of drivers on the node.',
      cell: ({ spec }) => spec.drivers?.length ?? 0,
    },
    age,
  ],
});

function validateDrivers(drivers: readonly CSINodeDriver[]): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(drivers, (driver, i) => {
    const path = `spec.drivers[${i}]`;
    const { name, nodeID, allocatable } = driver;
    const errors = [...validateDriverName(`${path}.name`, name), ...validateNodeId(`${path}.nodeID`, nodeID)];
    errors.push(...notNegative(`${path}.allocatable.count`, allocatable?.count));
    if (seen.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    seen.add(name);
    return [...errors, ...validateTopologyKeys(path, driver.topologyKeys ?? [])];
  });
}

function validateNodeId(path: string, id: string): FieldError[] {
  if (id === '') return [fieldError.required(path)];
  const why = `must be ${MAX_NODE_ID} characters or less`;
  return isLongerThan(id, MAX_NODE_ID) ? [fieldError.invalid(path, id, why)] : [];
}

function validateTopologyKeys(path: string, keys: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(keys, (key) => {
    const errors = key === '' ? [fieldError.required(path)] : [];
    if (seen.has(key)) errors.push(fieldError.duplicate(path, key));
    seen.add(key);
    return [...errors, ...qualifiedName(key).map((message) => fieldError.invalid(path, key, message))];
  });
}

function validateFixedDrivers(next: readonly CSINodeDriver[], old: readonly CSINodeDriver[]): FieldError[] {
  const byName = new Map(next.map((driver) => [driver.name, driver]));
  return errorsOf(old, (before) => {
    const driver = byName.get(before.name);
    if (driver === undefined || equalAsStored(storageV1.struct('CSINodeDriver'), driver, before)) return [];
    return [
      fieldError.invalid(
        'CSINodeDriver',
        printed(printGoSyntax(storageV1.struct('CSINodeDriver'), driver)),
        'field is immutable',
      ),
    ];
  });
}

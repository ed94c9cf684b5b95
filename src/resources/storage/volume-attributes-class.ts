import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { age } from '../shared/columns.js';
import { validateRequired } from '../shared/value-rules.js';
import { classNameColumn, validateParameters } from './classes.js';
import { storageV1beta1 } from './storage-v1beta1.js';
import type { VolumeAttributesClass } from './storage-v1beta1.types.js';

function validate({ driverName, parameters = {} }: VolumeAttributesClass): FieldError[] {
  const isEmpty = Object.keys(parameters).length === 0;
  return [
    ...validateRequired('driverName', driverName.toLowerCase(), qualifiedName),
    ...(isEmpty
      ? [fieldError.required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters)),
  ];
}

// Upstream reports the errors of the class twice.
function validateUpdate(next: VolumeAttributesClass, old: VolumeAttributesClass): FieldError[] {
  const errors = validate(next);
  const forbidden = (field: string) => fieldError.forbidden(field, `updates to ${field} are forbidden.`);
  return [
    ...errors,
    METADATA_CHECK,
    ...(next.driverName === old.driverName ? [] : [forbidden('driverName')]),
    ...(equalJson(next.parameters ?? {}, old.parameters ?? {}) ? [] : [forbidden('parameters')]),
    METADATA_CHECK,
    ...errors,
  ];
}

/** storage/v1beta1 VolumeAttributesClass: attributes of a volume that can be changed while it is in use. */
export const volumeAttributesClass = defineResource({
  groupStem: 'storage',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  metadataChecks: ['whole', 'changes', 'whole'],
  shortNames: ['vac'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  schema: storageV1beta1.struct('VolumeAttributesClass'),
  strategy: { validate, validateUpdate },
  columns: [
    classNameColumn(/^volumeattributesclass\.alpha\.(?:kubernetes|orch)\.io\/is-default-class$/),
    {
      name: 'DriverName',
      type: 'string',
      description: 'The driver of the volumes.',
      cell: ({ driverName }) => driverName,
    },
    age,
  ],
});

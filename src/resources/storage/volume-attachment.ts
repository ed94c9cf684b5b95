import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { areLongerThan, isLongerThan } from '../../values/utf8.js';
import { validatePersistentVolumeSpec } from '../core/persistent-volume/persistent-volume-validation.js';
import { validateDriverName } from '../core/volumes/volume-source-rules.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus } from '../shared/workload.js';
import { storageV1 } from './storage-v1.js';
import type { VolumeAttachmentSpec, VolumeAttachmentStatus } from './storage-v1.types.js';

// Maximum size in bytes of the attachment metadata, and of an error message.
const MAX_SIZE = 256 * 1024;

/** storage/v1 VolumeAttachment: a request to attach a volume to a node. */
export const volumeAttachment = defineResource({
  groupStem: 'storage',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  metadataChecks: ['whole', 'whole'],
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  schema: storageV1.struct('VolumeAttachment'),
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = { attached: false };
    },
    prepareForUpdate: (draft, old) => void Object.assign(draft, { status: old.status }),
    validate: (object, { host }) => [...validateSpec(object.spec, host.dialect), ...validateNames(object.spec)],
    // As in upstream, validation errors are reported twice.
    validateUpdate(next, old, { host }) {
      const errors = validateSpec(next.spec, host.dialect);
      return [...errors, METADATA_CHECK, ...errors, ...validateFixedSpec(next.spec, old.spec)];
    },
  },
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      metadataChecks: ['whole', 'whole'],
      strategy: {
        prepareForUpdate: keepAllButStatus,
        // As in upstream, validation errors are reported twice.
        validateUpdate: ({ status }) => [...validateStatus(status), METADATA_CHECK, ...validateStatus(status)],
      },
    },
  },
  columns: [
    nameColumn,
    { name: 'Attacher', type: 'string', description: 'The driver.', format: 'name', cell: ({ spec }) => spec.attacher },
    {
      name: 'PV',
      type: 'string',
      description: 'The persistent volume.',
      cell: ({ spec }) => spec.source.persistentVolumeName ?? '',
    },
    { name: 'Node', type: 'string', description: 'The node.', cell: ({ spec }) => spec.nodeName },
    {
      name: 'Attached',
      type: 'boolean',
      description: 'Whether it is attached.',
      cell: ({ status }) => status.attached,
    },
    age,
  ],
});

function validateSpec({ attacher, source, nodeName }: VolumeAttachmentSpec, dialect: Dialect): FieldError[] {
  return [
    ...(attacher === '' ? [fieldError.required('spec.attacher')] : []),
    ...validateSource('spec.source', source, dialect),
    ...dns1123Subdomain(nodeName).map((message) => fieldError.invalid('spec.nodeName', nodeName, message)),
  ];
}

/** Checks the names of the driver and of the volume. */
const validateNames = ({ attacher, source: { persistentVolumeName: name } }: VolumeAttachmentSpec): FieldError[] => [
  ...validateDriverName('spec.attacher', attacher),
  ...(name === undefined
    ? []
    : dns1123Subdomain(name).map((message) => fieldError.invalid('spec.source.persistentVolumeName', name, message))),
];

function validateSource(
  path: string,
  { persistentVolumeName: name, inlineVolumeSpec: inline }: VolumeAttachmentSpec['source'],
  dialect: Dialect,
) {
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (name === undefined && inline === undefined) return [fieldError.required(path, one)];
  if (name !== undefined && inline !== undefined) return [fieldError.forbidden(path, one)];
  if (inline) return validatePersistentVolumeSpec(`${path}.inlineVolumeSpec`, inline, true, dialect);
  return name === ''
    ? [fieldError.required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : [];
}

function validateFixedSpec(next: VolumeAttachmentSpec, old: VolumeAttachmentSpec): FieldError[] {
  if (equalJson(next, old)) return [];
  return [
    fieldError.invalid(
      'spec',
      printed(printGoSyntax(storageV1.struct('VolumeAttachmentSpec'), next)),
      'field is immutable',
    ),
  ];
}

function validateStatus({ attachmentMetadata = {}, attachError, detachError }: VolumeAttachmentStatus): FieldError[] {
  const errors: FieldError[] = [];
  if (areLongerThan(Object.entries(attachmentMetadata).flat(), MAX_SIZE))
    errors.push(fieldError.tooLong('status.attachmentMetadata', MAX_SIZE));
  for (const [field, error] of Object.entries({ attachError, detachError }))
    if (isLongerThan(error?.message ?? '', MAX_SIZE))
      errors.push(fieldError.tooLong(`status.${field}.message`, MAX_SIZE));
  return errors;
}

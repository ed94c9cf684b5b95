import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { always, map, type OutputOf, omitEmpty, omitNull, required, struct, time } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { areLongerThan, isLongerThan } from '../../values/utf8.js';
import { persistentVolumeSpec } from '../core/persistent-volume/persistent-volume-spec.js';
import { validatePersistentVolumeSpec } from '../core/persistent-volume/persistent-volume-validation.js';
import { validateDriverName } from '../core/volumes/volume-source-rules.js';
import { age, nameColumn } from '../fragments/columns.js';
import { flag, text } from '../fragments/core-struct.js';
import { keepAllButStatus } from '../fragments/workload.js';

// Bytes of what is known of an attachment, and of an error.
const MAX_SIZE = 256 * 1024;

const source = struct('io.k8s.api.storage.v1.VolumeAttachmentSource', 'The volume: one of two.', () => ({
  persistentVolumeName: omitNull(text, 1, 'Name of a persistent volume.'),
  inlineVolumeSpec: omitNull(persistentVolumeSpec, 2, 'A volume that a pod describes.'),
}));
const spec = struct('io.k8s.api.storage.v1.VolumeAttachmentSpec', 'What is attached where.', () => ({
  attacher: required(text, 1, 'The driver that attaches it.'),
  source: required(source, 2, 'The volume.'),
  nodeName: required(text, 3, 'The node.'),
}));
type Spec = OutputOf<typeof spec>;

const volumeError = struct('io.k8s.api.storage.v1.VolumeError', 'What went wrong.', () => ({
  time: always(time(), 1, 'When it did.'),
  message: omitEmpty(text, 2, 'What it was.'),
}));
const status = struct('io.k8s.api.storage.v1.VolumeAttachmentStatus', 'Whether it is attached.', () => ({
  attached: required(flag, 1, 'Whether it is attached.'),
  attachmentMetadata: omitEmpty(map(text), 2, 'What has to be known to mount it.'),
  attachError: omitNull(volumeError, 3, 'The last error in attaching.'),
  detachError: omitNull(volumeError, 4, 'The last error in detaching.'),
}));

export const volumeAttachmentRules = defineRules({
  schema: topLevel('io.k8s.api.storage.v1.VolumeAttachment', 'A volume attached to a node.', () => ({
    spec: required(spec, 2, 'What is attached where; fixed.'),
    status: always(status, 3, 'Whether it is attached.'),
  })),
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = { attached: false };
    },
    prepareForUpdate: (draft, old) => void Object.assign(draft, { status: old.status }),
    validate: (object, { host }) => [...validateSpec(object.spec, host.dialect), ...validateNames(object.spec)],
    validateUpdate: (next, old, { host }) => [
      ...validateSpec(next.spec, host.dialect),
      ...validateFixedSpec(next.spec, old.spec),
    ],
  },
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      strategy: {
        prepareForUpdate: keepAllButStatus,
        // Said twice, as recorded.
        validateUpdate: ({ status }) => [...validateStatus(status), ...validateStatus(status)],
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

export type VolumeAttachment = ObjectOfRules<typeof volumeAttachmentRules>;

function validateSpec({ attacher, source, nodeName }: Spec, dialect: Dialect): FieldError[] {
  return [
    ...(attacher === '' ? [fieldError.required('spec.attacher')] : []),
    ...validateSource('spec.source', source, dialect),
    ...dns1123Subdomain(nodeName).map((message) => fieldError.invalid('spec.nodeName', nodeName, message)),
  ];
}

/** Names that later releases check: of the driver, and of the volume. */
const validateNames = ({ attacher, source: { persistentVolumeName: name } }: Spec): FieldError[] => [
  ...validateDriverName('spec.attacher', attacher),
  ...(name === undefined
    ? []
    : dns1123Subdomain(name).map((message) => fieldError.invalid('spec.source.persistentVolumeName', name, message))),
];

function validateSource(
  path: string,
  { persistentVolumeName: name, inlineVolumeSpec: inline }: Spec['source'],
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

function validateFixedSpec(next: Spec, old: Spec): FieldError[] {
  if (equalJson(next, old)) return [];
  return [fieldError.invalid('spec', printed(printGoSyntax(spec, next)), 'field is immutable')];
}

function validateStatus({ attachmentMetadata = {}, attachError, detachError }: OutputOf<typeof status>): FieldError[] {
  const errors: FieldError[] = [];
  if (areLongerThan(Object.entries(attachmentMetadata).flat(), MAX_SIZE))
    errors.push(fieldError.tooLong('status.attachmentMetadata', MAX_SIZE));
  for (const [field, error] of Object.entries({ attachError, detachError }))
    if (isLongerThan(error?.message ?? '', MAX_SIZE))
      errors.push(fieldError.tooLong(`status.${field}.message`, MAX_SIZE));
  return errors;
}

import type { ObjectMeta } from '../../../meta/object-meta.js';
import type { Column } from '../../../registry/resource-definition.js';
import { storageClassOf } from './storage-class-annotation.js';

/** A volume or a claim, as far as the columns of both show it. */
interface Classified {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
  };
}

export const classColumns: readonly Column<Classified>[] = [
  {
    name: 'StorageClass',
    type: 'string',
    description: 'Its class.',
    cell: ({ metadata, spec }) => storageClassOf(metadata, spec.storageClassName),
  },
  {
    name: 'VolumeAttributesClass',
    type: 'string',
    description: 'The class of its volume attributes.',
    cell: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
  },
];

export const volumeModeColumn: Column<Classified> = {
  name: 'VolumeMode',
  type: 'string',
  description: 'Filesystem or Block.',
  priority: 1,
  cell: ({ spec }) => spec.volumeMode ?? '<unset>',
};

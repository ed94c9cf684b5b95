import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { persistentVolumeSpec, persistentVolumeStatus } from './persistent-volume-spec.js';

export const persistentVolumeSchema = topLevel(
  'io.k8s.api.core.v1.PersistentVolume',
  'A piece of storage of the cluster.',
  () => ({
    spec: always(persistentVolumeSpec, 2, 'Where it is, and how it is used.'),
    status: always(persistentVolumeStatus, 3, 'What has become of it.'),
  }),
);
export type PersistentVolume = OutputOf<typeof persistentVolumeSchema>;

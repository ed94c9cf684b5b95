import { omitEmpty, string, struct } from '../../schema/authoring.js';

/** Names another object, in full. */
export const objectReference = struct(
  'io.k8s.api.core.v1.ObjectReference',
  'Names another object.',
  () => ({
    kind: omitEmpty(string(), 1, 'Kind of the object.'),
    namespace: omitEmpty(string(), 2, 'Namespace of the object.'),
    name: omitEmpty(string(), 3, 'Name of the object.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 4, 'Uid of the object.'),
    apiVersion: omitEmpty(string(), 5, 'Group and version of the object.'),
    resourceVersion: omitEmpty(string(), 6, 'Version of the object.'),
    fieldPath: omitEmpty(string(), 7, 'A part of the object.'),
  }),
  { mapType: 'atomic' },
);

/** Names an object of a known kind in the same namespace. */
export const localObjectReference = struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  'Names an object of the same namespace.',
  () => ({ name: omitEmpty(string(), 1, 'Name of the object.', { default: '' }) }),
  { mapType: 'atomic' },
);

/** Names a secret of some namespace. */
export const secretReference = struct(
  'io.k8s.api.core.v1.SecretReference',
  'Names a secret.',
  () => ({
    name: omitEmpty(string(), 1, 'Name of the secret.'),
    namespace: omitEmpty(string(), 2, 'Namespace of the secret.'),
  }),
  { mapType: 'atomic' },
);

import { omitEmpty, string, struct } from '../../schema/authoring.js';

/** Names another object, in full. */
export const objectReference = struct(
  'io.k8s.api.core.v1.ObjectReference',
  {
    kind: omitEmpty(string(), 'Kind of the object.'),
    namespace: omitEmpty(string(), 'Namespace of the object.'),
    name: omitEmpty(string(), 'Name of the object.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 'Uid of the object.'),
    apiVersion: omitEmpty(string(), 'Group and version of the object.'),
    resourceVersion: omitEmpty(string(), 'Version of the object.'),
    fieldPath: omitEmpty(string(), 'A part of the object.'),
  },
  { mapType: 'atomic', description: 'Names another object.' },
);

/** Names an object of a known kind in the same namespace. */
export const localObjectReference = struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  { name: omitEmpty(string(), 'Name of the object.', { default: '' }) },
  { mapType: 'atomic', description: 'Names an object of the same namespace.' },
);

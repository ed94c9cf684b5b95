import {
  always,
  int64,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  orNull,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';

const boundObjectReference = struct(
  'io.k8s.api.authentication.v1.BoundObjectReference',
  'Names the object that a token is bound to.',
  () => ({
    kind: omitEmpty(string(), 1, 'Kind of the object.'),
    apiVersion: omitEmpty(string(), 2, 'Group and version of the object.'),
    name: omitEmpty(string(), 3, 'Name of the object.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 4, 'Uid of the object.'),
  }),
);

/** The fields of a TokenRequest (spec 14.2). */
export const tokenRequestSchema = topLevel(
  'io.k8s.api.authentication.v1.TokenRequest',
  'Asks for a token of a service account.',
  () => ({
    spec: required(
      struct('io.k8s.api.authentication.v1.TokenRequestSpec', 'The requested token.', () => ({
        audiences: required(listAtomic(string()), 1, 'Audiences of the token.'),
        expirationSeconds: omitNull(int64(), 4, 'The requested validity in seconds; the answer has the actual one.'),
        boundObjectRef: orNull(boundObjectReference, 3, 'The token is valid only while this object exists.'),
      })),
      2,
      'The requested token.',
    ),
    status: always(
      struct('io.k8s.api.authentication.v1.TokenRequestStatus', 'The issued token.', () => ({
        token: required(string(), 1, 'The token.'),
        expirationTimestamp: required(time(), 2, 'When the token expires.'),
      })),
      3,
      'The issued token.',
    ),
  }),
);
export type TokenRequest = OutputOf<typeof tokenRequestSchema>;
export type BoundObjectReference = OutputOf<typeof boundObjectReference>;

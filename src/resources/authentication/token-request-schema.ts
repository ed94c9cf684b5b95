import {
  always,
  int64,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';

const V1 = 'io.k8s.api.authentication.v1';

const boundObjectReference = struct(
  `${V1}.BoundObjectReference`,
  {
    kind: omitEmpty(string(), 'Kind of the object.'),
    apiVersion: omitEmpty(string(), 'Group and version of the object.'),
    name: omitEmpty(string(), 'Name of the object.'),
    uid: omitEmpty(string({ typeName: 'types.UID' }), 'Uid of the object.'),
  },
  { description: 'Names the object that a token is bound to.' },
);

/** The fields of a TokenRequest (spec 14.2). */
export const tokenRequestSchema = topLevel(
  `${V1}.TokenRequest`,
  {
    spec: required(
      struct(
        `${V1}.TokenRequestSpec`,
        {
          audiences: required(listAtomic(string()), 'Audiences of the token.'),
          expirationSeconds: omitNull(int64(), 'The requested validity in seconds; the answer has the actual one.'),
          boundObjectRef: omitNull(boundObjectReference, 'The token is valid only while this object exists.'),
        },
        { description: 'The requested token.' },
      ),
      'The requested token.',
    ),
    status: always(
      struct(
        `${V1}.TokenRequestStatus`,
        {
          token: required(string(), 'The token.'),
          expirationTimestamp: required(time(), 'When the token expires.'),
        },
        { description: 'The issued token.' },
      ),
      'The issued token.',
    ),
  },
  { description: 'Asks for a token of a service account.' },
);
export type TokenRequest = OutputOf<typeof tokenRequestSchema>;
export type BoundObjectReference = OutputOf<typeof boundObjectReference>;

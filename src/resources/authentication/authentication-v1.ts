import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AuthenticationV1 } from './authentication-v1.types.js';

/** The structs of authentication/v1. */
export const authenticationV1 = /* @__PURE__ */ fieldTable<AuthenticationV1>(
  'io.k8s.api.authentication.v1',
  { meta: metaV1 },
  `
ExtraValue = []string

TokenRequest kind                Requests a token of a service account.
  spec    2  TokenRequestSpec!   The requested token.
  status  3  TokenRequestStatus  The issued token.

TokenRequestSpec                               The requested token.
  audiences          1  []string atomic!       Audiences of the token.
  expirationSeconds  4  int64*                 The requested validity in seconds; the status has the actual expiration.
  boundObjectRef     3  BoundObjectReference~  The token is valid only while this object exists.

BoundObjectReference        Names the object that a token is bound to.
  kind        1  string?    Kind of the object.
  apiVersion  2  string?    Group and version of the object.
  name        3  string?    Name of the object.
  uid         4  meta.UID?  Uid of the object.

TokenRequestStatus                 The issued token.
  token                1  string!  The token.
  expirationTimestamp  2  Time!    When the token expires.

TokenReview kind                Reports the user that a token belongs to.
  spec    2  TokenReviewSpec!   The token and the audiences to review.
  status  3  TokenReviewStatus  The result.

TokenReviewSpec                   The token to review.
  token      1  string?           The token.
  audiences  2  []string atomic?  Audiences that the token must have; empty means this server.

TokenReviewStatus                     The result.
  authenticated  1  bool?             Whether the token belongs to a known user.
  user           2  UserInfo          The user.
  audiences      4  []string atomic?  The requested audiences that the token has.
  error          3  string?           Why the token is not valid.

UserInfo                         A user.
  username  1  string?           Name of the user.
  uid       2  string?           Distinguishes users that have the same name at different times.
  groups    3  []string atomic?  Groups of the user.
  extra     4  map(ExtraValue)?  Extra attributes of the user.

SelfSubjectReview kind                Reports the user of the request.
  status  2  SelfSubjectReviewStatus  The result.

SelfSubjectReviewStatus  The result.
  userInfo  1  UserInfo  The user of the request.
`,
);

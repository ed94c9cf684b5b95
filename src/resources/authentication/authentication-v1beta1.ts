import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AuthenticationV1beta1 } from './authentication-v1beta1.types.js';

/** The structs of authentication/v1beta1. */
export const authenticationV1beta1 = /* @__PURE__ */ fieldTable<AuthenticationV1beta1>(
  'io.k8s.api.authentication.v1beta1',
  { meta: metaV1 },
  `
ExtraValue = []string

SelfSubjectReview kind                Asks who the caller is.
  status  2  SelfSubjectReviewStatus  The answer.

SelfSubjectReviewStatus  The answer.
  userInfo  1  UserInfo  The caller.

UserInfo                         A user.
  username  1  string?           Name of the user.
  uid       2  string?           Tells users of one name apart.
  groups    3  []string atomic?  Groups of the user.
  extra     4  map(ExtraValue)?  Extra attributes of the user.
`,
);

import type { ResourceDefinition } from '../registry/resource-definition.js';
import { selfSubjectReview } from './authentication/self-subject-review.js';
import { tokenReview } from './authentication/token-review.js';
import { localSubjectAccessReview } from './authorization/local-subject-access-review.js';
import { selfSubjectAccessReview } from './authorization/self-subject-access-review.js';
import { selfSubjectRulesReview } from './authorization/self-subject-rules-review.js';
import { subjectAccessReview } from './authorization/subject-access-review.js';
import { certificateSigningRequest } from './certificates/certificate-signing-request.js';
import { clusterTrustBundle } from './certificates/cluster-trust-bundle.js';
import { lease } from './coordination/lease.js';
import { configMap } from './core/config-map.js';
import { coreEvent, event } from './core/event/event.js';
import { namespace } from './core/namespace.js';
import { node } from './core/node/node.js';
import { pod } from './core/pod/pod.js';
import { secret } from './core/secret.js';
import { serviceAccount } from './core/service-account.js';
import { clusterRole } from './rbac/cluster-role.js';
import { clusterRoleBinding } from './rbac/cluster-role-binding.js';
import { role } from './rbac/role.js';
import { roleBinding } from './rbac/role-binding.js';

/** Every built-in kind; groups in the order the reference ranks them, as discovery lists them. */
export const builtinResources: readonly ResourceDefinition[] = [
  namespace,
  configMap,
  secret,
  serviceAccount,
  pod,
  node,
  coreEvent,
  event,
  tokenReview,
  selfSubjectReview,
  subjectAccessReview,
  selfSubjectAccessReview,
  localSubjectAccessReview,
  selfSubjectRulesReview,
  certificateSigningRequest,
  clusterTrustBundle,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  lease,
];

import type { ResourceDefinition } from '../registry/resource-definition.js';
import { certificateSigningRequest } from './certificate-signing-request.js';
import { clusterRole } from './cluster-role.js';
import { clusterRoleBinding } from './cluster-role-binding.js';
import { clusterTrustBundle } from './cluster-trust-bundle.js';
import { configMap } from './config-map.js';
import { coreEvent, event } from './event.js';
import { lease } from './lease.js';
import { localSubjectAccessReview } from './local-subject-access-review.js';
import { namespace } from './namespace.js';
import { node } from './node.js';
import { pod } from './pod.js';
import { role } from './role.js';
import { roleBinding } from './role-binding.js';
import { secret } from './secret.js';
import { selfSubjectAccessReview } from './self-subject-access-review.js';
import { selfSubjectReview } from './self-subject-review.js';
import { selfSubjectRulesReview } from './self-subject-rules-review.js';
import { serviceAccount } from './service-account.js';
import { subjectAccessReview } from './subject-access-review.js';
import { tokenReview } from './token-review.js';

/** Every built-in kind; groups in the order the reference ranks them, as discovery tells them. */
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

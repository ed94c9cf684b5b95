import type { ResourceDefinition } from '../registry/resource-definition.js';
import { admissionregistrationKinds } from './admissionregistration/index.js';
import { apiextensionsKinds } from './apiextensions/index.js';
import { apiregistrationKinds } from './apiregistration/index.js';
import { apiserverInternalKinds } from './apiserverinternal/index.js';
import { appsKinds } from './apps/index.js';
import { authenticationKinds } from './authentication/index.js';
import { authorizationKinds } from './authorization/index.js';
import { autoscalingKinds } from './autoscaling/index.js';
import { batchKinds } from './batch/index.js';
import { certificatesKinds } from './certificates/index.js';
import { coordinationKinds } from './coordination/index.js';
import { coreKinds } from './core/index.js';
import { discoveryKinds } from './discovery/index.js';
import { eventsKinds } from './events/index.js';
import { flowControlKinds } from './flowcontrol/index.js';
import { networkingKinds } from './networking/index.js';
import { nodeKinds } from './node/index.js';
import { policyKinds } from './policy/index.js';
import { rbacKinds } from './rbac/index.js';
import { resourceKinds } from './resource/index.js';
import { schedulingKinds } from './scheduling/index.js';
import { storageKinds } from './storage/index.js';

/** All built-in kinds. Groups are in upstream's order of priority, in which discovery lists them. */
export const builtinResources: readonly ResourceDefinition[] = /* @__PURE__ */ [
  coreKinds,
  apiregistrationKinds,
  appsKinds,
  eventsKinds,
  authenticationKinds,
  authorizationKinds,
  autoscalingKinds,
  batchKinds,
  certificatesKinds,
  networkingKinds,
  policyKinds,
  rbacKinds,
  storageKinds,
  admissionregistrationKinds,
  apiextensionsKinds,
  schedulingKinds,
  coordinationKinds,
  nodeKinds,
  discoveryKinds,
  flowControlKinds,
  apiserverInternalKinds,
  resourceKinds,
].flat();

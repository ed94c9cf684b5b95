import type { ResourceDefinition } from '../registry/resource-definition.js';
import { authenticationKinds } from './authentication/index.js';
import { authorizationKinds } from './authorization/index.js';
import { certificatesKinds } from './certificates/index.js';
import { coordinationKinds } from './coordination/index.js';
import { coreKinds } from './core/index.js';
import { eventsKinds } from './events/index.js';
import { rbacKinds } from './rbac/index.js';

/** Every built-in kind; groups in the order the reference ranks them, as discovery lists them. */
export const builtinResources: readonly ResourceDefinition[] = /* @__PURE__ */ [
  coreKinds,
  eventsKinds,
  authenticationKinds,
  authorizationKinds,
  certificatesKinds,
  rbacKinds,
  coordinationKinds,
].flat();

import { defaultAdmission } from './admission/default-admission.js';
import type { ApiServerOptions } from './api-server-options.js';
import { makeLocalApiServices } from './controllers/aggregation/local-api-services.js';
import { defaultControllers } from './controllers/default-controllers.js';
import { defaultRoleSeeds, makeDefaultRoles } from './controllers/roles/default-roles.js';
import { roleKinds } from './controllers/roles/role-kinds.js';
import { apiService } from './resources/apiregistration/index.js';
import { flowSchema, priorityLevelConfiguration } from './resources/flowcontrol/index.js';
import { builtinResources } from './resources/index.js';
import { CoreApiServer } from './server/core-api-server.js';
import type { ServerDefaults } from './server/defaults.js';

const DEFAULTS: ServerDefaults = {
  resources: builtinResources,
  controllers: defaultControllers,
  admission: defaultAdmission,
  // Loaded later it would take its kinds along into the bundle of whoever serves others.
  makeRoles: makeDefaultRoles,
  roleSeeds: defaultRoleSeeds,
  roleKinds,
  onFirstUse: [{ kind: apiService, make: makeLocalApiServices }],
  flowControl: {
    make: async (options) => (await import('./flow-control/flow-control.js')).makeFlowControl(options),
    kinds: [flowSchema, priorityLevelConfiguration],
  },
};

/**
 * A control plane in this process: resources, validation, watches, controllers, behind one request function and a
 * typed client. Two servers know nothing of each other. Reaching it by network is `orch-apiserver/http`'s part.
 */
export class ApiServer extends CoreApiServer {
  /** @throws TypeError for an option that does not exist, has a value it cannot have, or names what is not there. */
  constructor(options: ApiServerOptions = {}) {
    super(options, DEFAULTS);
  }
}

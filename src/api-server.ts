import { defaultAdmission } from './admission/default-admission.js';
import type { ApiServerOptions } from './api-server-options.js';
import { makeLocalApiServices } from './controllers/aggregation/local-api-services.js';
import { defaultControllers } from './controllers/default-controllers.js';
import { roleKinds } from './controllers/roles/role-kinds.js';
import { apiService } from './resources/apiregistration/api-service.js';
import { flowSchema } from './resources/flowcontrol/flow-schema.js';
import { priorityLevelConfiguration } from './resources/flowcontrol/priority-level.js';
import { builtinResources } from './resources/index.js';
import { CoreApiServer } from './server/core-api-server.js';
import type { ServerDefaults } from './server/defaults.js';

const defaultRoles = () => import('./controllers/roles/default-roles.js');

const DEFAULTS: ServerDefaults = {
  resources: builtinResources,
  controllers: defaultControllers,
  admission: defaultAdmission,
  makeRoles: async (host, client) => await (await defaultRoles()).makeDefaultRoles(host, client),
  roleSeeds: async (host) => (await defaultRoles()).defaultRoleSeeds(host),
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

import type { ApiServerOptions } from './api-server-options.js';
import { defaultControllers } from './controllers/default-controllers.js';
import { defaultRoles } from './controllers/roles/default-roles.js';
import { defaultAdmission } from './plugins/default-admission.js';
import { builtinResources } from './resources/index.js';
import { CoreApiServer } from './server/core-api-server.js';
import type { ServerDefaults } from './server/defaults.js';

const DEFAULTS: ServerDefaults = {
  resources: builtinResources,
  controllers: defaultControllers,
  admission: defaultAdmission,
  roles: defaultRoles,
  flowControl: async (options) => (await import('./flow-control/flow-control.js')).makeFlowControl(options),
};

/**
 * A control plane in this process: resources, validation, watches and controllers, behind one request function and a typed client. Two
 * servers in a process share nothing. `orch-apiserver/http` serves it over the network.
 */
export class ApiServer extends CoreApiServer {
  /** @throws TypeError for an unknown option, a value out of range, and the name of an unknown controller, feature gate or API version. */
  constructor(options: ApiServerOptions = {}) {
    super(options, DEFAULTS);
  }
}

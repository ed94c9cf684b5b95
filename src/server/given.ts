import type { ApiServerOptions } from '../api-server-options.js';
import { defaultControllers } from '../controllers/default-controllers.js';
import { selectControllers } from '../controllers/select-controllers.js';
import { dialectOf } from '../meta/dialect.js';
import { pluginsOf } from '../meta/plugin-list.js';
import { InProcessWebhooks } from '../outbound/in-process-webhooks.js';
import { servedDefinitions } from '../registry/served/runtime-config.js';
import { builtinResources } from '../resources/index.js';
import { accountTokens } from '../tokens/account-tokens.js';
import { checkOptions } from './check-options.js';
import { OwnAuthority } from './own-authority.js';
import type { Given } from './parts.js';

/**
 * What follows from the options of a server alone.
 * @throws TypeError for an option that does not exist, has a value it cannot have, or names what is not there.
 */
export function readOptions(options: ApiServerOptions): Given {
  checkOptions(options);
  const dialect = dialectOf(options.dialect ?? 'orch');
  return {
    options,
    dialect,
    ownAuthority: new OwnAuthority(options, `${dialect.name}-ca`),
    accountTokens: accountTokens(options.serviceAccountTokens ?? {}, dialect, options.signatures),
    served: servedDefinitions(pluginsOf(options.resources, builtinResources), options.runtimeConfig ?? {}, dialect),
    controllers: selectControllers(pluginsOf(options.controllers, defaultControllers), options.runControllers ?? ['*']),
    progress: { rolesReady: false, namespacesReady: false, closing: false },
    webhooks: new InProcessWebhooks(),
  };
}

import type { ResourceDefinition } from '../registry/resource-definition.js';
import { configMap } from './config-map.js';
import { lease } from './lease.js';
import { namespace } from './namespace.js';
import { secret } from './secret.js';
import { serviceAccount } from './service-account.js';

/** Every built-in kind. */
export const builtinResources: readonly ResourceDefinition[] = [namespace, configMap, secret, serviceAccount, lease];

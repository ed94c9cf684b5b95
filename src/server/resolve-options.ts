import type { ApiServerOptions, ControllerOptions } from '../api-server-options.js';
import type { ControllerDefinition } from '../controllers/controller.js';
import { completeElection, ELECTION_DEFAULTS } from '../controllers/leader-election/election-options.js';
import { dialectOf } from '../meta/dialect.js';
import { featureGates, readSwitches } from '../meta/features/feature-gates.js';
import { type PluginList, pluginsOf, requireUniqueNames } from '../meta/plugin-list.js';
import { ServiceTargets } from '../outbound/service-targets.js';
import { servedByDefault, servedDefinitions } from '../registry/served/runtime-config.js';
import { accountTokens } from '../tokens/account-tokens.js';
import { didYouMean } from '../values/did-you-mean.js';
import { checkOptions, checkPolicy } from './check-options.js';
import type { ServerDefaults } from './defaults.js';
import { serverMetrics } from './metrics.js';
import { OwnAuthority } from './own-authority.js';
import { NO_PROGRESS, type ResolvedOptions } from './parts.js';
import type { Origin } from './server-snapshot.js';

/**
 * Validates the options, and computes from them everything that a server needs before it opens its storage.
 * @throws TypeError for an unknown option, a value out of range, and the name of an unknown controller, feature gate or API version.
 */
export function resolveOptions(unchecked: ApiServerOptions, defaults: ServerDefaults): ResolvedOptions {
  const options = checkOptions(unchecked);
  const dialect = dialectOf(options.dialect ?? 'orch');
  if (options.audit) checkPolicy(options.audit, dialect);
  const resources = pluginsOf(options.resources, defaults.resources ?? []);
  const switches = readSwitches(options.featureGates);
  const gates = featureGates(switches);
  const chosen = options.controllers ?? {};
  const {
    definitions,
    run = ['*'],
    mode = 'automatic',
    leaderElection,
  }: ControllerOptions = isPluginList(chosen) ? { definitions: chosen } : chosen;
  const ownControllers = defaults.controllers ?? [];
  const controllers = withServersOwn(pluginsOf(definitions, ownControllers), ownControllers);
  return {
    options,
    defaults,
    dialect,
    ownAuthority: new OwnAuthority(options, `${dialect.name}-ca`),
    accountTokens: accountTokens(options.serviceAccountTokens ?? {}, dialect, options.signatures),
    switches,
    gates,
    served: options.runtimeConfig
      ? servedDefinitions(resources, options.runtimeConfig, dialect, gates, options.log)
      : servedByDefault(resources, dialect, gates),
    controllers: selectControllers(controllers, run),
    controllerMode: mode,
    leaderElection:
      typeof leaderElection === 'object'
        ? { wanted: true, settings: completeElection(leaderElection) }
        : { wanted: leaderElection, settings: ELECTION_DEFAULTS },
    progress: { ...NO_PROGRESS },
    services: new ServiceTargets(options.services, options.network?.aggregatorRouting),
    metrics: options.metrics ? serverMetrics(options, options.metrics, dialect) : undefined,
    interception: { interceptors: [], observer: undefined },
    scheduling: { scheduler: undefined },
  };
}

/** Returns whether the option is a plug-in list. A type guard is needed, because `Array.isArray` alone does not narrow readonly arrays. */
const isPluginList = (
  controllers: NonNullable<ApiServerOptions['controllers']>,
): controllers is PluginList<ControllerDefinition> => Array.isArray(controllers) || typeof controllers === 'function';

/**
 * Adds the API server's own controllers to a list that lacks them, because they create the namespaces, the Service and the other default
 * objects of the API server. So a configured list replaces the controllers of the controller manager. It replaces a controller of the API
 * server itself only by a controller with the same name.
 */
function withServersOwn(
  configured: readonly ControllerDefinition[],
  defaults: readonly ControllerDefinition[],
): readonly ControllerDefinition[] {
  if (configured === defaults) return defaults;
  const names = new Set(configured.map(({ name }) => name));
  const missing = defaults.filter(({ name, ofServer = false }) => ofServer && !names.has(name));
  return missing.length === 0 ? configured : [...missing, ...configured];
}

/** Returns the resolved options of a server that is taken back to an earlier state and has not started again. */
export const restartedFrom = ({ kinds }: Pick<Origin, 'kinds'>, resolved: ResolvedOptions): ResolvedOptions => ({
  ...resolved,
  served: kinds,
  progress: { ...NO_PROGRESS },
});

/**
 * Returns the controllers that are to run (spec 16.1).
 * @param selection the entries of the option `run`: `*` for all controllers that run by default, `name`, or `-name`. The first entry that
 * names a controller decides.
 * @throws TypeError for a name that no controller has, and for two controllers with the same name.
 */
export function selectControllers(
  definitions: readonly ControllerDefinition[],
  selection: readonly string[],
): ControllerDefinition[] {
  for (const word of selection) {
    const name = word.replace(/^-/, '');
    if (name === '*' || definitions.some(({ switchedBy }) => switchedBy?.includes(name))) continue;
    const known = new Set(definitions.flatMap(({ switchedBy = [] }) => switchedBy));
    throw new TypeError(`controllers: there is no controller with the name "${word}"${didYouMean(name, known)}`);
  }
  requireUniqueNames('controllers', definitions);
  return definitions.filter(({ switchedBy, onRequest = false }) => {
    if (!switchedBy) return true;
    const chosen = selection.find((word) => switchedBy.includes(word.replace(/^-/, '')));
    return chosen === undefined ? selection.includes('*') && !onRequest : !chosen.startsWith('-');
  });
}

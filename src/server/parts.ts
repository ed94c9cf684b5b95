import type { ApiServerOptions } from '../api-server-options.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ControllerDefinition, ControllerHost } from '../controllers/controller.js';
import type { ControllerManager } from '../controllers/controller-manager.js';
import type { Scheduling } from '../controllers/controller-scheduler.js';
import type { LeaderElectionOptions } from '../controllers/leader-election/election-options.js';
import { apiError } from '../meta/api-error.js';
import { awaitedTimer, sleep } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import type { FeatureGates } from '../meta/features/gates.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ServiceTargets } from '../outbound/service-targets.js';
import type { StoreListers } from '../registry/reads/store-listers.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RequestEnvironment } from '../requests/environment.js';
import type { Interception } from '../requests/interception.js';
import type { Storage } from '../store/storage.js';
import type { OwnAccountTokens } from '../tokens/account-tokens.js';
import type { ServerDefaults, ServerRoles } from './defaults.js';
import type { ServerMetrics } from './metrics.js';
import type { OwnAuthority } from './own-authority.js';
import type { OwnObjects } from './saved-state.js';

/** The progress of a server's start and shutdown, which health checks read. */
export interface Progress {
  /** Whether the default roles exist, or this server has no default roles. */
  rolesReady: boolean;
  /** Whether the system's namespaces were created. */
  namespacesReady: boolean;
  /** Whether the start is complete. */
  started: boolean;
  closing: boolean;
}

/** The values that are derived from the options before a server starts. */
export interface ResolvedOptions {
  readonly options: ApiServerOptions;
  readonly defaults: ServerDefaults;
  readonly dialect: Dialect;
  readonly ownAuthority: OwnAuthority;
  readonly accountTokens: OwnAccountTokens;
  /** The feature gates that the options set, by name. */
  readonly switches: Readonly<Record<string, boolean>>;
  /** All feature gates with their values. */
  readonly gates: FeatureGates;
  /** The kinds that are served at the start. */
  readonly served: readonly ResourceDefinition[];
  /** The controllers that run. */
  readonly controllers: readonly ControllerDefinition[];
  readonly controllerMode: 'automatic' | 'stepped';
  readonly leaderElection: {
    /**
     * Whether servers with the same storage elect one of them to run the controllers; undefined means that they do if the storage is
     * shared.
     */
    readonly wanted: boolean | undefined;
    readonly settings: Required<LeaderElectionOptions>;
  };
  readonly progress: Progress;
  readonly services: ServiceTargets;
  /** Undefined if metrics are off. */
  readonly metrics: ServerMetrics | undefined;
  /** The interceptors of requests, which may be added before the start. */
  readonly interception: Interception;
  /** The scheduler of the controllers, which may be set before the start. */
  readonly scheduling: Scheduling;
}

/** The parts of a running server. */
export interface ServerParts {
  readonly resolved: ResolvedOptions;
  readonly host: ControllerHost;
  /** The default roles; undefined if they are not created, because no authorizer uses roles. */
  readonly roles: ServerRoles | undefined;
  /**
   * Whether initial objects may be written directly to the storage. This is only the case if all admission plug-ins are default ones and
   * there is no audit, because custom plug-ins and the audit must see these writes.
   */
  readonly seeds: boolean;
  readonly environment: RequestEnvironment;
  /** The authorizers, in the order in which they are called. */
  readonly authorizers: readonly Authorizer[];
  readonly storage: Storage<ApiObject>;
  /** The objects that the server created by itself at its start. */
  readonly own: OwnObjects;
  readonly listers: StoreListers;
  /** Stops the removal of expired objects. */
  readonly stopExpiry: () => void;
  readonly controllers: ControllerManager;
}

/** The progress of a server that has not begun to start. Each server changes a copy. */
export const NO_PROGRESS: Readonly<Progress> = {
  rolesReady: false,
  namespacesReady: false,
  started: false,
  closing: false,
};

/**
 * Closes all parts that use the storage, then the storage itself. The audit sinks stay open, because a restored server continues to use
 * them.
 */
async function closeParts({ environment, controllers, listers, stopExpiry, storage }: ServerParts): Promise<void> {
  await controllers.close();
  environment.flowControl?.close();
  environment.timeouts.close();
  listers.close();
  stopExpiry();
  await storage.close();
}

/** Closes the parts of a server that goes back to a revision. Watches end with 410, so that clients list again. */
export async function replaceParts(parts: ServerParts, revision: number): Promise<void> {
  const { storage } = parts;
  storage.endWatches?.(apiError.expired(`too old resource version: ${storage.revision} (${revision})`));
  await closeParts(parts);
}

/**
 * Closes the parts that a failed start has opened. If the closing fails as well, that error is only logged, because the caller needs the
 * error of the start.
 */
export async function closeFailed(
  parts: ServerParts | undefined,
  storage: Storage<ApiObject>,
  log: (message: string) => void = () => {},
): Promise<void> {
  try {
    await (parts ? closeParts(parts) : storage.close());
    await parts?.environment.audit?.close();
  } catch (error) {
    log(`the storage could not be closed: ${String(error)}`);
  }
}

/** The default of `shutdown.grace`, in milliseconds. */
const SHUTDOWN_GRACE = 10_000;

/** Waits for `shutdown.delay`. With `shutdown.sendRetryAfter`, it also waits until the requests in flight are answered. */
export async function drainClients(parts: ServerParts): Promise<void> {
  const { environment, resolved } = parts;
  const { delay = 0, sendRetryAfter = false } = resolved.options.shutdown ?? {};
  if (delay > 0) await sleep(environment.host.clock, delay, undefined, 'delay of the shutdown');
  if (!sendRetryAfter) return;
  environment.shutdown.stage = 'retry';
  await waitForAnswers(parts);
}

/** Ends the controllers, refuses further requests, waits for those in flight and closes everything. */
export async function finish(parts: ServerParts): Promise<void> {
  const { controllers, environment } = parts;
  await controllers.close();
  if (environment.shutdown.stage === 'serving') environment.shutdown.stage = 'unavailable';
  await waitForAnswers(parts);
  await closeParts(parts);
  await environment.audit?.close();
}

/** Waits until no request is in flight, but at most `shutdown.grace`. */
async function waitForAnswers({ environment, resolved }: ServerParts): Promise<void> {
  const { host, shutdown } = environment;
  if (shutdown.requests.size === 0) return;
  const { grace = SHUTDOWN_GRACE } = resolved.options.shutdown ?? {};
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = awaitedTimer(host.clock, resolve, grace, 'end of the grace for requests in flight');
  });
  await Promise.race([shutdown.idle(), timeout]);
  cancel();
}

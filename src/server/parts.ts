import type { ApiServerOptions } from '../api-server-options.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ControllerDefinition, ControllerHost } from '../controllers/controller.js';
import type { ControllerManager } from '../controllers/controller-manager.js';
import type { Dialect } from '../meta/dialect.js';
import type { FeatureGates } from '../meta/features/gates.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ServiceTargets } from '../outbound/service-targets.js';
import type { StoreListers } from '../registry/reads/store-listers.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RequestEnvironment } from '../requests/environment.js';
import type { Storage } from '../store/storage.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { ServerDefaults } from './defaults.js';
import type { ServerMetrics } from './metrics.js';
import type { OwnAuthority } from './own-authority.js';
import type { OwnObjects } from './saved-state.js';
import type { FirstUses } from './starting/first-uses.js';

/** How far a server is in its life; health checks read it. */
export interface Progress {
  /** Whether the default roles are there, or this server has none. */
  rolesReady: boolean;
  /** Whether the system's namespaces were made. */
  namespacesReady: boolean;
  /** Whether everything that a start does is done. */
  started: boolean;
  closing: boolean;
}

/** What a server has before it starts. */
export interface Given {
  readonly options: ApiServerOptions;
  readonly defaults: ServerDefaults;
  readonly dialect: Dialect;
  readonly ownAuthority: OwnAuthority;
  readonly accountTokens: AccountTokens;
  /** The feature gates that were switched, by name. */
  readonly switches: Readonly<Record<string, boolean>>;
  /** Which features are on. */
  readonly gates: FeatureGates;
  /** The kinds that are served at the start. */
  readonly served: readonly ResourceDefinition[];
  /** Those that run. */
  readonly controllers: readonly ControllerDefinition[];
  readonly progress: Progress;
  readonly services: ServiceTargets;
  /** Undefined where nothing is counted. */
  readonly metrics: ServerMetrics | undefined;
}

/** What a server starts once it can answer requests. */
export interface StartingControllers {
  readonly host: ControllerHost;
  readonly definitions: readonly ControllerDefinition[];
  readonly defaults: ServerDefaults;
  /** Whether roles are asked. */
  readonly roles: boolean;
  /** Whether what a server begins with may be stored past requests: only the default plug-ins would see it. */
  readonly seeds: boolean;
  readonly progress: Progress;
  readonly firstUses: FirstUses;
  /** What requests are answered with that do not wait for a first use. */
  readonly unasked: RequestEnvironment;
}

/** Everything a running server is made of. */
export interface ServerParts {
  readonly environment: RequestEnvironment;
  /** In the order they are asked. */
  readonly authorizers: readonly Authorizer[];
  readonly storage: Storage<ApiObject>;
  /** What the server made by itself, unless it was changed since. */
  readonly own: OwnObjects;
  readonly listers: StoreListers;
  /** Ends that what expires is removed. */
  readonly stopExpiry: () => void;
  readonly controllers: ControllerManager;
  /** What is started once requests can be answered. */
  readonly starting: StartingControllers;
}

/** Ends what follows the storage, then the storage itself. */
export async function closeParts({
  environment,
  controllers,
  listers,
  stopExpiry,
  storage,
}: ServerParts): Promise<void> {
  environment.flowControl?.close();
  controllers.close();
  listers.close();
  stopExpiry();
  await storage.close();
  await environment.audit?.close();
}

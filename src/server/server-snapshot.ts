import type { ApiServerOptions } from '../api-server-options.js';
import type { Clock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import { MemorySnapshot } from '../store/memory-snapshot.js';
import { MemoryState } from '../store/memory-state.js';
import { checkForkOptions } from './check-options.js';
import { serverMetrics } from './metrics.js';
import { NO_PROGRESS, type ResolvedOptions, type ServerParts } from './parts.js';
import type { OwnObjects } from './saved-state.js';

/** The state with which a forked or restored server begins, instead of an empty storage. */
export interface Origin {
  readonly state: MemorySnapshot<ApiObject>;
  /** The kinds that were served without a custom resource definition. */
  readonly kinds: readonly ResourceDefinition[];
  /** All kinds that were served. */
  readonly served: RegistrySnapshot;
  readonly own: OwnObjects;
}

/** The resolved options and the initial state of a fork, which is a separate server that continues from a snapshot. */
export interface Fork {
  readonly resolved: ResolvedOptions;
  readonly origin: Origin;
}

/** Options of a fork that replace those of the original server. */
export interface ForkOptions {
  /**
   * The clock of the fork. Default: a fork of the server's clock if that clock can be forked (the clock of `createFakeClock` can);
   * otherwise both share the clock.
   */
  readonly clock?: Clock;
  /**
   * The source of random values of the fork. Default: a fork of the server's source if it can be forked; otherwise both share the source.
   */
  readonly random?: Random;
}

/**
 * An immutable view of the state of a server at one moment: all objects and the history before it. Creating a snapshot costs almost
 * nothing.
 */
export class ServerSnapshot {
  /** The resourceVersion that a list of this state would have. */
  readonly revision: number;
  readonly #origin: Origin;

  constructor(origin: Origin) {
    this.revision = origin.state.revision;
    this.#origin = origin;
  }

  /** Returns all objects, in the order of their keys in the storage. They are frozen. */
  objects(): readonly ApiObject[] {
    return this.#origin.state.list('/').map(({ value }) => value);
  }

  /**
   * Returns the state of a forked or restored server that has not started yet.
   * @param revision default: the revision of the origin.
   * @throws StoreError for a revision that the history does not contain.
   */
  static of(origin: Origin, clock: Clock, revision = origin.state.revision): ServerSnapshot {
    if (revision === origin.state.revision) return new ServerSnapshot(origin);
    return new ServerSnapshot({ ...origin, state: new MemoryState({ clock, from: origin.state }).snapshot(revision) });
  }

  /**
   * Returns the initial state for a server that is forked from a snapshot or restored to it.
   * @throws TypeError for any other value.
   */
  static originOf(snapshot: ServerSnapshot): Origin {
    if (!(#origin in Object(snapshot)))
      throw new TypeError('restore: the argument must be a snapshot: server.snapshot() returns one');
    return snapshot.#origin;
  }
}

/**
 * Returns the state of a running server at a revision.
 * @param revision default: the current one.
 * @throws TypeError if its storage cannot be forked; StoreError for a revision that its history does not contain.
 */
export function takeSnapshot(
  { storage, environment, own }: ServerParts,
  kinds: readonly ResourceDefinition[],
  revision?: number,
): ServerSnapshot {
  const state = storage.snapshot?.(revision);
  if (!(state instanceof MemorySnapshot))
    throw new TypeError('this storage cannot be forked: it has no method snapshot, or the method returned undefined');
  return new ServerSnapshot({ state, kinds, served: environment.registry.current, own });
}

/**
 * Creates the options and the state of a fork. The fork has no interceptors, and no audit, because the sinks belong to the original server.
 * @throws TypeError for an option that does not exist or has a wrong type.
 */
export function forkOf(resolved: ResolvedOptions, snapshot: ServerSnapshot, changes: ForkOptions): Fork {
  checkForkOptions(changes);
  const origin = ServerSnapshot.originOf(snapshot);
  const { audit: _, ...kept } = resolved.options;
  const clock = changes.clock ?? kept.clock?.fork?.() ?? kept.clock;
  const random = changes.random ?? kept.random?.fork?.() ?? kept.random;
  const options: ApiServerOptions = { ...kept, ...(clock ? { clock } : {}), ...(random ? { random } : {}) };
  const forked: ResolvedOptions = {
    ...resolved,
    options,
    ownAuthority: resolved.ownAuthority.fork(options),
    served: origin.kinds,
    progress: { ...NO_PROGRESS },
    interception: { interceptors: [], observer: undefined },
    scheduling: { scheduler: undefined },
    services: resolved.services.clone(),
    metrics: options.metrics ? serverMetrics(options, options.metrics, resolved.dialect) : undefined,
  };
  return { resolved: forked, origin };
}

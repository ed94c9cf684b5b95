import { CLOSED } from '../requests/interception.js';
import type { PendingKey } from './controller.js';
import type { ControllerCache } from './controller-cache.js';

/** A key that waits to be reconciled. */
export type QueuedKey = Pick<PendingKey, 'controller' | 'key'>;

/** Reconciles one queued key. Resolves with the error's message if the work failed, and with undefined otherwise. */
export type Reconcile = (key: QueuedKey) => Promise<string | undefined>;

/** Decides, for a test, in which order the keys of all controllers are reconciled. */
export interface ControllerScheduler {
  /**
   * Chooses one queued key and reconciles it, or releases one change that a cache holds back. It is called repeatedly while the server
   * settles.
   * @param queued returns the queued keys, in the order in which their controllers were started. There are none in automatic mode.
   * @returns whether there was anything to do.
   */
  step(queued: () => readonly QueuedKey[], reconcile: Reconcile): Promise<boolean>;
  /** Called when a key is queued that was not queued before. */
  queued(key: QueuedKey): void;
  /** Returns a queued key with its state, which is `held` if the scheduler holds the key back. */
  pending(key: PendingKey): PendingKey;
  /** Called with the cache through which a controller begins to read a kind. */
  opened(cache: ControllerCache): void;
}

/** Holds the scheduler of a server, which may be set and removed while the server runs. */
export interface Scheduling {
  scheduler: ControllerScheduler | undefined;
}

/**
 * The controllers of a server, as its scheduler sees them. When the server is restored from a snapshot, its controllers are replaced, and
 * the methods then use the new controllers.
 */
export interface ScheduledControllers {
  /**
   * Whether the controllers are in the mode `stepped`, in which they run only when the server settles. In automatic mode, {@link queued}
   * and {@link caches} are empty.
   */
  readonly isStepped: boolean;
  /** The names of the controllers that the options of the server select, whether they have started or not. */
  readonly names: readonly string[];
  /** Returns the keys that wait for their reconciliation. */
  queued(): readonly QueuedKey[];
  /** Reconciles one key of a controller. */
  readonly reconcile: Reconcile;
  /** Returns the caches that the controllers read. */
  caches(): readonly ControllerCache[];
  /** Returns the number of requests to the server that are in progress. */
  requests(): number;
  /** Removes the scheduler. Afterwards the controllers run in the order in which they were started. */
  end(): void;
}

/** The members of a server's resolved options that {@link scheduleControllers} uses. */
interface SchedulingOptions {
  readonly scheduling: Scheduling;
  readonly controllerMode: 'automatic' | 'stepped';
  readonly controllers: readonly { readonly name: string }[];
  readonly progress: { readonly closing: boolean };
}

/** The members of a running server that {@link scheduleControllers} uses. */
interface RunningServer {
  readonly controllers: Pick<ScheduledControllers, 'queued' | 'reconcile' | 'caches'>;
  readonly environment: { readonly shutdown: { readonly requests: { readonly size: number } } };
}

/**
 * Sets the scheduler of a server.
 * @param running returns the running server; undefined before its start.
 * @throws TypeError if the server has a scheduler already, or is closing or closed.
 */
export function scheduleControllers(
  { scheduling, controllerMode, controllers, progress }: SchedulingOptions,
  scheduler: ControllerScheduler,
  running: () => RunningServer | undefined,
): ScheduledControllers {
  if (progress.closing) throw new TypeError(CLOSED);
  if (scheduling.scheduler)
    throw new TypeError('the order of this server is already controlled: end the other control first');
  scheduling.scheduler = scheduler;
  return {
    isStepped: controllerMode === 'stepped',
    names: controllers.map(({ name }) => name),
    queued: () => running()?.controllers.queued() ?? [],
    reconcile: async (key) => await running()?.controllers.reconcile(key),
    caches: () => running()?.controllers.caches() ?? [],
    requests: () => running()?.environment.shutdown.requests.size ?? 0,
    end() {
      if (scheduling.scheduler === scheduler) scheduling.scheduler = undefined;
    },
  };
}

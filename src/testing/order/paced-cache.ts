import type { CacheChange, ControllerCache } from '../../controllers/controller-cache.js';
import { nonResourceInfo, type RequestInfo } from '../../requests/request-info.js';
import { type Matchable, withUserAgent } from '../faults/request-target.js';
import type { Arrivals, Gate, Waiting, Watcher, WatcherTarget } from './watcher.js';

/** The request info of a cache before its verb and resource are set. No request opens a cache, so the members are empty. */
const NOTHING: RequestInfo = nonResourceInfo('', '');

/** The cache of a controller. Its changes wait until they are released. */
export class PacedCache implements Watcher {
  readonly request: Matchable;
  readonly target: WatcherTarget;
  /** A cache is never busy, because its controller only queues keys for a change, and does so synchronously. */
  readonly isBusy = false;
  readonly cache: ControllerCache;
  readonly #arrivals: Arrivals;
  #waiting: Waiting[] = [];
  #gate: Gate = 'open';

  constructor(cache: ControllerCache, arrivals: Arrivals) {
    const { controller, user, group, resource } = cache;
    this.cache = cache;
    this.#arrivals = arrivals;
    this.target = { controller, user, userAgent: controller, resource, namespace: '', path: '' };
    this.request = {
      info: { ...NOTHING, verb: 'watch', group, resource },
      user: { username: user },
      caller: undefined,
      request: withUserAgent(controller),
    };
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }
  get gate(): Gate {
    return this.#gate;
  }
  set gate(gate: Gate) {
    const wasOpen = this.#gate === 'open';
    this.#gate = gate;
    if (gate === 'open') {
      this.#waiting = [];
      if (!wasOpen) this.cache.end();
    } else if (wasOpen) this.cache.hold(() => this.#onHeld());
  }

  release(): void {
    this.#waiting.shift();
    this.cache.release();
  }

  #onHeld(): void {
    const { held } = this.cache;
    // A cache that holds back too many changes drops them and lists again. Then no change waits any longer.
    if (held.length === 0) this.#waiting = [];
    const change = held.at(-1);
    if (!change) return;
    this.#waiting.push({ ...this.#arrivals.stamp(), watcher: this.target, ...describe(change) });
    this.#arrivals.arrived(this);
  }
}

function describe({ next, previous }: CacheChange): Pick<Waiting, 'type' | 'namespace' | 'name' | 'resourceVersion'> {
  const { namespace = '', name = '', resourceVersion = '' } = (next ?? previous)?.metadata ?? {};
  const type = next === undefined ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
  return { type, namespace, name, resourceVersion };
}

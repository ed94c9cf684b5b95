import type { PendingKey } from '../controllers/controller.js';
import type { Clock, PendingTimer } from '../meta/clock.js';
import { formatGroupResource } from '../meta/group-version.js';
import type { ServerParts } from './parts.js';

/** A request that is not answered yet. */
export interface PendingRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The name of the user; `system:anonymous` until the request is authenticated. */
  readonly user: string;
  /** The User-Agent header; '' if the request has none. */
  readonly userAgent: string;
}

/** A watch with events that its client has not read. */
export interface PendingWatch {
  /** The path of the watch. */
  readonly path: string;
  /** The name of the user who watches. */
  readonly user: string;
  /** The client's `User-Agent`. */
  readonly userAgent: string;
}

/** A watch, or the informer cache of a controller, whose events a test holds back. */
export interface HeldWatch extends PendingWatch {
  /**
   * The name of the controller to which the cache belongs; '' for the watch of a client. For a cache, `path` is the name of the resource,
   * such as `deployments.apps`.
   */
  readonly controller: string;
  /** The number of events that are held back. */
  readonly events: number;
}

/** The maximum number of lines for each type of pending work in the description. */
const SHOWN = 20;
/**
 * The maximum number of characters of a line in the description. Lines are cut, because callers determine the length of keys, paths and
 * errors.
 */
const LONGEST_LINE = 300;
/** The last time that a Date can represent. A client may choose a timeout that ends after it. */
const LAST_TIME = 8.64e15;

/** The unfinished work of a server at one moment. `String(pending)` is a description for people, with one line for each item. */
export class Pending {
  /** The reading of the server's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** The keys of controllers that are not done. */
  readonly controllers: readonly PendingKey[];
  /** The requests that are not answered yet. */
  readonly requests: readonly PendingRequest[];
  /**
   * Watches whose clients have not read all events. A client in this process must also have finished handling the events that it has read.
   */
  readonly watches: readonly PendingWatch[];
  /** Watches and informer caches whose events a test holds back. They do not count as busy until the test releases the events. */
  readonly held: readonly HeldWatch[];
  /**
   * The timers of the clock, in the order in which they fire. Servers that share a clock see each other's timers. The list is empty for a
   * clock that does not list its timers, such as the machine's.
   */
  readonly timers: readonly PendingTimer[];

  /** @param parts undefined for a forked or restored server that has not been used yet. */
  constructor(parts: Pick<ServerParts, 'controllers' | 'environment'> | undefined, clock: Clock) {
    const { keys = [] } = parts?.controllers ?? {};
    const openWatches = [...(parts?.environment.openWatches ?? [])];
    this.now = clock.now();
    // Delayed and held keys come last, so that the keys that keep the server busy are shown first.
    const isDelayed = ({ state }: PendingKey) => Number(state === 'delayed' || state === 'held');
    this.controllers = [...keys].sort((one, other) => isDelayed(one) - isDelayed(other));
    this.requests = Array.from(parts?.environment.shutdown.requests ?? [], ({ request, user }) => ({
      method: request.method,
      path: request.path,
      user: user.username,
      userAgent: request.headers.get('user-agent') ?? '',
    }));
    this.watches = openWatches
      .filter(({ watch }) => watch.hasUntaken)
      .map(({ path, user, userAgent }) => ({ path, user, userAgent }));
    const heldByClients = openWatches.map(({ watch: { held = 0 }, path, user, userAgent }) => ({
      controller: '',
      path,
      user,
      userAgent,
      events: held,
    }));
    const heldByControllers = (parts?.controllers.caches() ?? []).map(
      ({ controller, user, group, resource, held }) => ({
        controller,
        path: formatGroupResource({ group, resource }),
        user,
        userAgent: '',
        events: held.length,
      }),
    );
    this.held = [...heldByClients, ...heldByControllers].filter(({ events }) => events > 0);
    this.timers = clock.timers?.() ?? [];
  }

  /**
   * Whether the server is idle: nothing will happen until the clock moves, a request arrives or a test releases held events or keys. A
   * server with failing keys does not count as idle, although their retries also wait for the clock.
   */
  get isAtRest(): boolean {
    const isAwaited = ({ state }: PendingKey) => state !== 'delayed' && state !== 'held';
    return !this.controllers.some(isAwaited) && this.requests.length === 0 && this.watches.length === 0;
  }

  /** Returns a readable text, one line for each entry. */
  toString(): string {
    const isDelayed = ({ state }: PendingKey) => state === 'delayed';
    // What only waits for the clock comes last, because a reader usually looks for what keeps the server from settling.
    const lines = [
      ...section(
        this.controllers.filter((key) => !isDelayed(key)),
        (key) => this.#lineOf(key),
      ),
      ...section(this.requests, (request) => `request ${request.method} ${request.path} of ${callerOf(request)}`),
      ...section(this.watches, (watch) => `watch of ${watch.path} by ${callerOf(watch)}: events are not taken`),
      ...section(this.held, (watch) => `${nameOf(watch)}: ${watch.events} events are held back`),
      ...section(this.controllers.filter(isDelayed), (key) => this.#lineOf(key)),
      ...section(this.timers, ({ name, at }) => `timer "${name}" fires ${this.#time(at)}`),
    ];
    return lines.length === 0 ? 'nothing is pending' : lines.join('\n');
  }

  #lineOf({ controller, key, state, until, attempts, error }: PendingKey): string {
    const start = `controller ${controller}: key "${key}" is ${state}`;
    if (until === undefined) return start;
    if (state === 'delayed') return `${start} until ${this.#time(until)}`;
    return `${start}, next try ${this.#time(until)}, failed ${attempts} times: ${error}`;
  }

  #time(at: number): string {
    return `${new Date(Math.min(at, LAST_TIME)).toISOString()} (in ${Math.round(at - this.now)} ms)`;
  }
}

/** Returns whether a server has work that does not wait for its clock. It takes much less time than listing the work. */
export function isBusy({ controllers, environment }: Pick<ServerParts, 'controllers' | 'environment'>): boolean {
  if (controllers.hasWork || environment.shutdown.requests.size > 0) return true;
  for (const { watch } of environment.openWatches) if (watch.hasUntaken) return true;
  return false;
}

function section<T>(items: readonly T[], line: (item: T) => string): readonly string[] {
  const lines = items.slice(0, SHOWN).map((item) => {
    const text = line(item);
    return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}...` : text;
  });
  return items.length > SHOWN ? [...lines, `... and ${items.length - SHOWN} more`] : lines;
}

const nameOf = ({ controller, path, ...watch }: HeldWatch) =>
  controller === ''
    ? `watch of ${path} by ${callerOf({ path, ...watch })}`
    : `cache of ${path} of controller ${controller}`;

const callerOf = ({ user, userAgent }: PendingRequest | PendingWatch) =>
  userAgent === '' ? user : `${user} (${userAgent})`;

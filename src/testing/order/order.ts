import type { ControllerCache } from '../../controllers/controller-cache.js';
import type { QueuedKey, Reconcile, ScheduledControllers } from '../../controllers/controller-scheduler.js';
import { reading, systemClock } from '../../meta/clock.js';
import { nextTurn } from '../../meta/flow.js';
import { randomBelow } from '../../meta/random.js';
import type { InterceptedRequest, Interference } from '../../requests/interception.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { checkSeed, checkServer, printArgument as shownValue } from '../check-arguments.js';
import { createFakeRandom } from '../fake-random.js';
import type { TextMatcher } from '../faults/fault-spec.js';
import { withUserAgent } from '../faults/request-target.js';
import { type ControllerHold, ControllerRules, type ControllerStep, checkControllers } from './controller-order.js';
import { PacedCache } from './paced-cache.js';
import { PacedWatch } from './paced-watch.js';
import { inOrder, type OrderRule, type WatchHold, WatchRule, waitingEvent } from './watch-order.js';
import { type Arrivals, type WaitingEvent, type Watcher, type WatchMatcher, watcherTest } from './watcher.js';

/** The options of `controlOrder`. */
export interface ControlOrderOptions {
  /** The seed of all shuffled orders. Default 1. */
  readonly seed?: number;
}

/** Defines what happens to the events of the watchers that a matcher selects. */
export interface WatchOrder {
  /** Holds events until they are released. */
  hold(): WatchHold;
  /** Delays each event by a number of milliseconds of the server's clock. */
  delay(milliseconds: number): OrderRule;
  /**
   * Passes events one at a time while the server settles. The seed chooses which watcher receives the next event; the events of one watcher
   * stay in order. The next event passes when the clients in this process have handled the previous event and their requests are answered.
   */
  shuffle(): OrderRule;
}

/** Defines when the controllers with certain names reconcile. */
export interface ControllerOrder {
  /** Holds the keys of the controllers until the test reconciles them with `step`. */
  hold(): ControllerHold;
  /** Delays the reconciliation of each key by a number of milliseconds of the server's clock. */
  delay(milliseconds: number): OrderRule;
  /** Reconciles the keys of the controllers in a shuffled order that the seed decides, mixed with the shuffled events of watchers. */
  shuffle(): OrderRule;
}

/** Milliseconds of real time after which a client that is still busy no longer holds up the next event. */
const PATIENCE = 1_000;
/**
 * The minimum number of turns of the event loop before a client counts as stuck. {@link PATIENCE} alone is not enough, because real time
 * also passes while the whole process is suspended.
 */
const PATIENT_TURNS = 1_000;
/** The number of consecutive turns of the event loop without activity after which the server counts as quiet. */
const QUIET_TURNS = 2;

/**
 * The order in which the watchers of a server receive events, and in which its controllers reconcile. Watchers and controllers that no rule
 * selects are not affected, and {@link end} ends all rules.
 */
export class Order implements Disposable {
  readonly #server: CoreApiServer;
  #random: ReturnType<typeof createFakeRandom>;
  readonly #controllers: ScheduledControllers;
  readonly #controllerRules: ControllerRules;
  readonly #watchers = new Set<Watcher>();
  readonly #removeInterceptor: () => void;
  readonly #onClosing = () => this.#endAllRules();
  readonly #arrivals: Arrivals = {
    stamp: () => ({ number: this.#count++, arrived: reading(this.#server.clock) }),
    arrived: (watcher) => this.#releaseDue(watcher),
  };
  /** Functions that cancel the timers of delayed events. */
  readonly #timers = new Map<Watcher, () => void>();
  #watchRules: readonly WatchRule[] = [];
  #count = 0;
  #isEnded = false;
  /** The controller that reconciled last. It continues until its queue is empty; then another controller follows. */
  #current = '';
  /** The busy requests and watchers that are not waited for, because they may need a later event, or the clock, to continue. */
  #stuck: { requests: number; readonly watchers: ReadonlySet<Watcher> } = { requests: 0, watchers: new Set() };
  /** Resolves when all work that was passed to {@link #exclusively} is done. */
  #work: Promise<unknown> = Promise.resolve();

  /** @throws TypeError if the server has a scheduler already, for example another `Order` that has not ended, or is closed. */
  constructor(server: CoreApiServer, options: ControlOrderOptions = {}) {
    checkServer('controlOrder', server);
    refuseUnknownMembers('controlOrder', options, ['seed']);
    const { seed = 1 } = options;
    this.#random = randomOf('controlOrder', seed);
    this.#server = server;
    this.#controllers = server.schedule({
      step: (queued, reconcile) => this.#step(queued, reconcile),
      queued: (key) => this.#controllerRules.queued(key),
      pending: (key) => this.#controllerRules.pending(key),
      opened: (cache) => this.#opened(cache),
    });
    this.#controllerRules = new ControllerRules(this.#controllers, server.clock);
    this.#removeInterceptor = server.intercept({ intercept: (request) => this.#intercept(request) });
    for (const cache of this.#controllers.caches()) this.#opened(cache);
    // A server waits for the work under way before it closes, so held work would keep it from closing.
    server.on('closing', this.#onClosing);
  }

  /**
   * Selects watchers: watches (also of informers) that clients opened after this `Order` was created, or, with `controller`, the caches of
   * stepped controllers.
   * @throws TypeError for a matcher with members that do not exist or are out of range, for a controller that the server does not have, and
   * with `controller` if the controllers of the server are not stepped.
   */
  watches(match: WatchMatcher = {}): WatchOrder {
    this.#refuseEnded();
    const matches = watcherTest(match);
    if (match.controller !== undefined) checkControllers('watches: controller', match.controller, this.#controllers);
    const set = (kind: WatchRule['kind'], delay?: number) => this.#setWatchRule(matches, kind, delay);
    return {
      hold: () => set('hold'),
      delay: (milliseconds) => endOf(set('delay', checkDelay(milliseconds))),
      shuffle: () => endOf(set('shuffle')),
    };
  }

  /**
   * Selects controllers by their names: one name, a prefix (`certificate*`), or a list of these. Default: all.
   * @throws TypeError for names that are not strings or that no controller of the server has, and if the controllers are not stepped.
   */
  controllers(names: TextMatcher = '*'): ControllerOrder {
    this.#refuseEnded();
    checkControllers('controllers: names', names, this.#controllers);
    const set = (kind: 'hold' | 'delay' | 'shuffle', delay = 0): OrderRule => {
      return endOf({ end: this.#controllerRules.set({ names, kind, delay }) });
    };
    return {
      hold: () => this.#hold(names),
      delay: (milliseconds) => set('delay', checkDelay(milliseconds)),
      shuffle: () => set('shuffle'),
    };
  }

  /** Returns the waiting events of all watchers, in the order in which they arrived. */
  waiting(): readonly WaitingEvent[] {
    return inOrder(this.#watchers).map(({ waiting }) => waitingEvent(waiting));
  }

  /**
   * Ends all rules about watches and controllers, and lets waiting events and keys pass. Shuffles that are set later are decided by `seed`.
   * @param seed default 1.
   * @throws TypeError for a seed that is not a whole number; in this case no rule ends.
   */
  clear(seed = 1): void {
    this.#random = randomOf('clear', seed);
    this.#endAllRules();
  }

  /** Ends all rules about watches and controllers, delivers the held events, and no longer controls the order of later events and keys. */
  end(): void {
    this.#isEnded = true;
    this.#endAllRules();
    this.#removeInterceptor();
    this.#controllers.end();
    this.#server.off('closing', this.#onClosing);
  }
  /** Calls {@link end}. Runs at the end of the scope of `using order = controlOrder(server)`. */
  [Symbol.dispose](): void {
    this.end();
  }

  #refuseEnded(): void {
    if (this.#isEnded) throw new TypeError('this order has ended: call controlOrder(server) for a new one');
  }

  #step(queued: () => readonly QueuedKey[], reconcile: Reconcile): Promise<boolean> {
    return this.#exclusively(async () => {
      if (this.#shuffles) await this.#untilQuiet();
      const next = this.#choose(queued().filter((key) => this.#controllerRules.mayRun(key)));
      if (next === undefined) return false;
      if ('gate' in next) next.release();
      else {
        this.#current = next.controller;
        await reconcile(next);
      }
      return true;
    });
  }

  #opened(cache: ControllerCache): void {
    // A restored server has new controllers with new caches, so the watchers of the old caches are forgotten.
    const caches = new Set(this.#controllers.caches());
    for (const watcher of this.#watchers)
      if (watcher instanceof PacedCache && !caches.has(watcher.cache)) this.#forget(watcher);
    this.#add(new PacedCache(cache, this.#arrivals));
  }

  #intercept(request: InterceptedRequest): Interference | undefined {
    if (request.info.verb !== 'watch') return undefined;
    const { info, user, caller } = request;
    // Only the members that matchers read are kept, because the head of a request is dropped when its watch opens.
    const kept = { info, user, caller, request: withUserAgent(request.request.headers.get('user-agent') ?? '') };
    return {
      watch: (source) => {
        const watch: PacedWatch = new PacedWatch(kept, source, this.#arrivals, () => this.#forget(watch));
        this.#add(watch);
        return watch;
      },
    };
  }

  #setWatchRule(matches: WatchRule['matches'], kind: WatchRule['kind'], delay = 0): WatchRule {
    const decidedBy = (rule: WatchRule) => [...this.#watchers].filter((watcher) => this.#ruleOf(watcher) === rule);
    const rule = new WatchRule(matches, { kind, delay }, decidedBy, () => {
      this.#watchRules = this.#watchRules.filter((each) => each !== rule);
      for (const watcher of [...this.#watchers]) this.#apply(watcher);
    });
    this.#watchRules = [...this.#watchRules, rule];
    for (const watcher of [...this.#watchers]) this.#apply(watcher);
    return rule;
  }

  #hold(names: TextMatcher): ControllerHold {
    const rule = { names, kind: 'hold', delay: 0 } as const;
    const end = this.#controllerRules.set(rule);
    const waiting = () =>
      this.#controllers.queued().filter(({ controller }) => this.#controllerRules.of(controller) === rule);
    const step = async (wanted?: string) => {
      if (wanted !== undefined && typeof wanted !== 'string')
        throw new TypeError(`step: the key must be a string, not ${shownValue(wanted)}`);
      return await this.#exclusively(async (): Promise<ControllerStep | undefined> => {
        const next = waiting().find(({ key }) => wanted === undefined || key === wanted);
        if (!next) return undefined;
        const error = await this.#controllers.reconcile(next);
        return { ...next, ...(error === undefined ? {} : { error }) };
      });
    };
    return { waiting, step, end, [Symbol.dispose]: end };
  }

  #add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    this.#apply(watcher);
  }

  #forget(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#timers.get(watcher)?.();
    this.#timers.delete(watcher);
  }

  #ruleOf(watcher: Watcher): WatchRule | undefined {
    return this.#watchRules.findLast(({ matches }) => matches(watcher));
  }

  /** Sets the gate of a watcher according to the rule that applies to it. */
  #apply(watcher: Watcher): void {
    const rule = this.#ruleOf(watcher);
    const gate = rule === undefined ? 'open' : rule.kind === 'shuffle' ? 'shuffled' : 'held';
    if (watcher.gate !== gate) watcher.gate = gate;
    this.#releaseDue(watcher);
  }

  /** Releases those events of a watcher whose delay is over, and sets a timer for the next one. */
  #releaseDue(watcher: Watcher): void {
    const rule = this.#ruleOf(watcher);
    this.#timers.get(watcher)?.();
    this.#timers.delete(watcher);
    if (rule?.kind !== 'delay') return;
    const { clock } = this.#server;
    for (let [next] = watcher.waiting; next; [next] = watcher.waiting) {
      const left = next.arrived + rule.delay - reading(clock);
      if (left <= 0) {
        watcher.release();
        continue;
      }
      const { controller, path, resource } = watcher.target;
      const what = controller === '' ? `the watch of ${path}` : `the cache of ${resource} of controller ${controller}`;
      this.#timers.set(
        watcher,
        clock.setTimer(() => this.#releaseDue(watcher), left, false, `delay of ${what}`),
      );
      return;
    }
  }

  get #shuffles(): boolean {
    return this.#controllerRules.shuffles || this.#watchRules.some(({ kind }) => kind === 'shuffle');
  }

  /**
   * Returns the key that is reconciled next, or the watcher that receives its next event; undefined if no key and no watcher is waiting.
   */
  #choose(keys: readonly QueuedKey[]): QueuedKey | Watcher | undefined {
    const isShuffled = ({ controller }: QueuedKey) => this.#controllerRules.of(controller)?.kind === 'shuffle';
    const inTurn = keys.filter((key) => !isShuffled(key));
    const first = inTurn.find(({ controller }) => controller === this.#current) ?? inTurn[0];
    const candidates = [
      ...(first ? [first] : []),
      ...keys.filter(isShuffled),
      ...[...this.#watchers].filter(({ gate, waiting }) => gate === 'shuffled' && waiting.length > 0),
    ];
    if (candidates.length < 2) return candidates[0];
    return candidates[randomBelow(this.#random, candidates.length)];
  }

  /** Waits until the clients in this process have nothing to do, so that the order of their work does not depend on the machine's speed. */
  async #untilQuiet(): Promise<void> {
    const began = reading(systemClock);
    let turns = 0;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = this.#isQuiet() ? quiet + 1 : 0) {
      await nextTurn();
      if (++turns < PATIENT_TURNS || reading(systemClock) - began < PATIENCE) continue;
      this.#stuck = { requests: this.#controllers.requests(), watchers: new Set(this.#busy()) };
      return;
    }
  }

  #isQuiet(): boolean {
    const requests = this.#controllers.requests();
    if (requests < this.#stuck.requests) this.#stuck.requests = requests;
    return requests <= this.#stuck.requests && this.#busy().every((watcher) => this.#stuck.watchers.has(watcher));
  }

  #busy(): readonly Watcher[] {
    return [...this.#watchers].filter(({ isBusy }) => isBusy);
  }

  /** Runs `work` after all earlier work has ended, so that the steps of a test and of a settling server do not overlap. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  #endAllRules(): void {
    this.#watchRules = [];
    this.#controllerRules.clear();
    for (const watcher of [...this.#watchers]) this.#apply(watcher);
  }
}

/** Returns an object that can only end a rule, so that callers do not see the other members of the rule. */
const endOf = (rule: { end(): void }): OrderRule => ({ end: () => rule.end(), [Symbol.dispose]: () => rule.end() });

function randomOf(what: string, seed: number) {
  checkSeed(what, seed);
  return createFakeRandom(seed);
}

function checkDelay(milliseconds: number): number {
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new TypeError(`delay: the time must be a number of milliseconds, not ${String(milliseconds)}`);
}

/**
 * Lets a test decide in which order watchers receive events and stepped controllers work. The order may be controlled before the start of
 * the server or while it serves. Watches that clients opened before are not affected.
 * @throws TypeError if the server has a scheduler already, for example another `Order` that has not ended.
 */
export function controlOrder(server: CoreApiServer, options?: ControlOrderOptions): Order {
  return new Order(server, options);
}

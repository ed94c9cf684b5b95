import type { Client } from '../../client/client.js';
import { type Clock, sleep } from '../../meta/clock.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { EventStream } from '../../registry/reads/resource-watch.js';
import type { InterceptedRequest, Interceptor, Interference } from '../../requests/interception.js';
import { LOOPBACK_USER } from '../../server/clients.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { checkSeed, checkServer } from '../check-arguments.js';
import { createFakeRandom } from '../fake-random.js';
import { applyRule, type CombinedInterference } from './apply-rule.js';
import { ControlledWatch } from './controlled-watch.js';
import { FaultBuilder } from './fault-builder.js';
import { checkFault, checkMatcher, type FaultOptions, type FaultSpec, type RequestMatcher } from './fault-spec.js';
import { type RequestTarget, requestTest, targetOf, withUserAgent } from './request-target.js';
import { type Fault, Rule } from './rule.js';
import { SeenRequests } from './unfired.js';

/** The options of `injectFaults`. */
export interface InjectFaultsOptions {
  /** The seed that decides to which requests a fault with a `probability` applies. Default 1. */
  readonly seed?: number;
}

/**
 * The faults of a server. They apply to requests of all clients: in this process, by `fetch` and over the network. If a request matches
 * several faults, they apply in the order in which they were injected. A fault applies to the server's own requests (those of its
 * controllers) only if the fault names their user or user agent. No fault applies to requests of the {@link observer}.
 */
export class Faults implements Disposable {
  readonly #server: CoreApiServer;
  readonly #seed: number;
  readonly #observer: UserInfo = Object.freeze({ ...LOOPBACK_USER });
  readonly #seen = new SeenRequests();
  readonly #watches = new Set<ControlledWatch>();
  readonly #removeInterceptor: () => void;
  readonly #onClosing = () => {
    this.#over = 'the server is closed: create a new one';
    this.#endAll();
  };
  /** Why no more faults can be injected; undefined while they can. */
  #over: string | undefined;
  #isDisposed = false;
  #rules: Rule[] = [];
  /** The rules that may still apply to requests. Every change replaces the list. */
  #active: readonly Rule[] = [];

  /** @throws TypeError if the server has faults already or is closed, and for an option that does not exist or is out of range. */
  constructor(server: CoreApiServer, options: InjectFaultsOptions = {}) {
    checkServer('injectFaults', server);
    refuseUnknownMembers('injectFaults', options, ['seed']);
    const { seed = 1 } = options;
    checkSeed('injectFaults', seed);
    if (faulty.has(server)) throw new TypeError('the server already has faults: dispose of those first');
    this.#server = server;
    this.#seed = seed;
    const interceptor: Interceptor = { intercept: (request) => this.#intercept(request) };
    this.#removeInterceptor = server.intercept(interceptor);
    faulty.add(server);
    // A server waits for the requests in flight before it closes, and held requests would stay in flight.
    server.on('closing', this.#onClosing);
  }

  /**
   * Begins the definition of a fault: `faults.on({ verb: 'update', resource: 'pods', nth: 3 }).conflict()`. The second call,
   * `conflict()`, injects the fault.
   * @throws TypeError, in the second call, for members that are out of range, for a fault that no request can match, and after the faults
   * were disposed or the server was closed.
   */
  on(match: RequestMatcher, options: FaultOptions = {}): FaultBuilder {
    refuseUnknownMembers('on', options, ['times', 'optional']);
    return new FaultBuilder((action) => this.add({ match, action, ...options }));
  }

  /** Injects a fault that is given as data. @throws TypeError for the same faults as {@link on}. */
  add(spec: FaultSpec): Fault {
    if (this.#over !== undefined) throw new TypeError(this.#over);
    const random = createFakeRandom(this.#seed + this.#rules.length);
    const since = this.#seen.begin();
    const rule = new Rule(checkFault(spec), random, ({ spec: unfired, matched }) =>
      this.#seen.explain(unfired, matched, since),
    );
    this.#rules.push(rule);
    rule.whenOver.add(() => this.#refresh());
    for (const watch of [...this.#watches]) this.#reach(watch, rule);
    this.#refresh();
    return rule;
  }

  /** Returns all faults since the last {@link clear}, including those that have ended. */
  list(): readonly Fault[] {
    return this.#rules;
  }

  /**
   * Returns the open watches that match and were opened after the faults were injected.
   * @throws TypeError for a matcher with members that do not exist or are out of range, and for `nth` and `probability`.
   */
  openWatches(match: RequestMatcher = {}): readonly RequestTarget[] {
    checkMatcher(match, 'openWatches');
    for (const member of ['nth', 'probability'])
      if (member in match) throw new TypeError(`openWatches: watches cannot be matched by ${member}`);
    const matches = requestTest(match, undefined);
    return [...this.#watches]
      .map(({ request }) => request)
      .filter(matches)
      .map(targetOf);
  }

  /** Returns a client whose requests no fault affects. Tests use it to read and change the state. */
  observer(): Client {
    return this.#server.client({ user: this.#observer, userAgent: 'observer' });
  }

  /**
   * Checks that every fault that is not `optional` has had an effect.
   * @throws Error that lists the faults without effect, each with the later requests that almost matched it.
   */
  verify(): void {
    const unfired = this.#rules.filter(({ fired, spec }) => fired === 0 && spec.optional !== true);
    if (unfired.length === 0) return;
    const lines = unfired.map((rule) => `  ${rule.explain()}`);
    throw new Error(
      `${unfired.length === 1 ? 'a fault' : `${unfired.length} faults`} never fired:\n${lines.join('\n')}`,
    );
  }

  /** Ends all faults and removes them from the list. */
  clear(): void {
    this.#endAll();
    this.#rules = [];
    this.#seen.clear();
  }

  /**
   * Ends all faults, stops intercepting requests, and calls {@link verify}. Runs at the end of the scope of
   * `using faults = injectFaults(server)`. A second call has no effect.
   * @throws Error from {@link verify}
   */
  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#over = 'these faults are disposed: call injectFaults(server) for new ones';
    this.#endAll();
    this.#removeInterceptor();
    faulty.delete(this.#server);
    this.#server.off('closing', this.#onClosing);
    this.verify();
  }

  #endAll(): void {
    for (const rule of this.#rules) rule.end();
    this.#refresh();
  }

  #refresh(): void {
    this.#active = this.#rules.filter(({ isActive }) => isActive);
    this.#seen.follow(this.#rules.filter(({ fired, ended }) => fired === 0 && !ended));
  }

  #intercept(request: InterceptedRequest): Interference | undefined | Promise<Interference | undefined> {
    if (request.user === this.#observer) return undefined;
    const { verb, resource } = request.info;
    let met: Rule[] | undefined;
    let isDecided = false;
    let isNear = false;
    for (const rule of this.#active) {
      // The resource is compared first, because calling the complete test would cost as much as the rest of this method.
      if (rule.resource !== undefined && rule.resource !== resource) continue;
      isNear = true;
      if (!rule.matches(request) || !rule.take(isDecided)) continue;
      met ??= [];
      met.push(rule);
      isDecided = rule.isFinal;
    }
    this.#seen.add(request, isNear);
    if (met === undefined) return verb === 'watch' ? this.#interference(request, []) : undefined;
    this.#refresh();
    return met.some(({ holds }) => holds) ? this.#wait(request, met) : this.#interference(request, met);
  }

  async #wait(request: InterceptedRequest, met: readonly Rule[]): Promise<Interference | undefined> {
    const { signal } = request.request;
    for (const rule of met) {
      if (!rule.holds) continue;
      rule.fire();
      await waitUntilPassed(rule, request.environment.host.clock, signal);
      signal?.throwIfAborted();
    }
    return this.#interference(request, met);
  }

  /** Combines the effects of all faults except those that hold the request. */
  #interference(request: InterceptedRequest, met: readonly Rule[]): Interference {
    const done: CombinedInterference = {};
    const ofWatch: Rule[] = [];
    for (const rule of met) {
      if (rule.isOfWatch) ofWatch.push(rule);
      else if (!rule.holds) applyRule(rule, request, done);
    }
    if (request.info.verb !== 'watch') return done;
    // The head of a request is dropped when its watch opens, so only the members that matchers read are kept.
    const { info, user, caller } = request;
    const kept = { info, user, caller, request: withUserAgent(request.request.headers.get('user-agent') ?? '') };
    done.watch = (source) => this.#follow(new ControlledWatch(kept, source, done.cutAfter), ofWatch);
    return done;
  }

  #follow(watch: ControlledWatch, rules: readonly Rule[]): EventStream {
    this.#watches.add(watch);
    watch.whenEnded(() => this.#watches.delete(watch));
    for (const rule of rules) if (rule.spec.action.type === 'dropBookmarks' || rule.use()) this.#control(watch, rule);
    // A partition that began while the watch was opening applies to the watch, too.
    for (const rule of this.#active) if (rule.spec.action.type === 'partition') this.#reach(watch, rule);
    return watch;
  }

  /** Applies a fault to a watch that is open already. */
  #reach(watch: ControlledWatch, rule: Rule): void {
    const { type } = rule.spec.action;
    if (rule.isPicky || !['endWatch', 'dropBookmarks', 'partition'].includes(type)) return;
    if (rule.matches(watch.request) && rule.takeOpen()) this.#control(watch, rule);
  }

  #control(watch: ControlledWatch, rule: Rule): void {
    const { action } = rule.spec;
    if (action.type === 'endWatch') watch.endAfter(action.afterEvents ?? 0, action.how ?? 'timeout', rule);
    else if (action.type === 'dropBookmarks')
      watch.dropBookmarks(() => {
        const drops = rule.use();
        if (drops) rule.fire();
        return drops;
      });
    else if (action.type === 'partition' && action.how === 'break') watch.endAfter(0, 'lost', rule);
    else if (action.type === 'partition') {
      rule.whenOver.add(watch.pause());
      rule.fire();
    }
  }
}

/**
 * The servers that have a `Faults`. A second one is refused, because each would miss requests that a fault of the other one keeps from the
 * server.
 */
const faulty = new WeakSet<CoreApiServer>();

/** Waits until the delay of a fault has passed, the fault has ended, or the client has left. */
async function waitUntilPassed(rule: Rule, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  if (rule.ended || signal?.aborted) return;
  const passing = new AbortController();
  const pass = () => passing.abort('passed'); // Without a reason, the runtime would create an error with a stack.
  rule.whenOver.add(pass);
  signal?.addEventListener('abort', pass);
  const { action } = rule.spec;
  if (action.type === 'delay') await sleep(clock, action.milliseconds, passing.signal, 'delay of a fault');
  else await new Promise((resolve) => passing.signal.addEventListener('abort', resolve));
  rule.whenOver.delete(pass);
  signal?.removeEventListener('abort', pass);
}

/**
 * Lets a test decide what goes wrong between a server and its clients. The faults may be injected before the start of the server or while
 * it serves. They do not affect watches that were opened before.
 * @throws TypeError if the server has faults already or is closed, and for an option that does not exist or is out of range.
 */
export function injectFaults(server: CoreApiServer, options?: InjectFaultsOptions): Faults {
  return new Faults(server, options);
}

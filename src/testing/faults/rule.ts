import { awaitedTimer, systemClock } from '../../meta/clock.js';
import type { Random } from '../../meta/random.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { CONCERNED, type FaultAction, type FaultSpec } from './fault-spec.js';
import { type Matchable, requestTest } from './request-target.js';

/** A fault that a test has set up. */
export interface Fault extends Disposable {
  /** The fault as it was defined. */
  readonly spec: FaultSpec;
  /** How often the fault had an effect. */
  readonly fired: number;
  /**
   * Resolves as soon as the fault has had an effect.
   * @param options.timeout the timeout in milliseconds of the machine's clock, whatever clock the server has. Default 4,000, which is less
   * than the test timeouts of vitest and jest, so that the error can name the requests that came closest.
   * @throws Error if the fault has no effect in time, or ends before it had one.
   */
  arrived(options?: { readonly timeout?: number }): Promise<void>;
  /** Ends the fault: held and delayed requests pass, cut-off clients are connected again, servers that lagged behind catch up. */
  end(): void;
}

const LASTING: ReadonlySet<FaultAction['type']> = new Set(['hold', 'partition', 'dropBookmarks']);

/** A fault with its progress. */
export class Rule implements Fault {
  readonly spec: FaultSpec;
  readonly matches: (request: Matchable) => boolean;
  /** The resource, without the subresource, of all requests that may match; undefined if they may have several resources. */
  readonly resource: string | undefined;
  /** Resolves when the fault ends. */
  readonly over: Promise<void>;
  fired = 0;
  ended = false;
  /** Called when the fault ends. */
  readonly whenOver = new Set<() => void>();
  readonly #nth: ReadonlySet<number> | undefined;
  readonly #random: Random;
  readonly #arrival: Promise<void>;
  #arrive = () => {};
  /** The number of requests that matched, including those to which the fault did not apply. */
  matched = 0;
  #left: number;

  readonly #explain: (rule: Rule) => string;

  /**
   * @param random decides to which requests a fault with a `probability` applies.
   * @param explain returns why the fault had no effect.
   */
  constructor(spec: FaultSpec, random: Random, explain: (rule: Rule) => string) {
    this.#explain = explain;
    const { match, action, times } = spec;
    this.spec = spec;
    this.matches = requestTest(match, CONCERNED[action.type]);
    const { resource = '*' } = match;
    this.resource = typeof resource === 'string' && !resource.endsWith('*') ? resource.split('/', 1)[0] : undefined;
    this.#nth = match.nth === undefined ? undefined : new Set([match.nth].flat());
    this.#random = random;
    const lasts = LASTING.has(action.type) || match.probability !== undefined;
    const usual = lasts ? Number.POSITIVE_INFINITY : (this.#nth?.size ?? 1);
    this.#left = times === 'always' ? Number.POSITIVE_INFINITY : (times ?? usual);
    this.over = new Promise((resolve) => this.whenOver.add(resolve));
    this.#arrival = new Promise((resolve) => (this.#arrive = resolve));
  }

  /** Whether the fault may apply to further requests. */
  get isActive(): boolean {
    return !this.ended && this.#left > 0;
  }

  /** Whether `nth` or `probability` selects only some of the matching requests. */
  get isPicky(): boolean {
    return this.#nth !== undefined || this.spec.match.probability !== undefined;
  }

  /** Whether the fault delays the requests to which it applies. */
  get holds(): boolean {
    const { action } = this.spec;
    return action.type === 'delay' || action.type === 'hold' || (action.type === 'partition' && action.how !== 'break');
  }

  /** Whether the fault decides the outcome of a request, so that no later fault applies to the request. */
  get isFinal(): boolean {
    const { action } = this.spec;
    return (
      action.type === 'answer' || action.type === 'refuse' || (action.type === 'partition' && action.how === 'break')
    );
  }

  /** Whether the fault affects the watch that a request opens, rather than the request itself. */
  get isOfWatch(): boolean {
    const { type } = this.spec.action;
    return type === 'endWatch' || type === 'dropBookmarks';
  }

  /** Returns whether the fault applies to a matching watch that was already open when the fault was set up. */
  takeOpen(): boolean {
    const { action, times } = this.spec;
    if (action.type === 'dropBookmarks') return true;
    // Without `times`, one `endWatch` fault ends all open watches that match.
    if (action.type === 'endWatch' && times === undefined) {
      this.#left = 0;
      return true;
    }
    return this.use();
  }

  /** Uses the fault up by one time; returns whether it was still active. */
  use(): boolean {
    if (!this.isActive) return false;
    this.#left--;
    return true;
  }

  /**
   * Counts a matching request; returns whether the fault applies to it. A fault of watches is not used up before a watch has opened.
   * @param isDecided whether an earlier fault has decided the outcome of the request. The request then counts only for `nth`.
   */
  take(isDecided = false): boolean {
    this.matched++;
    if (isDecided || !this.isActive || (this.#nth && !this.#nth.has(this.matched))) return false;
    const { probability = 1 } = this.spec.match;
    if (probability < 1 && this.#draw() >= probability) return false;
    return this.isOfWatch || this.use();
  }

  /** Records that the fault has had an effect. */
  fire(): void {
    this.fired++;
    this.#arrive();
  }

  async arrived(options: { readonly timeout?: number } = {}): Promise<void> {
    refuseUnknownMembers('arrived', options, ['timeout']);
    const { timeout = 4_000 } = options;
    if (!(Number.isFinite(timeout) && timeout >= 0))
      throw new TypeError('arrived: timeout must be a number of milliseconds');
    if (this.fired > 0) return;
    let cancel = () => {};
    const timedOut = new Promise<void>((resolve) => (cancel = awaitedTimer(systemClock, resolve, timeout)));
    await Promise.race([this.#arrival, this.over, timedOut]);
    cancel();
    if (this.fired > 0) return;
    const head = this.ended ? 'a fault ended before it fired' : `waited ${timeout} ms for a fault that never fired`;
    throw new Error(`${head}:\n  ${this.explain()}`);
  }

  /** Returns why the fault had no effect, in one or more lines. */
  explain(): string {
    return this.#explain(this);
  }

  end(): void {
    this.ended = true;
    for (const callback of this.whenOver) callback();
    this.whenOver.clear();
  }
  [Symbol.dispose](): void {
    this.end();
  }

  #draw(): number {
    const [a = 0, b = 0, c = 0] = this.#random.fill(new Uint8Array(3));
    return ((a << 16) | (b << 8) | c) / 2 ** 24;
  }
}

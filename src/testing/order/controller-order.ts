import type { PendingKey } from '../../controllers/controller.js';
import type { QueuedKey, ScheduledControllers } from '../../controllers/controller-scheduler.js';
import { type Clock, reading } from '../../meta/clock.js';
import { didYouMean } from '../../values/did-you-mean.js';
import { quote } from '../../values/quote.js';
import { checkTexts, type TextMatcher } from '../faults/fault-spec.js';
import { matchesText } from '../faults/request-target.js';
import type { OrderRule } from './watch-order.js';

/** The result of reconciling one key. */
export interface ControllerStep {
  /** The name of the controller. */
  readonly controller: string;
  /** The key that it reconciles. */
  readonly key: string;
  /** The message of the error if the reconciliation failed. The key is then queued again after a delay by the server's clock. */
  readonly error?: string;
}

/** A rule that holds the keys of controllers until the test reconciles them with `step`. */
export interface ControllerHold extends OrderRule {
  /** Returns the keys that are held, in the order of the controllers and of their queues. */
  waiting(): readonly { readonly controller: string; readonly key: string }[];
  /**
   * Reconciles one key.
   * @param key the key to reconcile. Default: the first one that waits.
   * @returns the key, and the error if the reconciliation failed; undefined if no key waits.
   */
  step(key?: string): Promise<ControllerStep | undefined>;
}

/** A rule about controllers. If several rules match a controller, the one that was set last applies. */
export interface ControllerRule {
  readonly names: TextMatcher;
  readonly kind: 'hold' | 'delay' | 'shuffle';
  /** The delay in milliseconds of a `delay` rule. */
  readonly delay: number;
}

/**
 * Checks the names of controllers in a rule.
 * @param what the name of the argument, for the message.
 * @throws TypeError for values that are not strings, for a name that no controller of the server has, because the rule would silently have
 * no effect, and if the controllers are not stepped.
 */
export function checkControllers(
  what: string,
  names: TextMatcher,
  { isStepped, names: known }: ScheduledControllers,
): void {
  checkTexts(what, names);
  if (!isStepped)
    throw new TypeError("the order of controllers requires a server with controllers: { mode: 'stepped' }");
  for (const name of [names].flat())
    if (!known.some((each) => matchesText(name, each)))
      throw new TypeError(
        `${what}: no controller has the name ${quote(name)}${didYouMean(name, known) || `: the server has ${known.join(', ')}`}`,
      );
}

/** Decides which keys of controllers may be reconciled. */
export class ControllerRules {
  #rules: readonly ControllerRule[] = [];
  readonly #controllers: ScheduledControllers;
  readonly #clock: Clock;
  /** The delayed keys, keyed by {@link idOf}. */
  readonly #delayed = new Map<
    string,
    { readonly until: number; readonly rule: ControllerRule; readonly cancel: () => void }
  >();

  constructor(controllers: ScheduledControllers, clock: Clock) {
    this.#controllers = controllers;
    this.#clock = clock;
  }

  /** Whether the keys of some controllers are reconciled in a shuffled order. */
  get shuffles(): boolean {
    return this.#rules.some(({ kind }) => kind === 'shuffle');
  }

  /** Sets a rule; returns a function that ends it. */
  set(rule: ControllerRule): () => void {
    this.#rules = [...this.#rules, rule];
    for (const key of this.#controllers.queued()) this.queued(key);
    return () => {
      this.#rules = this.#rules.filter((each) => each !== rule);
      for (const [id, delayed] of this.#delayed) if (delayed.rule === rule) this.#endDelay(id);
    };
  }

  /** Ends all rules. */
  clear(): void {
    this.#rules = [];
    for (const id of [...this.#delayed.keys()]) this.#endDelay(id);
  }

  /** Returns the rule that applies to a controller. */
  of(controller: string): ControllerRule | undefined {
    return this.#rules.findLast(({ names }) => names === '*' || matchesText(names, controller));
  }

  /** Begins the delay of a key that was just queued, if a rule delays it. */
  queued(key: QueuedKey): void {
    const rule = this.of(key.controller);
    const id = idOf(key);
    if (rule?.kind !== 'delay' || this.#delayed.has(id)) return;
    const endDelay = () => void this.#delayed.delete(id);
    const cancel = this.#clock.setTimer(
      endDelay,
      rule.delay,
      false,
      `delay of controller ${key.controller}: ${key.key}`,
    );
    this.#delayed.set(id, { until: reading(this.#clock) + rule.delay, rule, cancel });
  }

  /** Returns a pending key. If a rule holds or delays the key, the result has the state `held` or `delayed` and the end of the delay. */
  pending(key: PendingKey): PendingKey {
    const { kind } = this.of(key.controller) ?? {};
    if (kind === 'hold') return { ...key, state: 'held' };
    const delayed = this.#delayed.get(idOf(key));
    if (kind !== 'delay' || !delayed) return key;
    return { ...key, state: 'delayed', until: delayed.until + this.#clock.now() - reading(this.#clock) };
  }

  /** Whether a queued key is neither held nor delayed. */
  mayRun(key: QueuedKey): boolean {
    const { kind } = this.of(key.controller) ?? {};
    return kind !== 'hold' && (kind !== 'delay' || !this.#delayed.has(idOf(key)));
  }

  #endDelay(id: string): void {
    this.#delayed.get(id)?.cancel();
    this.#delayed.delete(id);
  }
}

const idOf = ({ controller, key }: QueuedKey) => `${controller}: ${key}`;

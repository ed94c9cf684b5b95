import type { Waiting, WaitingEvent, Watcher } from './watcher.js';

/** A rule about the events of some watchers or the keys of some controllers. It applies until it is ended. */
export interface OrderRule extends Disposable {
  /** Ends this rule. Events that wait are delivered, keys that wait can be reconciled, and later ones are not held or delayed. */
  end(): void;
}

/** A rule that holds the events of watchers. */
export interface WatchHold extends OrderRule {
  /** Returns the events that are held, in the order in which they arrived. */
  waiting(): readonly WaitingEvent[];
  /**
   * Releases the events that arrived first among all events that this rule holds, across its watchers.
   * @param count the number of events. Default 1.
   * @returns the released events.
   * @throws TypeError for a count that is not a whole number from 1 on.
   */
  release(count?: number): readonly WaitingEvent[];
  /**
   * Releases all events that wait at this moment. Later events are held.
   * @returns the released events.
   */
  releaseAll(): readonly WaitingEvent[];
}

/** A rule about watchers. If several rules match a watcher, the one that was set last applies. */
export class WatchRule implements WatchHold {
  readonly matches: (watcher: Watcher) => boolean;
  readonly kind: 'hold' | 'delay' | 'shuffle';
  /** The delay in milliseconds of a `delay` rule. */
  readonly delay: number;
  readonly #watchers: (rule: WatchRule) => readonly Watcher[];
  readonly #onEnd: (rule: WatchRule) => void;

  /**
   * @param watchers returns the watchers to which the given rule applies.
   * @param onEnd called when the rule ends.
   */
  constructor(
    matches: (watcher: Watcher) => boolean,
    action: { readonly kind: WatchRule['kind']; readonly delay?: number },
    watchers: (rule: WatchRule) => readonly Watcher[],
    onEnd: (rule: WatchRule) => void,
  ) {
    this.matches = matches;
    this.kind = action.kind;
    this.delay = action.delay ?? 0;
    this.#watchers = watchers;
    this.#onEnd = onEnd;
  }

  waiting(): readonly WaitingEvent[] {
    return inOrder(this.#watchers(this)).map(({ waiting }) => waitingEvent(waiting));
  }

  release(count = 1): readonly WaitingEvent[] {
    if (!Number.isSafeInteger(count) || count < 1)
      throw new TypeError(`release: the number of events must be an integer of at least 1, not ${String(count)}`);
    const next = inOrder(this.#watchers(this)).slice(0, count);
    for (const { watcher } of next) watcher.release();
    return next.map(({ waiting }) => waitingEvent(waiting));
  }

  releaseAll(): readonly WaitingEvent[] {
    return this.release(Number.MAX_SAFE_INTEGER);
  }

  end(): void {
    this.#onEnd(this);
  }
  [Symbol.dispose](): void {
    this.end();
  }
}

/** Returns the events that wait, in the order in which they arrived. */
export function inOrder(watchers: Iterable<Watcher>): { readonly watcher: Watcher; readonly waiting: Waiting }[] {
  return [...watchers]
    .flatMap((watcher) => watcher.waiting.map((waiting) => ({ watcher, waiting })))
    .sort((one, other) => one.waiting.number - other.waiting.number);
}

/** Returns a waiting event without its internal members `number` and `arrived`. */
export function waitingEvent({ number: _number, arrived: _arrived, ...event }: Waiting): WaitingEvent {
  return event;
}

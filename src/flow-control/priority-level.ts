import { reading } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import { isCounted } from '../metrics/metrics.js';
import type { PriorityLevelConfiguration as Configuration } from '../resources/flowcontrol/flowcontrol-v1.types.js';
import type { Signatures } from '../signatures/signatures.js';
import type { Claim } from './allocation.js';
import { type LimitResponse, QueueSet } from './queue-set.js';
import { type Hand, shuffleShardDealer } from './shuffle-sharding.js';

/** The name of the only level without a limit. */
const EXEMPT = 'exempt';
/** The maximum share of a level's seats that one request may take, in percent. */
const WIDEST = 15;
/** The usage of a level without seats is measured against the seats of the server divided by this number. */
const WITHOUT_SEATS = 10;
const NO_HAND: Hand = [];

/** The settings of a priority level, exempt or limited. */
export interface LevelSpec {
  readonly response: LimitResponse;
  readonly shares: number;
  /** The percentage of the level's nominal seats that other levels may borrow (`lendablePercent`). */
  readonly lendable: number;
  /** The most seats that the level may borrow, as a percentage of its nominal seats (`borrowingLimitPercent`); undefined means no limit. */
  readonly borrowing: number | undefined;
}

/**
 * Reads the settings from the spec of a PriorityLevelConfiguration. Returns undefined if the fields contradict each other, or if only one of
 * the name and the type is that of the exempt level. Such an object is treated as if it did not exist.
 */
export function levelSpec(name: string, { type, limited, exempt }: Configuration['spec']): LevelSpec | undefined {
  if ((type === 'Exempt') !== (name === EXEMPT)) return undefined;
  if (type === 'Exempt') {
    const { nominalConcurrencyShares: shares = 0, lendablePercent: lendable = 0 } = exempt ?? {};
    return exempt && { response: { type: 'Exempt' }, shares, lendable, borrowing: undefined };
  }
  if (type !== 'Limited' || !limited) return undefined;
  const { limitResponse, nominalConcurrencyShares: shares = 0, lendablePercent: lendable = 0 } = limited;
  const { queuing } = limitResponse;
  if ((limitResponse.type === 'Queue') !== (queuing !== undefined)) return undefined;
  return {
    response: queuing ? { type: 'Queue', ...queuing } : { type: 'Reject' },
    shares,
    lendable,
    borrowing: limited.borrowingLimitPercent,
  };
}

/** The members of `Host` that priority levels use. */
export type LevelHost = Pick<Host, 'clock' | 'signatures' | 'metrics'>;

/** A priority level in use. It exists until its last request has ended, even if its object was deleted before. */
export class PriorityLevel {
  readonly name: string;
  readonly queueSet: QueueSet;
  readonly retryAfter = new RetryAfter();
  readonly #host: LevelHost;
  #dealer: { readonly response: LimitResponse; readonly deal: (flow: string) => Hand | Promise<Hand> } | undefined;
  uid = '';
  /** Whether the level's object was deleted. Requests that have already arrived are still served. */
  quiescing = false;
  spec: LevelSpec;
  /**
   * The limits in seats: `nominal` follows from the level's shares, `lower` remains after lending as much as possible, `upper` is reached
   * by borrowing as much as possible, and `current` is the limit for the current period.
   */
  nominal = 0;
  lower = 0;
  upper = 0;
  current: number | undefined;
  target = 0;
  /** The maximum number of seats of one request; 0 means no limit. */
  mostSeats = 0;

  constructor(name: string, spec: LevelSpec, host: LevelHost) {
    this.name = name;
    this.spec = spec;
    this.#host = host;
    this.queueSet = new QueueSet(host.clock, isCounted(host.metrics));
  }

  get isExempt(): boolean {
    return this.spec.response.type === 'Exempt';
  }

  /** Returns the queues that a flow may use; empty if the level does not queue. */
  handOf(flow: string): Hand | Promise<Hand> {
    const { response } = this.spec;
    if (response.type !== 'Queue') return NO_HAND;
    if (this.#dealer?.response !== response) {
      const { signatures } = this.#host;
      const digest: Signatures['digest'] = (hash, data) => signatures.digest(hash, data);
      this.#dealer = { response, deal: shuffleShardDealer(digest, response.queues, response.handSize) };
    }
    return this.#dealer.deal(flow);
  }

  /**
   * Sets the limits that follow from the configuration.
   * @param seats the seats of the server
   * @param shares the sum of the shares of all levels
   */
  setNominal(seats: number, shares: number): void {
    const { response, lendable, borrowing } = this.spec;
    // The number is rounded up, so that each level with shares has at least one seat. The sum may slightly exceed the server's seats.
    this.nominal = shares === 0 ? 0 : Math.ceil((seats * this.spec.shares) / shares);
    const lent = Math.round((this.nominal * lendable) / 100);
    this.lower = this.nominal - lent;
    this.upper = this.nominal + (borrowing === undefined ? seats : Math.round((this.nominal * borrowing) / 100));
    this.current ??= this.nominal - Math.floor(lent / 2);
    this.mostSeats =
      response.type === 'Queue'
        ? Math.max(1, Math.min(Math.ceil((this.nominal * WIDEST) / 100), Math.floor(this.nominal / response.handSize)))
        : 0;
  }

  /**
   * Ends the period of the demand. Returns the seats that the level requests for the next period, according to the demand in the ended
   * period.
   */
  claim(): Claim {
    const { demand } = this.queueSet;
    demand.endPeriod(reading(this.#host.clock));
    const demanded = demand.highWatermark;
    const lower = Math.max(this.lower, this.isExempt ? demanded : Math.min(this.nominal, demanded));
    this.target = Math.max(lower, demand.smoothed);
    return { lower, upper: this.upper, target: this.target };
  }

  /**
   * Sets the concurrency limit for the next period.
   * @param seats the limit; undefined keeps the current one
   * @param all the seats of the server
   */
  setCurrent(seats = this.current ?? 0, all = 0): void {
    this.current = Math.round(seats);
    const { response } = this.spec;
    this.queueSet.configure(response, this.current);
    const room = response.type === 'Queue' ? response.queues * response.queueLengthLimit : 1;
    const compared = this.current || Math.max(1, Math.round(all / WITHOUT_SEATS));
    this.queueSet.usage?.compareWith(compared, room, reading(this.#host.clock));
  }
}

/** The maximum value of Retry-After, in seconds. */
const LONGEST = 32;

/**
 * Computes the Retry-After of requests that a level refuses. The value is doubled while many requests are refused, and is reduced by one
 * second, again and again, while few are. The thresholds are low, because a priority level queues requests and refuses them only as a last
 * resort.
 */
export class RetryAfter {
  /** The value of the header `Retry-After` in whole seconds, at least 1. */
  seconds = 1;
  /** The refusals in the last seconds, oldest first. */
  readonly #history: { readonly second: number; readonly count: number }[] = [];
  #second = 0;
  #count = 0;
  #doubledAt = 0;

  /** Counts a refusal. @param now milliseconds since the epoch */
  refused(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#count++;
      return;
    }
    this.#history.push({ second: this.#second, count: this.#count });
    const kept = this.#history.findIndex((each) => this.#second - each.second <= LONGEST);
    this.#history.splice(0, kept);
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const { seconds } = this;
    let refused = 0;
    for (const { second: at, count } of this.#history) if (at < second && second - at <= seconds) refused += count;
    if (second - this.#doubledAt >= seconds && refused >= 3 * seconds) {
      this.seconds = Math.min(seconds * 2, LONGEST);
      this.#doubledAt = second;
    } else if (refused < seconds && seconds > 1) this.seconds--;
  }
}

import { reading } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import { isCounted } from '../metrics/metrics.js';
import type { PriorityLevelConfiguration as Configuration } from '../resources/flowcontrol/flowcontrol-v1.types.js';
import type { Signatures } from '../signatures/signatures.js';
import type { Claim } from './allocation.js';
import { type Hand, makeDealer } from './dealer.js';
import { type LimitResponse, QueueSet } from './queue-set.js';
import { RetryAfter } from './retry-after.js';

/** The one level that has no limit. */
const EXEMPT = 'exempt';
/** The part of its seats that one request of a level may take, in percent. */
const WIDEST = 15;
/** What a level without seats uses is compared with that part of the server's. */
const WITHOUT_SEATS = 10;
const NO_HAND: Hand = [];

/** What a priority level says, of either type. */
export interface LevelSpec {
  readonly response: LimitResponse;
  readonly shares: number;
  /** Percent of its seats that others may use. */
  readonly lendable: number;
  /** Percent of its seats that it may use of others; undefined for any number. */
  readonly borrowing: number | undefined;
}

/** What an object says; undefined for one that contradicts itself, which counts as absent. */
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

/** What a level needs of its server. */
export type LevelHost = Pick<Host, 'clock' | 'signatures' | 'metrics'>;

/** A priority level at work. It outlives its object while there are requests of it. */
export class PriorityLevel {
  readonly name: string;
  readonly queueSet: QueueSet;
  readonly retryAfter = new RetryAfter();
  readonly #host: LevelHost;
  #dealer: { readonly response: LimitResponse; readonly deal: (flow: string) => Hand | Promise<Hand> } | undefined;
  uid = '';
  /** Its object is gone; what has come is still served. */
  quiescing = false;
  spec: LevelSpec;
  /** Limits of its seats: what its shares give it, what it keeps of that, what it may get at most, and what it has for now. */
  nominal = 0;
  lower = 0;
  upper = 0;
  current: number | undefined;
  target = 0;
  /** What one request may take at most; 0 for no such limit. */
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

  /** The queues that a flow may use; none where the level does not queue. */
  handOf(flow: string): Hand | Promise<Hand> {
    const { response } = this.spec;
    if (response.type !== 'Queue') return NO_HAND;
    if (this.#dealer?.response !== response) {
      const { signatures } = this.#host;
      const digest: Signatures['digest'] = (hash, data) => signatures.digest(hash, data);
      this.#dealer = { response, deal: makeDealer(digest, response.queues, response.handSize) };
    }
    return this.#dealer.deal(flow);
  }

  /** Its limits by configuration. @param seats of the server @param shares of all levels */
  setNominal(seats: number, shares: number): void {
    const { response, lendable, borrowing } = this.spec;
    // Rounded up, so that none with shares has no seat; together they may be a little more than the server's.
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

  /** What it claims of the seats of all for the next period, by what it wanted in the last. */
  claim(): Claim {
    const { demand } = this.queueSet;
    demand.endPeriod(reading(this.#host.clock));
    const wanted = demand.highWatermark;
    const lower = Math.max(this.lower, this.isExempt ? wanted : Math.min(this.nominal, wanted));
    this.target = Math.max(lower, demand.smoothed);
    return { lower, upper: this.upper, target: this.target };
  }

  /** Its limit for the next period; undefined keeps the one it has. @param all seats of the server */
  setCurrent(seats = this.current ?? 0, all = 0): void {
    this.current = Math.round(seats);
    const { response } = this.spec;
    this.queueSet.configure(response, this.current);
    const room = response.type === 'Queue' ? response.queues * response.queueLengthLimit : 1;
    const compared = this.current || Math.max(1, Math.round(all / WITHOUT_SEATS));
    this.queueSet.usage?.compareWith(compared, room, reading(this.#host.clock));
  }
}

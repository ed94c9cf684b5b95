import type { Query } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import type { Metrics } from '../metrics/metrics.js';
import type { RosterEntry } from '../values/roster.js';
import { type FlowMeter, flowMeter } from './flow-meter.js';
import type { RequestFacts } from './matching.js';
import type { WorkEstimate } from './work-estimate.js';

/** A request as flow control sees it. */
export interface FlowCall {
  readonly info: RequestFacts;
  readonly user: UserInfo;
  readonly query: Query;
  /** `began`: a reading of the clock; `limit`: milliseconds from there that the request may take. It waits for a fourth of that at most. */
  readonly deadline: { readonly began: number; readonly limit: number };
  /** `signal` fires when the caller is gone. */
  readonly request: { readonly signal?: AbortSignal | undefined };
}

/** Why a request was refused, in the words of the metric. */
export type RefusalReason = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** What is counted of the requests of one flow schema at one priority level. */
export class FlowCounts {
  /** Values of the labels `priority_level` and `flow_schema`. */
  readonly labels: readonly [level: string, schema: string];
  readonly meter: FlowMeter;
  waiting = 0;
  seatsWaiting = 0;
  executing = 0;
  seatsExecuting = 0;
  dispatched = 0;
  /** How often one of them was the next and there was no room for it. */
  notAccommodated = 0;
  readonly refused: Record<RefusalReason, number> = {
    'concurrency-limit': 0,
    'queue-full': 0,
    'time-out': 0,
    cancelled: 0,
  };

  constructor(level: string, schema: string, metrics: Metrics) {
    this.labels = [level, schema];
    this.meter = flowMeter(metrics, this.labels);
  }
}

/** Most requests find a seat at once: their queue needs no set. */
const NOBODY: ReadonlySet<FlowRequest> = new Set();

/** Those that wait in one place, and those that left it to be served. Made when its first request comes, forgotten when it is idle. */
export class Queue {
  readonly index: number;
  #waiting: Set<FlowRequest> | undefined;
  executing = 0;
  seatsInUse = 0;
  /** Sums over those that wait. */
  initialSeatsSum = 0;
  maxSeatsSum = 0;
  totalWorkSum = 0;
  /** The progress of the level at which its next request is due. */
  nextDispatchR = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** Oldest first. */
  get waiting(): ReadonlySet<FlowRequest> {
    return this.#waiting ?? NOBODY;
  }

  get active(): boolean {
    return this.executing > 0 || this.waiting.size > 0;
  }

  get inUse(): boolean {
    return this.active || this.seatsInUse > 0;
  }

  get oldest(): FlowRequest | undefined {
    for (const request of this.waiting) return request;
    return undefined;
  }

  add(request: FlowRequest): void {
    this.#waiting ??= new Set();
    this.#waiting.add(request);
    this.#sum(request, 1);
  }

  /** False when it does not wait here any more. */
  remove(request: FlowRequest): boolean {
    if (this.#waiting?.delete(request) !== true) return false;
    this.#sum(request, -1);
    return true;
  }

  /** Nothing is due before it came: who used less than his share saves nothing up. */
  bound(): void {
    const { oldest } = this;
    if (oldest && this.nextDispatchR < oldest.arrival.r) this.nextDispatchR = oldest.arrival.r;
  }

  #sum({ initialSeats, maxSeats, totalWork }: FlowRequest, sign: 1 | -1): void {
    this.initialSeatsSum += sign * initialSeats;
    this.maxSeatsSum += sign * maxSeats;
    this.totalWorkSum = this.waiting.size === 0 ? 0 : this.totalWorkSum + sign * totalWork;
  }
}

/** Seconds that a request is thought to take. */
export const ESTIMATED_SERVICE = 0.003;

/** When a request came. */
export interface Arrival {
  /** Milliseconds, a reading of the clock. */
  readonly at: number;
  /** The progress of its level. */
  readonly r: number;
}

/** One request at its level: it waits, is served, or was. */
export class FlowRequest {
  readonly call: FlowCall;
  readonly counts: FlowCounts;
  /** The distinguisher of its flow in its flow schema. */
  readonly distinguisher: string;
  readonly arrival: Arrival;
  /** None where its level does not queue. */
  readonly queue: Queue | undefined;
  readonly initialSeats: number;
  finalSeats: number;
  /** Milliseconds. */
  additionalLatency: number;
  /** The most seats it takes at once: they are its own from start to end. */
  maxSeats: number;
  /** Seat-seconds. */
  readonly totalWork: number;
  /** Milliseconds, a reading of the clock; undefined while it waits. */
  startedAt: number | undefined;
  /** Where it is among those that are served. */
  served: RosterEntry<FlowRequest> | undefined;
  /** Called once when one that waited is started or refused. */
  onDecision: ((start: boolean) => void) | undefined;

  constructor(
    call: FlowCall,
    counts: FlowCounts,
    distinguisher: string,
    arrival: Arrival,
    estimate: WorkEstimate,
    queue: Queue | undefined,
  ) {
    this.call = call;
    this.counts = counts;
    this.distinguisher = distinguisher;
    this.arrival = arrival;
    this.queue = queue;
    this.initialSeats = estimate.initialSeats;
    this.finalSeats = estimate.finalSeats;
    this.additionalLatency = estimate.additionalLatency;
    this.maxSeats = Math.max(estimate.initialSeats, estimate.finalSeats);
    this.totalWork =
      estimate.initialSeats * ESTIMATED_SERVICE + (estimate.finalSeats * estimate.additionalLatency) / 1000;
  }

  /** Fewer seats after the service, for as much longer. */
  narrow(seats: number): void {
    if (this.finalSeats <= seats || seats <= 0) return;
    this.additionalLatency = (this.finalSeats * this.additionalLatency) / seats;
    this.finalSeats = seats;
    this.maxSeats = Math.max(this.initialSeats, seats);
  }
}

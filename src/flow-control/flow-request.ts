import type { Query } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import type { MetricSeries, Metrics } from '../metrics/metrics.js';
import type { LinkedListEntry } from '../values/linked-list.js';
import * as families from './families.js';
import type { RequestFacts } from './matching.js';
import type { WorkEstimate } from './work-estimate.js';

/** A request, with the data that flow control uses. */
export interface FlowCall {
  readonly info: RequestFacts;
  readonly user: UserInfo;
  readonly query: Query;
  /**
   * The time limit of the request: it may take `limit` milliseconds from the clock reading `began`. It waits in a queue for at most a
   * quarter of this time.
   */
  readonly deadline: { readonly began: number; readonly limit: number };
  /** `signal` fires when the caller disconnects. */
  readonly request: { readonly signal?: AbortSignal | undefined };
}

/** The reason of a refusal, as the metric names it. */
export type RefusalReason = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** Counters of the requests of one flow schema at one priority level. */
export class FlowCounts {
  /** The values of the labels `priority_level` and `flow_schema`. */
  readonly labels: readonly [level: string, schema: string];
  readonly meter: FlowMeter;
  waiting = 0;
  seatsWaiting = 0;
  executing = 0;
  seatsExecuting = 0;
  dispatched = 0;
  /** Whether a request of the flow schema has entered a queue, if only for the moment until it was dispatched. */
  wasQueued = false;
  /** How often a request of the flow schema was the next to be dispatched at its level, but had to wait because too few seats were free. */
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

/**
 * The empty set that all queues without waiting requests share. Most requests get a seat at once, so most queues need no set of their own.
 */
const NO_REQUESTS: ReadonlySet<FlowRequest> = new Set();

/**
 * A queue of waiting requests. It also counts the requests that were dispatched from it and are being served. It is created for its first
 * request. While it is idle, it may be removed.
 */
export class Queue {
  readonly index: number;
  #waiting: Set<FlowRequest> | undefined;
  executing = 0;
  seatsInUse = 0;
  /**
   * Sums over the waiting requests: `initialSeatsSum` of their initial seats, `maxSeatsSum` of their maximum seats, and `totalWorkSum` of
   * their work.
   */
  initialSeatsSum = 0;
  maxSeatsSum = 0;
  totalWorkSum = 0;
  /** The virtual time of the level (see `QueueSet`) at which the next request of the queue is to be dispatched, in {@link WORK_UNITS}. */
  nextDispatchR = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** The waiting requests, oldest first. */
  get waiting(): ReadonlySet<FlowRequest> {
    return this.#waiting ?? NO_REQUESTS;
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

  /** Removes a request. Returns false if it is not waiting in this queue. */
  remove(request: FlowRequest): boolean {
    if (this.#waiting?.delete(request) !== true) return false;
    this.#sum(request, -1);
    return true;
  }

  /**
   * Raises `nextDispatchR` to the virtual time at which the oldest request arrived, so that a flow cannot save up seats that it did not
   * use.
   */
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

/** The assumed duration of a request in seconds. */
export const ESTIMATED_SERVICE = 0.003;

/** The number of units of work in a seat-second. */
export const WORK_UNITS = 1e8;

/**
 * Returns an amount of work. As in upstream, work and virtual times are whole numbers of units, so that requests that would end at the same
 * time compare as equal.
 */
export const workOf = (seats: number, seconds: number): number => Math.round(seats * seconds * WORK_UNITS);

interface Arrival {
  /** The clock reading at the arrival, in milliseconds. */
  readonly at: number;
  /** The virtual time of the level at the arrival, in {@link WORK_UNITS}. */
  readonly r: number;
}

/** One request at its priority level. It waits, is being served, or has ended. */
export class FlowRequest {
  readonly call: FlowCall;
  readonly counts: FlowCounts;
  /** The distinguisher of the request's flow within its flow schema. */
  readonly distinguisher: string;
  readonly arrival: Arrival;
  /** The queue that the request passes; undefined if the level does not queue. */
  readonly queue: Queue | undefined;
  readonly initialSeats: number;
  finalSeats: number;
  /** How long the seats stay occupied after the request has been served, in milliseconds. */
  additionalLatency: number;
  /**
   * The greater of the initial and the final seats. The request occupies this many seats from its start until the additional latency has
   * passed.
   */
  maxSeats: number;
  /** The estimated work in {@link WORK_UNITS}. */
  readonly totalWork: number;
  /** The clock reading at which the request was started, in milliseconds; undefined while it waits. */
  startedAt: number | undefined;
  /** The request's entry in the list of requests being served. */
  served: LinkedListEntry<FlowRequest> | undefined;
  /** Called once when a waiting request is started or refused. */
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
      workOf(estimate.initialSeats, ESTIMATED_SERVICE) + workOf(estimate.finalSeats, estimate.additionalLatency / 1000);
  }

  /** Lowers the final seats to `seats` and prolongs the additional latency, so that the work stays the same. */
  narrow(seats: number): void {
    if (this.finalSeats <= seats || seats <= 0) return;
    this.additionalLatency = (this.finalSeats * this.additionalLatency) / seats;
    this.finalSeats = seats;
    this.maxSeats = Math.max(this.initialSeats, seats);
  }
}

/** The metrics of one flow schema at one priority level. */
interface FlowMeter {
  readonly queueLength: MetricSeries;
  readonly estimatedSeats: MetricSeries;
  readonly watchCount: MetricSeries;
  /** The waiting times of requests that were then executed. `waitUntilRefused` has the waiting times of refused requests. */
  readonly waitToExecute: MetricSeries;
  readonly waitUntilRefused: MetricSeries;
  readonly regularExecution: MetricSeries;
  readonly watchExecution: MetricSeries;
}

/** @param labels values of `priority_level` and `flow_schema` */
function flowMeter(metrics: Metrics, labels: readonly [level: string, schema: string]): FlowMeter {
  return {
    queueLength: metrics.series(families.queueLength, labels),
    estimatedSeats: metrics.series(families.estimatedSeats, labels),
    watchCount: metrics.series(families.watchCount, labels),
    waitToExecute: metrics.series(families.waitDuration, [...labels, 'true']),
    waitUntilRefused: metrics.series(families.waitDuration, [...labels, 'false']),
    regularExecution: metrics.series(families.executionDuration, [...labels, 'regular']),
    watchExecution: metrics.series(families.executionDuration, [...labels, 'watch']),
  };
}

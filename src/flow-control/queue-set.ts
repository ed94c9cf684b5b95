import { type Clock, reading } from '../meta/clock.js';
import { LinkedList } from '../values/linked-list.js';
import {
  ESTIMATED_SERVICE,
  type FlowCall,
  type FlowCounts,
  FlowRequest,
  Queue,
  type RefusalReason,
  workOf,
} from './flow-request.js';
import { LevelUsage } from './level-usage.js';
import { SeatDemand } from './seat-demand.js';
import type { WorkEstimate } from './work-estimate.js';

/** What a level does with requests for which there is no free seat. */
export type LimitResponse =
  /** Every request is served at once, because the level has no limit. */
  | { readonly type: 'Exempt' }
  | { readonly type: 'Reject' }
  | {
      readonly type: 'Queue';
      readonly queues: number;
      readonly handSize: number;
      readonly queueLengthLimit: number;
    };

/** The number of queues above which idle queues are removed. Removing each idle queue at once would change the map with every request. */
const MAX_QUEUES = 256;

/** Virtual times at the last dispatch, in `WORK_UNITS`. */
export interface DispatchProgress {
  readonly r: number;
  readonly s: number;
  readonly next: readonly [min: number, max: number];
  readonly discounted: readonly [min: number, max: number];
}

/** The request that is dispatched next. */
interface Dispatch {
  readonly queue: Queue;
  readonly request: FlowRequest;
  readonly progress: DispatchProgress;
}

/**
 * The seats of one priority level and the queues of its waiting requests. It implements fair queuing for requests that run concurrently: in
 * a virtual world all active queues have the same number of seats, and the virtual time `r` is the work that each queue has had done in that
 * world. The request that would end first in the virtual world is started next.
 */
export class QueueSet {
  readonly demand: SeatDemand;
  /** The usage of the level; undefined if metrics are off. */
  readonly usage: LevelUsage | undefined;
  /** All requests being served. */
  readonly executing = new LinkedList<FlowRequest>();
  /** The queues in use and some idle ones, by index. */
  readonly queues = new Map<number, Queue>();
  seatsInUse = 0;
  waiting = 0;
  seatsWaiting = 0;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;
  r = 0;
  lastDispatch: DispatchProgress | undefined;
  readonly #clock: Clock;
  #response: LimitResponse = { type: 'Reject' };
  #limit = 0;
  #syncedAt: number;
  /** The seats of requests that were dispatched from a queue. */
  #queuedSeatsInUse = 0;
  #activeQueues = 0;
  #enqueued = 0;
  /**
   * The index of the queue from which the last request was dispatched. If several queues could be next, the first one after this index is
   * chosen.
   */
  #lastDispatched = 0;

  /** @param isMeasured whether the usage of the level is recorded for metrics */
  constructor(clock: Clock, isMeasured = false) {
    this.#clock = clock;
    this.#syncedAt = reading(clock);
    this.demand = new SeatDemand(this.#syncedAt);
    this.usage = isMeasured ? new LevelUsage(this.#syncedAt) : undefined;
  }

  get response(): LimitResponse {
    return this.#response;
  }
  get idle(): boolean {
    return this.waiting === 0 && this.executing.size === 0;
  }

  /**
   * Sets the seat limit, and the response to requests for which there is no free seat. Both also apply to requests that already wait.
   * Queues beyond the configured number get no more requests, so that they drain.
   */
  configure(response: LimitResponse, limit: number): void {
    this.#sync();
    this.#response = response;
    this.#limit = limit;
    this.#dispatch();
  }

  /**
   * Begins a request: it is served at once, waits, or is refused.
   * @param hand the queues that the request's flow may use; ignored if the level does not queue
   */
  begin(
    call: FlowCall,
    counts: FlowCounts,
    distinguisher: string,
    hand: readonly number[],
    estimate: WorkEstimate,
  ): FlowRequest | RefusalReason {
    const now = this.#sync();
    const arrival = { at: now, r: this.r };
    const response = this.#response;
    const queue = response.type === 'Queue' ? this.#choose(hand, response.queues) : undefined;
    const request = new FlowRequest(call, counts, distinguisher, arrival, estimate, queue);
    if (response.type !== 'Queue' || queue === undefined) {
      if (response.type === 'Reject' && !this.#fits(request.maxSeats)) return this.#refuse(counts, 'concurrency-limit');
      this.#start(request, now);
      return request;
    }
    if (this.seatsInUse >= this.#limit && queue.waiting.size >= response.queueLengthLimit)
      return this.#refuse(counts, 'queue-full');
    if (this.waiting === 0 && this.seatsInUse + request.maxSeats <= this.#limit) {
      // A request that need not wait is counted as if it had entered the empty queue.
      this.#noteQueued(counts, queue.waiting.size + 1);
      this.#dispatchAtOnce(request, queue, now);
      return request;
    }
    this.#enqueue(request, queue);
    this.#noteQueued(counts, queue.waiting.size);
    this.#dispatch();
    return request;
  }

  /** Removes a waiting request from its queue. Returns false if the request is not waiting. */
  abandon(request: FlowRequest, reason: 'time-out' | 'cancelled'): boolean {
    this.#sync();
    const { queue } = request;
    if (!queue || !this.#leaveQueue(request, queue)) return false;
    queue.bound();
    this.#refuse(request.counts, reason);
    if (reason === 'time-out') this.timedOut++;
    else this.cancelled++;
    this.#forgetIdle(queue);
    // The removed request may have been the first of its queue. The one behind it may need fewer seats and can then start at once.
    this.#dispatch();
    return true;
  }

  /**
   * Ends a request. Its seats become free at once or, if the request notifies watches, after the estimated time of the notifications.
   * @param at a clock reading
   * @returns the clock reading that was used.
   */
  finish(request: FlowRequest, at?: number): number {
    const now = this.#sync(at);
    const { queue, counts, initialSeats, startedAt = now } = request;
    if (request.served) this.executing.remove(request.served);
    request.served = undefined;
    counts.executing--;
    if (queue) {
      queue.executing--;
      if (!queue.active) this.#activeQueues--;
      // When the request was dispatched, the queue's dispatch time advanced by an estimated duration. The estimate is now replaced by the
      // actual duration.
      queue.nextDispatchR -= workOf(initialSeats, ESTIMATED_SERVICE - Math.max(0, now - startedAt) / 1000);
      queue.bound();
    }
    if (request.additionalLatency <= 0) this.#release(request);
    else {
      this.usage?.note(this, now);
      const free = () => {
        this.#sync();
        this.#release(request);
        this.#dispatch();
      };
      this.#clock.setTimer(free, request.additionalLatency, false, 'seat of a request that ended');
    }
    this.#dispatch();
    return now;
  }

  /**
   * Advances the virtual time to the present. This must happen before any other change, because the rate of the virtual time depends on the
   * previous state.
   */
  #sync(now = reading(this.#clock)): number {
    const seconds = Math.max(0, now - this.#syncedAt) / 1000;
    this.#syncedAt = now;
    if (this.#activeQueues > 0) {
      const seats = Math.min(this.#queuedSeatsInUse + this.seatsWaiting, this.#limit);
      this.r += workOf(seats / this.#activeQueues, seconds);
    }
    return now;
  }

  #refuse(counts: FlowCounts, reason: RefusalReason): RefusalReason {
    counts.refused[reason]++;
    this.rejected++;
    return reason;
  }

  /**
   * Returns the queue in `hand` with the least waiting work. The search starts at a different position of `hand` for each request, so that
   * queues with equal work are chosen in turn.
   */
  #choose(hand: readonly number[], queues: number): Queue {
    const offset = this.#enqueued++ % hand.length;
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < hand.length; i++) {
      // If the configuration has changed since the hand was dealt, the hand may contain queues that no longer exist.
      const index = (hand[(offset + i) % hand.length] ?? 0) % queues;
      const work = this.queues.get(index)?.totalWorkSum ?? 0;
      if (work >= least) continue;
      least = work;
      best = index;
    }
    const index = best ?? 0;
    return this.queues.get(index) ?? new Queue(index);
  }

  /**
   * Has the effect of {@link #enqueue} and {@link #dispatch} together, for the case that no request waits and there are enough free seats.
   */
  #dispatchAtOnce(request: FlowRequest, queue: Queue, now: number): void {
    this.#activate(queue);
    const due = Math.max(queue.nextDispatchR, this.r);
    const discounted = due - workOf(queue.seatsInUse, ESTIMATED_SERVICE);
    this.lastDispatch = { r: this.r, s: due, next: [due, due], discounted: [discounted, discounted] };
    this.#lastDispatched = queue.index;
    queue.executing++;
    queue.nextDispatchR = due + request.totalWork;
    this.#start(request, now);
  }

  #activate(queue: Queue): void {
    if (queue.active) return;
    this.queues.set(queue.index, queue);
    this.#activeQueues++;
    queue.nextDispatchR = this.r;
  }

  #enqueue(request: FlowRequest, queue: Queue): void {
    this.#activate(queue);
    queue.add(request);
    queue.bound();
    const { counts, maxSeats } = request;
    this.waiting++;
    this.seatsWaiting += maxSeats;
    counts.waiting++;
    counts.seatsWaiting += maxSeats;
    this.#setDemand();
  }

  #noteQueued(counts: FlowCounts, length: number): void {
    counts.wasQueued = true;
    counts.meter.queueLength.observe(length);
  }

  #leaveQueue(request: FlowRequest, queue: Queue): boolean {
    if (!queue.remove(request)) return false;
    if (!queue.active) this.#activeQueues--;
    const { counts, maxSeats } = request;
    this.waiting--;
    this.seatsWaiting -= maxSeats;
    counts.waiting--;
    counts.seatsWaiting -= maxSeats;
    this.#setDemand();
    return true;
  }

  #dispatch(): void {
    while (this.waiting > 0 && this.seatsInUse < this.#limit) {
      const next = this.#next();
      if (!next) return;
      const { queue, request, progress } = next;
      if (!this.#fits(request.maxSeats)) {
        request.counts.notAccommodated++;
        return;
      }
      this.lastDispatch = progress;
      this.#lastDispatched = queue.index;
      this.#leaveQueue(request, queue);
      request.narrow(this.#limit);
      if (!queue.active) this.#activeQueues++; // The request that starts makes the queue active again.
      queue.executing++;
      queue.nextDispatchR += request.totalWork;
      queue.bound();
      this.#start(request, this.#syncedAt);
      request.onDecision?.(true);
    }
  }

  /**
   * Returns the waiting request that would end first in the virtual world. Among requests that would end at the same time, it is the one
   * whose queue comes next after the queue of the last dispatched request.
   */
  #next(): Dispatch | undefined {
    const next: [number, number] = [Number.POSITIVE_INFINITY, 0];
    const discounted: [number, number] = [Number.POSITIVE_INFINITY, 0];
    let best: { readonly queue: Queue; readonly request: FlowRequest } | undefined;
    let bestFinish = Number.POSITIVE_INFINITY;
    for (const queue of this.queues.values()) {
      const { oldest, nextDispatchR } = queue;
      if (!oldest) continue;
      const inProgress = workOf(queue.seatsInUse, ESTIMATED_SERVICE);
      next[0] = Math.min(next[0], nextDispatchR);
      next[1] = Math.max(next[1], nextDispatchR);
      discounted[0] = Math.min(discounted[0], nextDispatchR - inProgress);
      discounted[1] = Math.max(discounted[1], nextDispatchR - inProgress);
      const finish = nextDispatchR + oldest.totalWork;
      if (finish > bestFinish || (finish === bestFinish && best && this.#precedes(best.queue, queue))) continue;
      best = { queue, request: oldest };
      bestFinish = finish;
    }
    return best && { ...best, progress: { r: this.r, s: best.queue.nextDispatchR, next, discounted } };
  }

  #precedes(a: Queue, b: Queue): boolean {
    const aIsNext = a.index > this.#lastDispatched;
    return aIsNext === b.index > this.#lastDispatched ? a.index < b.index : aIsNext;
  }

  #start(request: FlowRequest, now: number): void {
    const { counts, maxSeats, queue } = request;
    request.startedAt = now;
    request.served = this.executing.add(request);
    this.seatsInUse += maxSeats;
    if (queue) {
      queue.seatsInUse += maxSeats;
      this.#queuedSeatsInUse += maxSeats;
    }
    this.dispatched++;
    counts.dispatched++;
    counts.executing++;
    counts.seatsExecuting += maxSeats;
    this.#setDemand();
  }

  #release({ queue, counts, maxSeats }: FlowRequest): void {
    this.seatsInUse -= maxSeats;
    counts.seatsExecuting -= maxSeats;
    if (queue) {
      queue.seatsInUse -= maxSeats;
      this.#queuedSeatsInUse -= maxSeats;
      this.#forgetIdle(queue);
    }
    this.#setDemand();
  }

  #forgetIdle(queue: Queue): void {
    if (this.queues.size > MAX_QUEUES && !queue.inUse) this.queues.delete(queue.index);
  }

  #fits(seats: number): boolean {
    // A request that needs more seats than the concurrency limit of the level is served while no other request is.
    if (seats > this.#limit) return this.executing.size === 0;
    return this.seatsInUse + seats <= this.#limit;
  }

  #setDemand(): void {
    this.demand.set(this.seatsInUse + this.seatsWaiting, this.#syncedAt);
    this.usage?.note(this, this.#syncedAt);
  }
}

import { awaitedTimer, type Clock, reading } from '../meta/clock.js';
import { groupOf } from '../meta/dialect.js';
import type { Host, Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Query } from '../meta/query.js';
import type {
  FlowSchema,
  PriorityLevelConfiguration as LevelObject,
} from '../resources/flowcontrol/flowcontrol-v1.types.js';
import { Configuration, type FlowSchemaInUse } from './configuration.js';
import { dumpOf } from './dump.js';
import { exposeMetrics } from './expose.js';
import type { FlowCall, FlowRequest } from './flow-request.js';
import type { RequestFacts } from './matching.js';
import type { PriorityLevel } from './priority-level.js';
import type { Hand } from './shuffle-sharding.js';
import { WatchCounts } from './watch-counts.js';
import { estimateWork, notifiesWatches, type WorkEstimate, type WorkFacts } from './work-estimate.js';

/** Milliseconds between two adjustments of the concurrency limits. */
const ADJUSTMENT_PERIOD = 10_000;
/** The maximum time in milliseconds that a request waits, whatever its own timeout is. */
const LONGEST_WAIT = 60_000;
const GROUP = 'flowcontrol.apiserver';

export interface FlowControlOptions {
  readonly host: Pick<Host, 'clock' | 'dialect' | 'lister' | 'metrics' | 'signatures'>;
  /** The seats of the whole server, more than 0. */
  readonly seats: number;
  /** Returns the number of stored objects of a resource; undefined if the resource is not served. */
  readonly objectCount: WorkFacts['objectCount'];
}

/** How a request was classified and served. */
export interface FlowReport {
  /** The name of the priority level. */
  readonly priorityLevel: string;
  /** The name of the flow schema. */
  readonly flowSchema: string;
  readonly initialSeats: number;
  readonly finalSeats: number;
  /** How long the final seats are to stay occupied after the request was served, in milliseconds. */
  readonly additionalLatency: number;
  /** The milliseconds for which the request was served; undefined before its end, and for a refused request. */
  readonly executionTime: number | undefined;
}

/** The decision on a request. */
export interface FlowDecision {
  /** The uid of the flow schema, or '' for a mandatory object that is not stored. */
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
  /** Undefined for a request that may be served; otherwise the number of seconds after which the caller may try again. */
  readonly retryAfter: number | undefined;
  /** Returns how the request was classified and served. */
  report(): FlowReport;
  /**
   * Frees the seats of a request whose response was sent. Calls after the first do nothing.
   * @param now a clock reading, if the caller has one
   */
  release(now?: number): void;
}

/**
 * API Priority and Fairness (spec 18.9): flow schemas assign requests to priority levels. A level serves requests while it has free
 * seats, and queues further requests, so that no flow of requests keeps other flows from being served.
 */
export class FlowControl {
  readonly #clock: Clock;
  readonly #schemas: Lister<FlowSchema & ApiObject>;
  readonly #levels: Lister<LevelObject & ApiObject>;
  readonly #configuration: Configuration;
  readonly #watches = new WatchCounts();
  readonly #facts: WorkFacts;
  readonly #stops: readonly (() => void)[];
  #stopAdjusting: (() => void) | undefined;
  #onSeatsFreed: ((waiting: number, served: number) => void) | undefined;
  /** The clock reading at the last adjustment of limits. */
  #adjustedAt: number;
  /** Whether a request has arrived since the last adjustment. */
  #wasUsed = false;
  /** Whether flow schemas or priority levels have changed since the configuration was last updated. */
  #isStale = true;

  constructor({ host, seats, objectCount }: FlowControlOptions) {
    this.#clock = host.clock;
    this.#adjustedAt = reading(host.clock);
    this.#configuration = new Configuration(host, seats);
    this.#configuration.update([], []);
    this.#facts = { objectCount, watchCount: (info) => this.#watches.concernedBy(info) };
    exposeMetrics(host, this.#configuration);
    const group = groupOf(host.dialect, GROUP);
    this.#schemas = host.lister(group, 'flowschemas');
    this.#levels = host.lister(group, 'prioritylevelconfigurations');
    const follow = (next: { readonly spec: object } | undefined, previous: { readonly spec: object } | undefined) => {
      if (next?.spec === previous?.spec || this.#isStale) return;
      this.#isStale = true;
      // The next request applies the change in any case. The microtask is for requests that already wait: it applies the change even if no
      // new request arrives.
      queueMicrotask(() => this.#refresh());
    };
    this.#stops = [this.#schemas.onChange(follow), this.#levels.onChange(follow)];
  }

  /** Lets a request pass, queues it, or refuses it. */
  begin(call: FlowCall): FlowDecision | Promise<FlowDecision> {
    this.#refresh();
    this.#keepAdjusting();
    const schema = this.#configuration.classify(call.user, call.info);
    const { level } = schema;
    const { response } = level.spec;
    if (response.type !== 'Queue') return this.#enter(call, schema, '', []);
    const distinguisher = response.queues > 1 ? distinguish(schema, call) : '';
    const hand = schema.handOf(distinguisher);
    return hand instanceof Promise
      ? hand.then((dealt) => this.#enter(call, schema, distinguisher, dealt))
      : this.#enter(call, schema, distinguisher, hand);
  }

  /**
   * Calls `callback` with the number of requests that may wait and the number that may be served, at once and whenever these numbers
   * change.
   */
  followRoom(callback: (waiting: number, served: number) => void): void {
    this.#onSeatsFreed = callback;
    const { waiting, seats } = this.#configuration.room;
    callback(waiting, seats);
  }

  /**
   * Counts a watch, because the cost of a write grows with the number of watches that it notifies.
   * @returns a function that removes the watch from the count.
   */
  countWatch(info: RequestFacts, query: Query): () => void {
    return this.#watches.add(info, query);
  }

  /** Returns one of the debugging tables; undefined for an unknown name. */
  dump(name: string, query: Query): string | undefined {
    this.#refresh();
    const details = (query.first('includeRequestDetails') ?? '') !== '';
    return dumpOf(name, [...this.#configuration.levels], details, this.#clock.now() - reading(this.#clock));
  }

  /** Stops following the configuration. Requests that wait are refused when their time limit is reached. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#stopAdjusting?.();
  }

  #enter(
    call: FlowCall,
    schema: FlowSchemaInUse,
    distinguisher: string,
    hand: Hand,
  ): FlowDecision | Promise<FlowDecision> {
    const { level, counts } = schema;
    const estimate = this.#estimate(call, schema);
    const request = level.queueSet.begin(call, counts, distinguisher, hand, estimate);
    if (typeof request === 'string') {
      this.#observeWait(schema, 0, false);
      return this.#refuse(schema, estimate);
    }
    if (request.startedAt === undefined) return this.#wait(call, schema, request, estimate);
    this.#observeWait(schema, 0, true);
    return this.#seat(schema, request, estimate);
  }

  #estimate({ info, query }: FlowCall, { level, counts }: FlowSchemaInUse): WorkEstimate {
    const estimate = estimateWork(info, query, level.mostSeats, this.#facts);
    const { estimatedSeats, watchCount } = counts.meter;
    estimatedSeats.observe(Math.max(estimate.initialSeats, estimate.finalSeats));
    if (notifiesWatches(info)) watchCount.observe(this.#facts.watchCount(info));
    return estimate;
  }

  #wait(
    { deadline, request: { signal } }: FlowCall,
    schema: FlowSchemaInUse,
    request: FlowRequest,
    estimate: WorkEstimate,
  ): Promise<FlowDecision> {
    const { queueSet } = schema.level;
    return new Promise((resolve) => {
      const decide = (start: boolean) => {
        stop();
        signal?.removeEventListener('abort', cancel);
        this.#observeWait(schema, reading(this.#clock) - request.arrival.at, start);
        resolve(start ? this.#seat(schema, request, estimate) : this.#refuse(schema, estimate));
      };
      const giveUp = (reason: 'time-out' | 'cancelled') => {
        if (!queueSet.abandon(request, reason)) return;
        decide(false);
        this.#reap(schema.level);
      };
      const cancel = () => giveUp('cancelled');
      request.onDecision = decide;
      // The wait is measured from the arrival of the request, so the time that earlier steps took is deducted.
      const until = deadline.began + Math.min(deadline.limit / 4, LONGEST_WAIT);
      const stop = awaitedTimer(
        this.#clock,
        () => giveUp('time-out'),
        until - reading(this.#clock),
        'longest wait of a request in a queue',
      );
      if (signal?.aborted === true) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  #refuse(schema: FlowSchemaInUse, estimate: WorkEstimate): FlowDecision {
    const { retryAfter } = schema.level;
    retryAfter.refused(this.#clock.now());
    const { uid, level } = schema;
    return {
      flowSchemaUid: uid,
      priorityLevelUid: level.uid,
      retryAfter: retryAfter.seconds,
      report: () => reportOf(schema, estimate, undefined),
      release() {},
    };
  }

  #seat(schema: FlowSchemaInUse, request: FlowRequest, estimate: WorkEstimate): FlowDecision {
    return new Seated(schema, request, estimate, this.#onIdle);
  }

  #observeWait({ level, counts }: FlowSchemaInUse, milliseconds: number, execute: boolean): void {
    if (level.spec.response.type === 'Exempt') return;
    const { waitToExecute, waitUntilRefused } = counts.meter;
    (execute ? waitToExecute : waitUntilRefused).observe(milliseconds / 1000);
  }

  /**
   * Marks the configuration as stale when a level whose object was deleted has served its last request. The next update removes the level.
   */
  #reap({ quiescing, queueSet }: PriorityLevel): void {
    if (quiescing && queueSet.idle) this.#isStale = true;
  }
  readonly #onIdle = (level: PriorityLevel): void => this.#reap(level);

  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#configuration.update(this.#levels.list(), this.#schemas.list());
    if (this.#onSeatsFreed) this.followRoom(this.#onSeatsFreed);
  }

  /** Keeps adjusting the limits while requests arrive or are served. An idle server sets no timers. */
  #keepAdjusting(): void {
    this.#wasUsed = true;
    if (this.#stopAdjusting) return;
    const now = reading(this.#clock);
    const missed = Math.floor((now - this.#adjustedAt) / ADJUSTMENT_PERIOD);
    if (missed > 0) this.#adjust(missed - 1);
    this.#adjustLater();
  }

  #adjustLater(): void {
    const adjust = () => {
      this.#stopAdjusting = undefined;
      const levels = [...this.#configuration.levels];
      const keepsAdjusting = this.#wasUsed || levels.some(({ queueSet }) => !queueSet.idle);
      this.#wasUsed = false;
      this.#adjust(0);
      if (keepsAdjusting) this.#adjustLater();
    };
    this.#stopAdjusting = this.#clock.setTimer(adjust, ADJUSTMENT_PERIOD, false, 'adjustment of priority levels');
  }

  #adjust(periodsWithoutRequests: number): void {
    this.#adjustedAt = reading(this.#clock);
    for (const { queueSet } of this.#configuration.levels) queueSet.demand.skipPeriods(periodsWithoutRequests);
    this.#configuration.adjustLimits();
  }
}

/** Creates the flow control of a server. */
export const makeFlowControl = (options: FlowControlOptions): FlowControl => new FlowControl(options);

/** Returns the distinguisher of a request's flow within its flow schema. */
function distinguish({ distinguisher }: FlowSchemaInUse, { user, info }: FlowCall): string {
  if (distinguisher === 'ByUser') return user.username;
  return distinguisher === 'ByNamespace' ? info.namespace : '';
}

function reportOf(
  { name, level }: FlowSchemaInUse,
  { initialSeats, finalSeats, additionalLatency }: WorkEstimate,
  executionTime: number | undefined,
): FlowReport {
  return { priorityLevel: level.name, flowSchema: name, initialSeats, finalSeats, additionalLatency, executionTime };
}

/** The decision on a request that is served. */
class Seated implements FlowDecision {
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
  readonly retryAfter = undefined;
  readonly #schema: FlowSchemaInUse;
  readonly #estimate: WorkEstimate;
  readonly #onEnd: (level: PriorityLevel) => void;
  #request: FlowRequest | undefined;
  #executionTime: number | undefined;

  constructor(
    schema: FlowSchemaInUse,
    request: FlowRequest,
    estimate: WorkEstimate,
    onEnd: (level: PriorityLevel) => void,
  ) {
    this.flowSchemaUid = schema.uid;
    this.priorityLevelUid = schema.level.uid;
    this.#schema = schema;
    this.#estimate = estimate;
    this.#request = request;
    this.#onEnd = onEnd;
  }

  report(): FlowReport {
    return reportOf(this.#schema, this.#estimate, this.#executionTime);
  }

  release(now?: number): void {
    const request = this.#request;
    if (request === undefined) return;
    this.#request = undefined;
    const { startedAt = 0, call, counts } = request;
    const { level } = this.#schema;
    const ended = level.queueSet.finish(request, now);
    this.#executionTime = ended - startedAt;
    const { regularExecution, watchExecution } = counts.meter;
    (call.info.verb === 'watch' ? watchExecution : regularExecution).observe(this.#executionTime / 1000);
    this.#onEnd(level);
  }
}

import { reading, TimesOfDay } from '../meta/clock.js';
import { groupOf } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';
import { type MetricEntries, type MetricSeries, noSeries, seriesByLabel } from '../metrics/metrics.js';
import type { Annotations } from './annotations.js';
import { type AuditLevel, type AuditStage, auditVersion } from './audit-event.js';
import type { AuditFacts } from './audit-facts.js';
import { AUDIT_EVENTS, AUDIT_LEVEL_REQUESTS, AUDIT_REJECTIONS, LostEvents } from './audit-metrics.js';
import { type AuditPolicy, readAuditPolicy } from './audit-policy.js';
import { type AuditRecord, recordStage } from './audit-record.js';
import { type AuditFunction, type AuditSink, functionSink } from './audit-sink.js';
import { type AuditDecision, type AuditedRequest, type DecideAudit, policyDecisions } from './policy-rules.js';
import { SinkRunner } from './sink-runner.js';

/** Which requests are recorded, and where (spec 23.1). */
export interface AuditOptions {
  /** The policy, which decides about which requests events are recorded, and what they contain. */
  readonly policy: AuditPolicy;
  /** The sinks, each of which receives every event. A failing sink does not affect requests unless its mode is `blocking-strict`. */
  readonly sinks: readonly (AuditSink | AuditFunction)[];
}

/** The maximum number of events that wait before sinks receive them. An event that is larger than `LIGHT` characters does not wait. */
const MAX_WAITING = 64;
const LIGHT = 4096;

/** Records the events of one server's requests. */
export class AuditTrail {
  /** The API version of events: `audit.k8s.io/v1` in the k8s dialect. */
  readonly apiVersion: string;
  readonly #host: Host;
  readonly #times: TimesOfDay;
  readonly #decide: DecideAudit;
  readonly #sinks: readonly SinkRunner[];
  readonly #levels: (level: string) => MetricSeries;
  /** The audit level of the last request. `#requests` is the counter of the requests with this level. */
  #level: AuditLevel | undefined;
  #requests = noSeries;
  readonly #events: MetricSeries;
  /** Flushes the waiting events before metrics are read, so that the metrics count them. */
  readonly #notes: MetricEntries;
  /**
   * Events that will be passed to the sinks together. Passing each event on while its request is served would cost several times as much.
   */
  #waiting: AuditRecord[] = [];
  readonly #most: number;
  readonly #keys: { readonly decision: string; readonly reason: string };
  /** The last decision that was added. It is cached, because most requests get the same decision as the request before. */
  #last: Decided | undefined;

  /** @throws ConfigurationError for an invalid policy. */
  constructor({ policy, sinks }: AuditOptions, host: Host) {
    const lost = new LostEvents(host);
    this.apiVersion = auditVersion(host.dialect);
    this.#host = host;
    this.#times = new TimesOfDay(host.clock);
    this.#levels = seriesByLabel(host.metrics, AUDIT_LEVEL_REQUESTS);
    this.#events = host.metrics.series(AUDIT_EVENTS, []);
    const group = groupOf(host.dialect, 'authorization');
    this.#keys = { decision: `${group}/decision`, reason: `${group}/reason` };
    this.#decide = policyDecisions(readAuditPolicy(policy, host.dialect));
    this.#sinks = sinks.map(
      (sink) =>
        new SinkRunner(typeof sink === 'function' ? functionSink(sink) : sink, host, lost, () => this.#flushAll()),
    );
    this.#most = Math.min(MAX_WAITING, ...this.#sinks.map(({ mayWait }) => mayWait));
    this.#notes = host.metrics.entries(() => this.#flushAll());
  }

  /**
   * Decides what is recorded of a request.
   * @param user undefined if the caller is not known
   */
  decide(request: AuditedRequest, user: UserInfo | undefined): AuditDecision {
    const decision = this.#decide(request, user);
    const { level } = decision;
    // Most requests have the same audit level as the request before, so the counter of that level is cached.
    if (level !== this.#level) {
      this.#level = level;
      this.#requests = this.#levels(level);
    }
    this.#requests.add();
    return decision;
  }

  /**
   * Adds the authorization decision about a request (spec 23.4).
   * @param decision undefined if authorization failed with an error
   */
  withDecision(before: Annotations, decision: 'allow' | 'forbid' | undefined, reason: string): Annotations {
    const last = this.#last;
    if (last?.before === before && last.decision === decision && last.reason === reason) return last.after;
    const decided = decision ? before.with(this.#keys.decision, decision) : before;
    const after = decided.with(this.#keys.reason, reason);
    this.#last = { before, decision, reason, after };
    return after;
  }

  /** Returns the time of day, in milliseconds since the epoch, at which the server's clock had the given reading. */
  timeAt(clockReading: number): number {
    return this.#times.at(clockReading);
  }

  /**
   * Passes the event of a stage to the sinks. Returns false if a strict sink lost it, and a promise if a sink makes requests wait.
   * @param now a reading of the server's clock, if the caller has one
   */
  record(facts: AuditFacts, stage: AuditStage, now?: number): boolean | Promise<boolean> {
    const time = stage === 'RequestReceived' ? facts.received : this.#times.at(now ?? reading(this.#host.clock));
    const record = recordStage(facts, stage, time);
    const waiting = this.#waiting.push(record);
    if (waiting >= this.#most || record.weight > LIGHT) return this.#flushAll();
    if (waiting === 1) {
      for (const sink of this.#sinks) sink.expect();
      this.#notes.add(1);
    }
    return true;
  }

  #flushAll(): boolean | Promise<boolean> {
    const records = this.#waiting;
    let all: boolean | Promise<boolean> = true;
    if (records.length === 0) return all;
    this.#waiting = [];
    this.#events.add(records.length);
    for (const record of records) {
      for (const sink of this.#sinks) all = both(all, sink.take(record));
    }
    return all;
  }

  /** Counts a request that was refused because its first event was lost. */
  rejected(): void {
    this.#host.metrics.add(AUDIT_REJECTIONS, []);
  }

  /** Writes the waiting events, and closes all sinks. */
  async close(): Promise<void> {
    const { log } = this.#host;
    this.#flushAll();
    await Promise.all(
      this.#sinks.map((sink) =>
        sink.close().catch((error: unknown) => log(`an audit sink could not be closed: ${String(error)}`)),
      ),
    );
  }
}

interface Decided {
  readonly before: Annotations;
  readonly decision: 'allow' | 'forbid' | undefined;
  readonly reason: string;
  readonly after: Annotations;
}

function both(one: boolean | Promise<boolean>, other: boolean | Promise<boolean>): boolean | Promise<boolean> {
  if (typeof one === 'boolean' && typeof other === 'boolean') return one && other;
  return Promise.all([one, other]).then(([first, second]) => first && second);
}

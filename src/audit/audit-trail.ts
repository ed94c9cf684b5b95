import { groupOf } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';
import { type MetricEntries, type MetricSeries, noSeries } from '../metrics/metrics.js';
import { seriesByLabel } from '../metrics/series-by-label.js';
import type { Annotations } from './annotations.js';
import { type AuditLevel, type AuditStage, auditVersion } from './audit-event.js';
import type { AuditFacts } from './audit-facts.js';
import { AUDIT_EVENTS, AUDIT_LEVEL_REQUESTS, AUDIT_REJECTIONS } from './audit-metrics.js';
import { type AuditPolicy, readAuditPolicy } from './audit-policy.js';
import { type AuditRecord, recordStage } from './audit-record.js';
import { type AuditFunction, type AuditSink, functionSink } from './audit-sink.js';
import { LostEvents } from './lost-events.js';
import { type AuditDecision, type AuditedRequest, type DecideAudit, policyDecisions } from './policy-rules.js';
import { SinkRunner } from './sink-runner.js';

/** Which requests are kept, and where (spec 23.1). */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  /** Each gets every event. A sink that is lost never loses a request, unless its mode is `blocking-strict`. */
  readonly sinks: readonly (AuditSink | AuditFunction)[];
}

/** Events that wait at most before sinks get them, and characters of one that others wait with. */
const MAX_WAITING = 64;
const LIGHT = 4096;

/** Takes the events of one server's requests. */
export class AuditTrail {
  /** `audit.<group>/v1`. */
  readonly apiVersion: string;
  readonly #host: Host;
  readonly #decide: DecideAudit;
  readonly #sinks: readonly SinkRunner[];
  readonly #levels: (level: string) => MetricSeries;
  /** Of the last request, and what counts the requests of it. */
  #level: AuditLevel | undefined;
  #requests = noSeries;
  readonly #events: MetricSeries;
  /** Has the events that wait counted before anybody sees the metrics. */
  readonly #notes: MetricEntries;
  /** Events that the sinks get together: handing each on between the steps of its request costs several times as much. */
  #waiting: AuditRecord[] = [];
  readonly #most: number;
  readonly #keys: { readonly decision: string; readonly reason: string };
  /** What was added last for a decision: most requests are decided as the one before. */
  #last: Decided | undefined;

  /** @throws ConfigurationError for a policy that cannot be used. */
  constructor({ policy, sinks }: AuditOptions, host: Host) {
    const lost = new LostEvents(host);
    this.apiVersion = auditVersion(host.dialect);
    this.#host = host;
    this.#levels = seriesByLabel(host.metrics, AUDIT_LEVEL_REQUESTS);
    this.#events = host.metrics.series(AUDIT_EVENTS, []);
    const group = groupOf(host.dialect, 'authorization');
    this.#keys = { decision: `${group}/decision`, reason: `${group}/reason` };
    this.#decide = policyDecisions(readAuditPolicy(policy, host.dialect));
    this.#sinks = sinks.map(
      (sink) =>
        new SinkRunner(typeof sink === 'function' ? functionSink(sink) : sink, host, lost, () => this.#passAll()),
    );
    this.#most = Math.min(MAX_WAITING, ...this.#sinks.map(({ mayWait }) => mayWait));
    this.#notes = host.metrics.entries(() => this.#passAll());
  }

  /** What is kept of a request. @param user undefined where the caller is not known */
  decide(request: AuditedRequest, user: UserInfo | undefined): AuditDecision {
    const decision = this.#decide(request, user);
    const { level } = decision;
    // Most requests are kept as the one before.
    if (level !== this.#level) {
      this.#level = level;
      this.#requests = this.#levels(level);
    }
    this.#requests.add();
    return decision;
  }

  /** Adds what was decided about a request (spec 23.4). @param decision undefined where it came to none */
  withDecision(before: Annotations, decision: 'allow' | 'forbid' | undefined, reason: string): Annotations {
    const last = this.#last;
    if (last?.before === before && last.decision === decision && last.reason === reason) return last.after;
    const decided = decision ? before.with(this.#keys.decision, decision) : before;
    const after = decided.with(this.#keys.reason, reason);
    this.#last = { before, decision, reason, after };
    return after;
  }

  /** Passes the event of a stage on. False where a strict sink lost it; a promise where somebody has to be waited for. */
  record(facts: AuditFacts, stage: AuditStage): boolean | Promise<boolean> {
    const { clock } = this.#host;
    const record = recordStage(facts, stage, stage === 'RequestReceived' ? facts.received : clock.now());
    const waiting = this.#waiting.push(record);
    if (waiting >= this.#most || record.weight > LIGHT) return this.#passAll();
    if (waiting === 1) {
      for (const sink of this.#sinks) sink.expect();
      this.#notes.add(1);
    }
    return true;
  }

  /** Hands on the events that wait. */
  #passAll(): boolean | Promise<boolean> {
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

  /** A request was refused as its first event was lost. */
  rejected(): void {
    this.#host.metrics.add(AUDIT_REJECTIONS, []);
  }

  /** Writes what waits, and ends all sinks. */
  async close(): Promise<void> {
    const { log } = this.#host;
    this.#passAll();
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

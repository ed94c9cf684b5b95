import { Annotations } from '../audit/annotations.js';
import type { FlowDecision } from '../flow-control/flow-control.js';
import type { Query } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { WriteFence } from '../registry/writes/write-fence.js';
import type { AnswerForm } from '../serialization/media-type.js';
import type { ApiRequest } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import type { Slot } from './in-flight.js';
import type { Interference } from './interception.js';
import type { MeasuredSteps } from './measures/call-journal.js';
import type { MeasuredRoute } from './measures/request-labels.js';
import type { RequestAudit } from './request-audit.js';
import type { RequestInfo } from './request-info.js';
import type { RequestDocument, RequestObserver } from './request-observer.js';
import type { Deadline } from './steps/deadline.js';

/** A caller in this process. */
export interface LocalCaller {
  readonly user: UserInfo;
  /** Whether the server itself sends the request: from a built-in controller, or while it serves another request. Default false. */
  readonly isOwn?: boolean;
  /** A precondition that each write of the caller must meet; undefined if writes have no such precondition. */
  readonly fence?: WriteFence | undefined;
  /** Whether the caller deletes collections without admission. Default false. */
  readonly deletesWithoutAdmission?: boolean | undefined;
}

/** One request in progress, with the results of the steps that it has passed. */
export interface Exchange extends MeasuredSteps {
  readonly request: ApiRequest;
  readonly environment: RequestEnvironment;
  /** The kinds as they were when the request arrived; the request uses no others. */
  readonly registry: RegistrySnapshot;
  /** Percent-decoded path. */
  readonly path: string;
  /** The query, replaced by `watch=true` once a watch is open, so that the text of a long query can be freed. */
  query: Query;
  info: RequestInfo;
  user: UserInfo;
  /** The media type, conversion and indentation of the response: plain JSON until the handler has negotiated them. */
  form: AnswerForm;
  /** The warnings for the response, without duplicates, in order. */
  readonly warnings: Set<string>;
  /** Annotations for the audit events, until {@link audit} takes them over; undefined while there are none. */
  annotations: Annotations | undefined;
  /** Headers that steps of the pipeline add to the response. */
  readonly headers: Record<string, string>;
  /** The time limit of the request. */
  readonly deadline: Deadline;
  /** Yields to the event loop while a large body is processed; undefined until the body has turned out to be large. */
  pause: (() => Promise<void>) | undefined;
  /** The in-process caller, who needs no credentials; undefined for requests from outside. */
  readonly caller: LocalCaller | undefined;
  /** What the interceptors do to the request and its response; undefined if they do nothing. */
  interference: Interference | undefined;
  /** The metric labels of the request; undefined until its route is found. */
  measured: MeasuredRoute | undefined;
  /** A clock reading for metrics: the start of the current step, or its end if the step has read the clock itself. */
  since: number;
  /** The milliseconds spent waiting for a seat and for webhooks. The SLI latency in the metrics excludes them. */
  waited: number;
  /** The seat or in-flight slot that the request holds while it is served. It is released exactly once. */
  slot: Slot | undefined;
  /** The decision of API Priority and Fairness; undefined until it has been made, and if API Priority and Fairness is off. */
  flow: FlowDecision | undefined;
  /** The slot of a long-running request, until the handler or the stream of the response becomes responsible for releasing it. */
  longRunningSlot: Slot | undefined;
  /** The audit ID, or '' until a step needs it. */
  auditId: string;
  /** Whether the audit policy has been evaluated. */
  auditDecided: boolean;
  /** The content of the request's audit events; undefined if none are recorded for it. */
  audit: RequestAudit | undefined;
  /** The observer of the request; undefined unless a log of requests is kept. */
  observer: RequestObserver | undefined;
}

/** Adds an annotation to the audit events of a request; the first value of a key is kept. */
export function annotate(exchange: Exchange, key: string, value: string): void {
  const { audit } = exchange;
  exchange.observer?.annotated(key, value);
  if (audit) audit.annotations = audit.annotations.with(key, value);
  else if (exchange.environment.audit && !exchange.auditDecided)
    exchange.annotations = (exchange.annotations ?? Annotations.none).with(key, value);
}

/** Passes a body that is a patch or options to the audit events and the observer of a request. */
export function noteDocument({ audit, observer }: Exchange, document: RequestDocument): void {
  audit?.requestDocument(document);
  observer?.requestDocument(document);
}

import { Annotations } from '../audit/annotations.js';
import type { AuthorizationAttributes } from '../authorization/authorizer.js';
import type { Query } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { AnswerForm } from '../serialization/media-type.js';
import type { ApiRequest } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import type { MeasuredSteps } from './measures/call-journal.js';
import type { MeasuredRoute } from './measures/measured-route.js';
import type { Place } from './place.js';
import type { RequestAudit } from './request-audit.js';
import type { RequestInfo, RequestKind } from './request-info.js';
import type { Deadline } from './steps/deadline.js';

/** One request on its way: what the steps have found out so far. */
export interface Exchange extends MeasuredSteps {
  readonly request: ApiRequest;
  readonly environment: RequestEnvironment;
  /** The kinds as they were when the request came: it uses no others. */
  readonly registry: RegistrySnapshot;
  /** Percent-decoded path. */
  readonly path: string;
  /** Replaced by `watch=true` once a watch is open, to release the text of a long query. */
  query: Query;
  info: RequestInfo;
  user: UserInfo;
  /** How the answer is written; the server's first format until the handler has negotiated. */
  form: AnswerForm;
  /** Warnings for the answer, each once, in order. */
  readonly warnings: Set<string>;
  /** What its audit events say beside the request, until {@link audit} keeps that; undefined while there is none. */
  annotations: Annotations | undefined;
  /** Headers for the answer beyond those of its kind. */
  readonly headers: Record<string, string>;
  /** How long it may take. */
  readonly deadline: Deadline;
  /** Lets the process do other work between two steps; set once the body is known to be large. */
  pause: (() => Promise<void>) | undefined;
  /** Who calls in process: known without credentials. */
  readonly localUser: UserInfo | undefined;
  /** How it is counted, once its route is found. */
  measured: MeasuredRoute | undefined;
  /** Where it is counted: when the step began that it is in, a reading of the clock; or ended, where the step itself says so. */
  since: number;
  /** Milliseconds that it waited for a seat and for webhooks: they are not the server's own. */
  waited: number;
  /** As what it is counted among those that are served. */
  counted: RequestKind | undefined;
  /** What it holds while it is served, to be given back once. */
  place: Place | undefined;
  /** The slot of a long-running request, until the handler or the answer's stream takes over releasing it. */
  lasting: Place | undefined;
  /** When it came, in milliseconds since the epoch; 0 where no events are kept. */
  readonly received: number;
  /** '' until somebody asks for it. */
  auditId: string;
  /** Whether the policy of audit was asked. */
  auditDecided: boolean;
  /** What its audit events say; undefined where none are kept of it. */
  audit: RequestAudit | undefined;
}

/** Adds an annotation to the audit events of a request; the first of a key counts. */
export function annotate(exchange: Exchange, key: string, value: string): void {
  const { audit } = exchange;
  if (audit) audit.annotations = audit.annotations.with(key, value);
  else if (exchange.environment.audit && !exchange.auditDecided)
    exchange.annotations = (exchange.annotations ?? Annotations.none).with(key, value);
}

/** What the authorizers are asked about a request. */
export function attributesOf(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  const { verb, resourceRequest, group, version, resource, subresource, namespace, name, path } = info;
  return { user, verb, resourceRequest, group, version, resource, subresource, namespace, name, path };
}

import { Annotations } from '../audit/annotations.js';
import { type AuditLevel, type AuditStage, isAtLeast } from '../audit/audit-event.js';
import type { AuditedObject, AuditFacts } from '../audit/audit-facts.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { AuditDecision } from '../audit/policy-rules.js';
import type { AuthorizationAttributes, Decision } from '../authorization/authorizer.js';
import { isJsonObject } from '../json/value.js';
import type { ObjectMeta } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { usersKindByName } from '../schema/wire-order.js';
import { membersAfter, stringifyJson } from '../serialization/json/encode.js';
import { decodeUtf8 } from '../values/utf8.js';
import { isLongRunning, type RequestInfo } from './request-info.js';
import type { RequestDocument, RequestNotes } from './request-observer.js';

/** The maximum length of an object in an audit event, in characters. It is limited because lists can be of any size. */
const MAX_OBJECT = 64 * 1024 * 1024;
const SWITCHING_PROTOCOLS = 101;
const NOWHERE: readonly string[] = Object.freeze([]);
const NOTHING: AuditedObject = Object.freeze({
  resource: '',
  namespace: '',
  name: '',
  group: '',
  version: '',
  subresource: '',
});

/** Collects the content of one request's audit events (spec 23.3, 23.4). */
export class RequestAudit implements AuditFacts, RequestNotes {
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly verb: string;
  auditID = '';
  requestURI = '';
  user: UserInfo | undefined;
  sourceIPs: readonly string[] = NOWHERE;
  userAgent = '';
  received = 0;
  annotations: Annotations = Annotations.none;
  objectRef: AuditedObject | undefined;
  refersByUri = true;
  impersonatedUser: UserInfo | undefined;
  responseStatus: Partial<Status> | undefined;
  requestObject: string | undefined;
  responseObject: string | undefined;
  common: AuditFacts['common'];
  /** Whether the request ended with an internal error of the server. */
  panicked = false;
  /** The stream of a watch, whose end is the end of the request. */
  watch: { whenEnded(callback: () => void): void } | undefined;
  /** Whether the watch is sent over a WebSocket. As in upstream, its code is then 101, even if the handshake is refused. */
  upgrades = false;
  /** Whether the request fails before it is authenticated, so that it has only one event. */
  readonly early: boolean;
  readonly #trail: AuditTrail;
  readonly #decision: AuditDecision;
  readonly #longRunning: boolean;
  #ended = false;

  constructor(trail: AuditTrail, decision: AuditDecision, info: RequestInfo, early: boolean) {
    this.apiVersion = trail.apiVersion;
    this.level = decision.level;
    this.verb = info.verb;
    this.objectRef = info.resourceRequest ? info : undefined;
    this.#trail = trail;
    this.#decision = decision;
    // A long-running response has an event of its own for its start (ResponseStarted).
    this.#longRunning = isLongRunning(info);
    this.early = early;
  }

  /** Returns whether the level that the policy chose for the request is at least `level`. */
  keeps(level: AuditLevel): boolean {
    return isAtLeast(this.level, level);
  }

  /** Records the first event. Returns false if that failed and the request must be refused; no further events are recorded then. */
  begin(): boolean | Promise<boolean> {
    const wasRecorded = this.#record('RequestReceived');
    return typeof wasRecorded === 'boolean'
      ? this.#continueIfRecorded(wasRecorded)
      : wasRecorded.then((each) => this.#continueIfRecorded(each));
  }

  /** Records the authorization decision. */
  decided(_attributes: AuthorizationAttributes, decision: Decision): void {
    const isError = decision.decision !== 'Allow' && decision.error !== undefined;
    const word = isError ? undefined : decision.decision === 'Allow' ? 'allow' : 'forbid';
    this.annotations = this.#trail.withDecision(this.annotations, word, isError ? 'internal error' : decision.reason);
  }

  impersonated(user: UserInfo): void {
    this.impersonatedUser = user;
  }

  /** Records the object of the request, and completes the object reference with the object's metadata. */
  request(object: { readonly metadata?: ObjectMeta }): void {
    const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
    const { objectRef: ref = NOTHING } = this;
    this.refersByUri = false;
    this.objectRef = {
      resource: ref.resource,
      namespace: ref.namespace || (namespace ?? ''),
      name: ref.name || (name ?? ''),
      group: ref.group,
      version: ref.version,
      subresource: ref.subresource,
      uid: ref.uid || (uid ?? ''),
      resourceVersion: ref.resourceVersion || (resourceVersion ?? ''),
    };
    if (this.keeps('Request')) this.requestObject = this.#text(usersKindByName(object));
  }

  /** Records a request body that is not an API object: options, or a patch. */
  requestDocument(document: RequestDocument): void {
    if (!this.keeps('Request')) return;
    if ('value' in document) this.requestObject = stringifyJson(document.value);
    else this.#requestText(decodeUtf8(document.bytes));
  }

  /** Records a request body as text, to preserve the spelling of its numbers; a body that is not JSON becomes a JSON string. */
  #requestText(text: string): void {
    try {
      JSON.parse(text);
      // In valid JSON these characters occur unescaped only between tokens, so removing them does not change the value.
      this.requestObject = text.replace(/[\n\r\t]/g, '');
    } catch {
      this.requestObject = stringifyJson(text);
    }
  }

  /** Records the object of the response. */
  response(object: object): void {
    if (this.keeps('RequestResponse')) this.responseObject = this.#text(object);
  }

  /** Records a list or Table as the response object, one element at a time, because it may be of any size. */
  responseList(head: object, name: 'items' | 'rows', elements: Iterable<object>, tail: object = {}): void {
    if (!this.keeps('RequestResponse')) return;
    let text = `${stringifyJson(head).slice(0, -1)},"${name}":[`;
    let separator = '';
    for (const element of elements) {
      text += separator + stringifyJson(this.#auditedForm(element));
      separator = ',';
      if (text.length > MAX_OBJECT) {
        this.#tooLarge();
        return;
      }
    }
    this.responseObject = `${text}]${membersAfter(stringifyJson(tail), '}')}`;
  }

  /**
   * Records the last event; for a watch, that event is recorded when the watch ends. Returns a promise if the response must wait until the
   * event is written.
   * @param now a reading of the server's clock, if the caller has one
   */
  end(code: number, now?: number): undefined | Promise<unknown> {
    if (this.#ended) return undefined;
    this.#ended = true;
    const sent = this.upgrades ? SWITCHING_PROTOCOLS : code;
    this.responseStatus = this.responseStatus ? { ...this.responseStatus, code: sent } : statusOfCode(sent);
    if (this.panicked) return waitFor(this.#record('Panic', now));
    if (this.early) return waitFor(this.#record('ResponseStarted', now));
    if (!this.#longRunning) return waitFor(this.#record('ResponseComplete', now));
    const started = waitFor(this.#record('ResponseStarted', now));
    const { watch } = this;
    if (!watch) return both(started, waitFor(this.#record('ResponseComplete', now)));
    watch.whenEnded(() => void this.#record('ResponseComplete'));
    return started;
  }

  #continueIfRecorded(wasRecorded: boolean): boolean {
    if (wasRecorded) return true;
    this.#ended = true;
    this.#trail.rejected();
    return false;
  }

  #record(stage: AuditStage, now?: number): boolean | Promise<boolean> {
    return this.#decision.omitStages.has(stage) ? true : this.#trail.record(this, stage, now);
  }

  #text(object: object): string | undefined {
    const text = stringifyJson(this.#auditedForm(object));
    if (text.length <= MAX_OBJECT) return text;
    this.#tooLarge();
    return undefined;
  }

  #tooLarge(): void {
    this.annotations = this.annotations.with(`${this.apiVersion.split('/')[0]}/truncated`, 'true');
  }

  #auditedForm(object: object): object {
    return this.#decision.omitManagedFields ? withoutManagedFields(object) : object;
  }
}

const statuses = new Map<number, Partial<Status>>();
let last: Partial<Status> = {};

/** Returns the responseStatus for a response that is not a Status. All events with the same code share it. */
function statusOfCode(code: number): Partial<Status> {
  if (last.code === code) return last;
  let status = statuses.get(code);
  if (status === undefined) statuses.set(code, (status = Object.freeze({ metadata: {}, code })));
  return (last = status);
}

const waitFor = (written: boolean | Promise<boolean>): Promise<unknown> | undefined =>
  typeof written === 'boolean' ? undefined : written;

function both(one: Promise<unknown> | undefined, other: Promise<unknown> | undefined): Promise<unknown> | undefined {
  return one && other ? Promise.all([one, other]) : (one ?? other);
}

/** Returns an object without its managedFields; also handles a Table and its rows. */
function withoutManagedFields(loggedObject: object): object {
  const { metadata, rows, cells, object } = loggedObject as {
    readonly metadata?: unknown;
    readonly rows?: readonly object[];
    readonly cells?: unknown;
    readonly object?: object;
  };
  if (Array.isArray(rows)) return { ...loggedObject, rows: rows.map(withoutManagedFields) };
  if (Array.isArray(cells) && object) return { ...loggedObject, object: withoutManagedFields(object) };
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return loggedObject;
  const { managedFields: _, ...rest } = metadata;
  return { ...loggedObject, metadata: rest };
}

import type { AuthorizationAttributes, Decision } from '../../authorization/authorizer.js';
import { type ApiError, isApiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { EventStream } from '../../registry/reads/resource-watch.js';
import type { RequestInfo } from '../../requests/request-info.js';
import type { ObservedRequest, RequestDocument, RequestObserver } from '../../requests/request-observer.js';
import type { RawResult, Result } from '../../requests/result.js';
import type { Entry as Stored } from '../../store/storage.js';
import { CountedWatch, type DeliveredEvents } from './counted-watch.js';
import type { RecordedRequest } from './recorded-request.js';

/** The part of a log that its entries use. */
export interface EntryLog {
  /** Returns the next position among the requests, answers and deliveries of the log. */
  next(): number;
  /** Called when an entry has its answer, and with it all its objects. */
  answered(entry: Entry): void;
  /** Called when an entry grows or shrinks by some bytes beside its objects. */
  grown(entry: Entry, bytes: number): void;
}

/** What few requests have. */
interface Extras {
  readonly checks: { readonly attributes: AuthorizationAttributes; readonly decision: Decision }[];
  readonly mutatedBy: Set<string>;
  readonly annotations: Map<string, string>;
  refusedBy: string | undefined;
}

/** An object before and after a write, as the storage has it. */
export interface StoredChange {
  readonly before: Stored<ApiObject> | undefined;
  readonly after: Stored<ApiObject> | undefined;
}

/** The estimated size of an entry, in bytes, and of an annotation or a check. */
const WEIGHT = 600;
const EXTRA_WEIGHT = 500;

/**
 * One request in the log, as the steps of the request leave it: references only. What people read of it is made by `entry-view.ts`, when
 * somebody looks.
 */
export class Entry implements RequestObserver {
  readonly number: number;
  readonly time: number;
  duration: number | undefined = undefined;
  user: UserInfo;
  impersonator: UserInfo | undefined = undefined;
  readonly userAgent: string;
  readonly isOwn: boolean;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly info: RequestInfo;
  /** The positions in the log when the request arrived and when it was answered. */
  readonly arrivedAt: number;
  answeredAt: number | undefined = undefined;
  attributes: AuthorizationAttributes | undefined = undefined;
  decision: Decision | undefined = undefined;
  /** The body, if it is an object, and else what was sent. */
  object: ApiObject | undefined = undefined;
  document: RequestDocument | undefined = undefined;
  changes: StoredChange[] | undefined = undefined;
  extras: Extras | undefined = undefined;
  delivered: DeliveredEvents | undefined = undefined;
  warnings: ReadonlySet<string>;
  status: number | undefined = undefined;
  isLost = false;
  answer: ApiObject | undefined = undefined;
  listVersion: string | undefined = undefined;
  count: number | undefined = undefined;
  failure: ApiError | RawResult | Error | undefined = undefined;
  /** The bytes that the entry holds beside its objects, as estimated. */
  weight: number;
  /** What people see of the entry, once it was asked for. */
  view: RecordedRequest | undefined = undefined;
  readonly #log: EntryLog;
  /** The request, until it is answered. */
  #request: ObservedRequest | undefined;

  constructor(log: EntryLog, number: number, observed: ObservedRequest) {
    const { request, info, user, caller, environment, warnings } = observed;
    const { method, path, query, headers } = request;
    this.number = number;
    this.time = environment.host.clock.now();
    this.user = user;
    this.userAgent = headers.get('user-agent') ?? '';
    this.isOwn = caller?.isOwn === true;
    this.method = method;
    this.path = path;
    this.query = query;
    this.contentType = method === 'PATCH' ? (headers.get('content-type') ?? '') : '';
    this.info = info;
    this.arrivedAt = log.next();
    this.warnings = warnings;
    this.weight = WEIGHT + 2 * (path.length + query.length + this.userAgent.length);
    this.#log = log;
    this.#request = observed;
  }

  decided(attributes: AuthorizationAttributes, decision: Decision): void {
    this.attributes = attributes;
    this.decision = decision;
  }
  impersonated(user: UserInfo): void {
    this.impersonator = this.user;
    this.user = user;
  }
  request(object: ApiObject): void {
    this.object = object;
  }
  requestDocument(document: RequestDocument): void {
    this.document = document;
  }
  checked(attributes: AuthorizationAttributes, decision: Decision): void {
    this.#extras.checks.push({ attributes, decision });
    this.#grow(EXTRA_WEIGHT);
  }
  mutated(plugin: string): void {
    this.#extras.mutatedBy.add(plugin);
  }
  refused(plugin: string): void {
    this.#extras.refusedBy = plugin;
  }
  annotated(key: string, value: string): void {
    const { annotations } = this.#extras;
    // As in audit events, the first value of a key is kept.
    if (annotations.has(key)) return;
    annotations.set(key, value);
    this.#grow(EXTRA_WEIGHT + 2 * (key.length + value.length));
  }
  stored(before: StoredChange['before'], after: StoredChange['after']): void {
    this.changes ??= [];
    this.changes.push({ before, after });
  }

  watching(watch: EventStream): EventStream {
    const counted = new CountedWatch(
      watch,
      () => this.#log.next(),
      (bytes) => this.#grow(bytes),
    );
    this.delivered = counted.delivered;
    return counted;
  }

  answered(result: Result): void {
    switch (result.type) {
      case 'object':
        this.status = result.status;
        this.answer = result.object;
        break;
      case 'list':
        this.status = 200;
        this.listVersion = result.metadata.resourceVersion;
        this.count = result.items.length;
        break;
      case 'status':
      case 'relayed':
        this.status = result.status;
        break;
      case 'raw':
        this.status = result.status;
        if (result.status >= 400) this.failure = result;
        break;
      case 'watch':
      case 'document':
        this.status = 200;
    }
    this.#end();
  }

  failed(error: unknown): void {
    this.status = isApiError(error) ? error.code : 500;
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.#end();
  }

  #end(): void {
    const request = this.#request;
    if (request === undefined) return;
    // The request holds the connection and the body, so it is not kept.
    this.#request = undefined;
    this.duration = reading(request.environment.host.clock) - request.deadline.began;
    this.isLost = request.interference?.cutAfter !== undefined;
    this.answeredAt = this.#log.next();
    this.#log.answered(this);
  }

  #grow(bytes: number): void {
    this.weight += bytes;
    this.#log.grown(this, bytes);
  }

  get #extras(): Extras {
    return (this.extras ??= { checks: [], mutatedBy: new Set(), annotations: new Map(), refusedBy: undefined });
  }
}

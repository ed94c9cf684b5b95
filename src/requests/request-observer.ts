import type { AuthorizationAttributes, Decision } from '../authorization/authorizer.js';
import type { JsonValue } from '../json/value.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import type { EventStream } from '../registry/reads/resource-watch.js';
import type { WriteObserver } from '../registry/request-context.js';
import type { ApiRequest } from './api-request.js';
import type { RequestInfo } from './request-info.js';
import type { Result } from './result.js';

/** A body from the network, or the value of an in-process caller, which is never turned into text. */
export type RequestDocument = { readonly bytes: Uint8Array } | { readonly value: JsonValue };

/** Learns what the steps of a request find out. The audit events of a request and its entry in a log are made this way. */
export interface RequestNotes {
  /** Called with what the authorizers decided about the request. */
  decided(attributes: AuthorizationAttributes, decision: Decision): void;
  /** Called when the request goes on as another user. */
  impersonated(user: UserInfo): void;
  /** Called with a body that is an API object. */
  request(object: ApiObject): void;
  /** Called with a body that is a document: options, or a patch. An apply is reported again when it has been read. */
  requestDocument(document: RequestDocument): void;
}

/** Follows one request from its authentication to its answer, for a log of requests. All that it receives is frozen, or not to be changed. */
export interface RequestObserver extends RequestNotes, WriteObserver {
  /** Called with each annotation that the audit events of the request would have. */
  annotated(key: string, value: string): void;
  /** Called with the watch that the request opens; returns what the caller receives. */
  watching(watch: EventStream): EventStream;
  /** Called with the answer, before it becomes bytes. */
  answered(result: Result): void;
  /** Called with the error, instead of an answer. */
  failed(error: unknown): void;
}

/** The request for which an observer is made. Its members go on to change while the request is served. */
export interface ObservedRequest {
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers' | 'headBytes' | 'host'>;
  readonly info: RequestInfo;
  /** The user; its name is '' for a request that fails before its user is known. */
  readonly user: UserInfo;
  /** The caller, if it is in this process; `isOwn` if it is the server itself. */
  readonly caller: { readonly isOwn?: boolean } | undefined;
  readonly environment: { readonly host: Pick<Host, 'clock'> };
  /** The warnings for the answer, in order. */
  readonly warnings: ReadonlySet<string>;
  /** What an interceptor does to the answer; with `cutAfter` the caller receives at most so many bytes of it. */
  readonly interference: { readonly cutAfter?: number | undefined } | undefined;
  /** A reading of the host's clock when the request arrived. */
  readonly deadline: { readonly began: number };
}

/** Observes the requests of a server. */
export interface ServerObserver {
  /** Called for each request after its authentication, or when it fails before. Returns undefined for requests to leave alone. */
  observe(request: ObservedRequest): RequestObserver | undefined;
}

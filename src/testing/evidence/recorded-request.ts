import type { AuthorizationAttributes, Decision } from '../../authorization/authorizer.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { PatchKind } from '../../patch/media-types.js';

/**
 * The attributes that the authorizers received, and their decision. If a role allowed the request, `grant` names the binding and has the
 * rule.
 */
export type RecordedDecision = Decision & { readonly attributes: AuthorizationAttributes };

/** An object before and after a request. Both are the stored objects, frozen and shared with the server. */
export interface RecordedChange {
  /** The object before the request; undefined if the request created it. */
  readonly before: ApiObject | undefined;
  /** The object after the request; undefined if the request deleted it. It is the same as `before` if nothing was changed. */
  readonly after: ApiObject | undefined;
}

/** The effects of admission on a request. */
export interface RecordedAdmission {
  /** The plug-ins that changed the object, in order. */
  readonly mutatedBy: readonly string[];
  /** The plug-in that refused the request. The message of a webhook's refusal names the webhook. */
  readonly refusedBy: string | undefined;
  /**
   * The audit annotations of the request, including those of webhooks and policies. They are recorded even if the server does not audit.
   */
  readonly annotations: Readonly<Record<string, string>>;
}

/** A watch that a request has opened. */
export interface RecordedWatch {
  /** The number of events that the caller has received, with bookmarks and errors. */
  readonly events: number;
  /**
   * The reason for the end of the watch: the caller closed it (`client`), the connection broke (`lost`), the last event was an error
   * (`error`), or the server ended it, because of its timeout or because the server closed (`server`). Undefined while the watch is open.
   */
  readonly ended: 'client' | 'lost' | 'error' | 'server' | undefined;
}

/** One request in the log of a server. Its objects are those of the server, not copies, so they must not be changed. */
export interface RecordedRequest {
  /** The position in the log, counted from 1. It stays the same when older requests are dropped. */
  readonly number: number;
  /** When the request arrived, in milliseconds since the epoch by the server's clock. */
  readonly time: number;
  /** The milliseconds by the server's clock until the response was created, or until the watch opened; undefined before that. */
  readonly duration: number | undefined;
  /** The user whose permissions count, after impersonation; the name is '' if authentication failed. */
  readonly user: UserInfo;
  /** The authenticated user, if the request impersonates another user. */
  readonly impersonator: UserInfo | undefined;
  /** The user agent; '' if the client sent none. */
  readonly userAgent: string;
  /** Whether the server itself sent the request, from a built-in controller or while it handled another request. */
  readonly isOwn: boolean;
  /** The HTTP method. */
  readonly method: string;
  /** The path as sent, percent-encoded. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** The API verb; for non-resource paths the HTTP method in lower case. */
  readonly verb: string;
  /** The API group. Like `version`, `resource`, `subresource` and `namespace`, it is '' if it does not apply. */
  readonly group: string;
  /** The API version; '' for paths outside of the API. */
  readonly version: string;
  /** The plural name of the resource; '' for paths outside of the API. */
  readonly resource: string;
  /** The subresource; '' for the resource itself. */
  readonly subresource: string;
  /** The namespace; '' for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** The name in the path, or the name of the object that was created or sent. */
  readonly name: string;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** The field manager of a write; '' for other requests. */
  readonly fieldManager: string;
  /** Undefined unless the request is a patch. */
  readonly patchType: PatchKind | undefined;
  /**
   * The object, patch or options that were sent: objects and JSON in decoded form, a patch that is not JSON as a string. Undefined without
   * a body.
   */
  readonly sent: unknown;
  /** The authorization decision about the request itself; undefined if the request ended before its authorization. */
  readonly authorization: RecordedDecision | undefined;
  /** Further authorization checks of the request: whether its user may impersonate, escalate, bind or set finalizers. */
  readonly checks: readonly RecordedDecision[];
  /** What admission did to the request. */
  readonly admission: RecordedAdmission;
  /** The warnings of the response. */
  readonly warnings: readonly string[];
  /** The HTTP status; undefined until the request is answered. */
  readonly status: number | undefined;
  /** The reason of a failure, such as `Conflict`; '' for a success. */
  readonly reason: string;
  /** The message of a failure; '' for a success. */
  readonly message: string;
  /** Whether the caller did not receive the whole response because of an injected fault. */
  readonly isLost: boolean;
  /** The resourceVersion that a write required of the stored object; undefined for an unconditional write. */
  readonly basedOn: string | undefined;
  /** The resourceVersion in the response: that of the object, or of the list. */
  readonly resourceVersion: string | undefined;
  /** The number of items of a list. */
  readonly count: number | undefined;
  /** The objects that the request wrote, or tried to; several for a `deletecollection`. */
  readonly changes: readonly RecordedChange[];
  /** The object before the request, if the request wrote one. For a `deletecollection` it is the first object. */
  readonly before: ApiObject | undefined;
  /** The object after the request, if the request wrote one. For a `deletecollection` it is the last object. */
  readonly after: ApiObject | undefined;
  /** The object in the response, in the requested API version. */
  readonly answer: ApiObject | undefined;
  /** The watch that the request opened; undefined for other requests. */
  readonly watch: RecordedWatch | undefined;
  /** Returns all members of this request as plain data. */
  toJSON(): object;
}

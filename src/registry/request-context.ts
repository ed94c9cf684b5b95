import type { AdmissionHost, AdmissionObserver } from '../admission/admission-plugin.js';
import type { FieldValidation } from '../meta/field-validation.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Entry } from '../store/storage.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { AccessControl } from './access-control.js';
import type { StrategyContext } from './strategy.js';
import type { DeleteOptions } from './writes/delete-options.js';
import type { WriteFence } from './writes/write-fence.js';

/** The kinds that a server serves or knows. A registry snapshot implements this interface. */
export interface KnownKinds {
  /** Returns whether a kind is known, even if it is not served. */
  knowsKind(group: string, version: string, kind: string): boolean;
  /** Returns the operations on the objects of another resource; undefined when it is not served. */
  find(group: string, version: string, resource: string): OtherResource | undefined;
}

/** The operations on a resource that writes of other resources use. */
export interface OtherResource {
  /**
   * Deletes an object because another one was deleted, without authorization and admission. An object that is already gone is not an error.
   */
  remove(context: RequestContext, namespace: string, name: string): Promise<void>;
  /** Deletes an object as part of a write of another object, without admission. @throws ApiError 404, 409 */
  deleteUnasked(context: RequestContext, namespace: string, name: string, options: DeleteOptions): Promise<unknown>;
  /** Returns the newest version of an object. @throws ApiError 404 */
  get(
    namespace: string,
    name: string,
    resourceVersion: string,
    caller: Pick<RequestContext, 'host' | 'signal'>,
  ): ApiObject | Promise<ApiObject>;
  /**
   * Changes an object as part of a write of another object, without admission and without its kind's strategy. No manager owns the changed
   * fields. `change` may run more than once. @throws ApiError 404, and what `change` throws
   */
  change(
    context: RequestContext,
    namespace: string,
    name: string,
    change: (current: ApiObject) => ApiObject,
  ): Promise<ApiObject>;
}

/** Receives what admission decides about a write and what the write changes in the storage, for a log of requests. */
export interface WriteObserver extends AdmissionObserver {
  /**
   * Called with an entry of the storage as it was before and after a write. The first is undefined if the write created it, the second if
   * the write deleted it; both have the same value if nothing was changed.
   */
  stored(before: Entry<ApiObject> | undefined, after: Entry<ApiObject> | undefined): void;
}

/** The data of one request, passed explicitly through the layers. */
export interface RequestContext extends StrategyContext {
  /** The kinds that were served when the request began. */
  readonly kinds: KnownKinds;
  /** What happens to unknown and duplicate fields: they are ignored, cause a warning, or are refused. */
  readonly fieldValidation: FieldValidation;
  /** The field manager: the owner of the fields that this request writes. */
  readonly fieldManager: string;
  /** Yields to the event loop; set only for requests with large bodies. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Fires when the caller has disconnected or the request has timed out. */
  readonly signal: AbortSignal;
  /** The condition on which all writes of the request depend. Most requests have none. */
  readonly fence?: WriteFence | undefined;
  /** The observer of the request's writes; undefined unless a log of requests is kept. */
  readonly observer?: WriteObserver | undefined;
  /** The server's own authenticators and authorizers. */
  readonly access: AccessControl;
  /** Issues the tokens of service accounts; absent when the server cannot issue any. */
  readonly accountTokens?: AccountTokens;
  /** Updates the status of an object of another kind in a separate request, with the server's own identity. */
  readonly updateStatus: AdmissionHost['updateStatus'];
  /** Lists all objects of another kind in a namespace in a separate request, with the server's own identity. */
  listAsServer<T extends ApiObject>(group: string, resource: string, namespace: string): Promise<readonly T[]>;
  warn(text: string): void;
  /**
   * Adds an annotation to the audit event of the request if the audit policy records at least `level`. The first value of a key is kept.
   */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** Registers work that continues after its request has ended, because the deadline has passed or the caller has disconnected. */
  trackAbandoned?(work: Promise<unknown>): void;
  /** Records the milliseconds that were spent waiting for webhooks. */
  waited(milliseconds: number): void;
  /** Returns the milliseconds until the deadline of the request. */
  remaining(): number;
  /**
   * Checks that the caller is authorized for another verb, too: a PUT or apply that creates the object needs `create`.
   * @throws ApiError 403 when the caller is not.
   */
  requireVerb(verb: string): Promise<void>;
}

/** Returns a copy of the request context with another value of `dryRun`. */
export function withDryRun(context: RequestContext, dryRun: boolean): RequestContext {
  const { host, user, kinds, fieldValidation, fieldManager, signal, fence, observer, access, accountTokens } = context;
  const { updateStatus, listAsServer } = context;
  return {
    host,
    user,
    kinds,
    fieldValidation,
    fieldManager,
    signal,
    fence,
    observer,
    access,
    updateStatus,
    listAsServer,
    dryRun,
    ...(accountTokens ? { accountTokens } : {}),
    warn: (text) => context.warn(text),
    annotate: (key, value, level) => context.annotate(key, value, level),
    waited: (milliseconds) => context.waited(milliseconds),
    remaining: () => context.remaining(),
    trackAbandoned: (work) => context.trackAbandoned?.(work),
    requireVerb: (verb) => context.requireVerb(verb),
  };
}

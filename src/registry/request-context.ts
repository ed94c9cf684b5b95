import type { AdmissionHost } from '../admission/admission-plugin.js';
import type { FieldValidation } from '../meta/field-validation.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { AccessControl } from './access-control.js';
import type { StrategyContext } from './strategy.js';
import type { DeleteOptions } from './writes/delete-options.js';

/** Knows which kinds are served; a registry's snapshot does. */
export interface KnownKinds {
  /** Whether a kind is known, served or not. */
  knowsKind(group: string, version: string, kind: string): boolean;
  /** What may be done to the objects of another resource; undefined when it is not served. */
  find(group: string, version: string, resource: string): OtherResource | undefined;
}

/** A resource as writes of another see it. */
export interface OtherResource {
  /** Deletes an object because another one went, past authorization and admission; it may be gone already. */
  remove(context: RequestContext, namespace: string, name: string): Promise<void>;
  /** Deletes an object as part of a write of another: admission is not asked. @throws ApiError 404, 409 */
  deleteUnasked(context: RequestContext, namespace: string, name: string, options: DeleteOptions): Promise<unknown>;
  /** The newest version of an object. @throws ApiError 404 */
  get(
    namespace: string,
    name: string,
    resourceVersion: string,
    caller: Pick<RequestContext, 'host' | 'signal'>,
  ): Promise<ApiObject>;
  /**
   * Changes an object as part of a write of another, past admission and the rules of its kind; the changed fields get no owner. The change
   * may run more than once. @throws ApiError 404, and what the change throws
   */
  change(
    context: RequestContext,
    namespace: string,
    name: string,
    change: (current: ApiObject) => ApiObject,
  ): Promise<ApiObject>;
}

/** The facts of one request, carried by hand through the layers. */
export interface RequestContext extends StrategyContext {
  /** The kinds served when the request opened. */
  readonly kinds: KnownKinds;
  readonly fieldValidation: FieldValidation;
  /** Who owns the fields this request writes. */
  readonly fieldManager: string;
  /** Lets the process do other work; set for large bodies only. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Fires when the caller is gone or the time is up. */
  readonly signal: AbortSignal;
  /** The server's own authenticators and authorizers. */
  readonly access: AccessControl;
  /** Who makes tokens of service accounts; a server without cannot. */
  readonly accountTokens?: AccountTokens;
  /** Gives an object of another kind another status, as the server itself: by a request of its own. */
  readonly updateStatus: AdmissionHost['updateStatus'];
  /** All objects of another kind in a namespace, read as the server itself: by a request of its own. */
  listAsServer<T extends ApiObject>(group: string, resource: string, namespace: string): Promise<readonly T[]>;
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request, where it keeps as much as `level`; the first of a key counts. */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** Called with work that goes on after its caller has left. */
  late?(work: Promise<unknown>): void;
  /** Notes milliseconds that were spent in waiting for webhooks. */
  waited(milliseconds: number): void;
  /**
   * Asks whether the caller may also do this: PUT and apply that would create need `create` too.
   * @throws ApiError 403 when not.
   */
  requireVerb(verb: string): Promise<void>;
}

/** The same request with another say about whether it is only tried. */
export function withDryRun(context: RequestContext, dryRun: boolean): RequestContext {
  const { host, user, kinds, fieldValidation, fieldManager, signal, access, accountTokens } = context;
  const { updateStatus, listAsServer } = context;
  return {
    host,
    user,
    kinds,
    fieldValidation,
    fieldManager,
    signal,
    access,
    updateStatus,
    listAsServer,
    dryRun,
    ...(accountTokens ? { accountTokens } : {}),
    warn: (text) => context.warn(text),
    annotate: (key, value, level) => context.annotate(key, value, level),
    waited: (milliseconds) => context.waited(milliseconds),
    late: (work) => context.late?.(work),
    requireVerb: (verb) => context.requireVerb(verb),
  };
}

import type { FieldValidation } from '../meta/field-validation.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { AccessControl } from './access-control.js';
import type { StrategyContext } from './strategy.js';

/** Knows which kinds are served; a registry's snapshot does. */
export interface KnownKinds {
  /** Whether a kind is known, served or not. */
  knowsKind(group: string, version: string, kind: string): boolean;
  /** What may be done to the objects of another resource; undefined when it is not served. */
  find(group: string, version: string, resource: string): OtherResource | undefined;
}

/** A resource as writes of another see it. */
export interface OtherResource {
  /** Deletes an object because another one went: nobody is asked, and there may be none. */
  remove(context: RequestContext, namespace: string, name: string): Promise<void>;
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
  warn(text: string): void;
  /**
   * Asks whether the caller may also do this: PUT and apply that would create need `create` too.
   * @throws ApiError 403 when not.
   */
  requireVerb(verb: string): Promise<void>;
}

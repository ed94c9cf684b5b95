import type { Host } from '../meta/host.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';

/** The parts of a request that can identify its caller. */
export interface Credentials {
  /** The request headers. Names are in lower case, and repeated headers are separate values. */
  readonly headers: RequestHeaders;
  /** The client's certificate chain, leaf first, DER; undefined when none was presented. All requests of a connection share one array. */
  readonly peerCertificates?: readonly Uint8Array[];
  /** The decoded URL path. Anonymous access can depend on it. */
  readonly path?: string;
  /** Audiences that a token review requests; a token must have at least one of them. Default: the server's own. */
  readonly audiences?: readonly string[];
}

/** An object of this server that a cached authentication result depends on. */
export interface Basis {
  /** The full API group. */
  readonly group: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** The namespace; '' for cluster-scoped objects. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /**
   * The kind of change that invalidates the result. With `existence` it is only the object's replacement, deletion or marking for deletion.
   * Default: any change.
   */
  readonly part?: 'existence';
}

/** Annotations for audit events, by key. */
export type AuditNotes = Readonly<Record<string, string>>;

/** The result of an authenticator for one request. */
export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated';
      /** The user that the credential identifies. */
      readonly user: UserInfo;
      /** The requested audiences for which the credential is valid. If absent, the credential is valid for the server's own audiences. */
      readonly audiences?: readonly string[];
      /** The name of the authenticator that accepted the credential. */
      readonly authenticator?: string;
      /** The texts of the `Warning` headers of the response. */
      readonly warnings?: readonly string[];
      /** Objects of this server that the result depends on. A cached result is dropped when one of them changes. Default: none. */
      readonly basis?: readonly Basis[];
      /** The last millisecond since the epoch at which the result is valid. Default: no limit. */
      readonly until?: number;
      /** Annotations for the audit events of the request. */
      readonly annotations?: AuditNotes;
    }
  /** The request has no credential that the authenticator handles. */
  | { readonly outcome: 'skipped'; readonly warnings?: readonly string[] }
  /** The request has a credential that the authenticator handles, but the credential is not valid. */
  | { readonly outcome: 'rejected'; readonly error: Error; readonly annotations?: AuditNotes };

/** Identifies the caller from one kind of credential. It must not throw: a bad credential is `rejected`. */
export interface Authenticator {
  /** The name of the authenticator, unique in a server. Its results carry the name as `authenticator`. */
  readonly name: string;
  /** Authenticates the caller of a request. */
  authenticate(credentials: Credentials): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * Whether the authenticator runs only after all other authenticators have skipped the request, so that a bad credential never counts as a
   * missing one.
   */
  readonly fallback?: boolean;
}

/** Creates an authenticator for one server when the server is built. */
export type AuthenticatorFactory = (host: Host) => Authenticator;

/** The result of an authenticator that finds no credential of its kind. */
export const skipped: AuthenticationResult = Object.freeze({ outcome: 'skipped' });

/** Returns the result for a bad credential. */
export function rejected(error: unknown, annotations?: AuditNotes): AuthenticationResult {
  const reason = error instanceof Error ? error : new Error(String(error));
  return { outcome: 'rejected', error: reason, ...(annotations ? { annotations } : {}) };
}

/**
 * Returns a result to which the annotations of the authenticators that ran before are added. If both have a key, the value of the earlier
 * authenticator wins.
 */
export function withNotes<R extends AuthenticationResult>(result: R, before: AuditNotes | undefined): R {
  if (!before || result.outcome === 'skipped') return result;
  return { ...result, annotations: { ...result.annotations, ...before } };
}

/** Merges two sets of annotations, either of which may be absent. If both have a key, the first set wins. */
export function joinNotes(one: AuditNotes | undefined, other: AuditNotes | undefined): AuditNotes | undefined {
  return one && other ? { ...other, ...one } : (one ?? other);
}

import type { Host } from '../meta/host.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';

/** What a request shows of its caller. */
export interface Credentials {
  /** Lower-case names; repeated headers are separate values. */
  readonly headers: RequestHeaders;
  /** The client's certificate chain, leaf first, DER; undefined when none was presented. The same array for a whole connection. */
  readonly peerCertificates?: readonly Uint8Array[];
  /** The URL path, decoded, for what depends on it. */
  readonly path?: string;
  /** Audiences of which a token must have one, as a token review asks; absent: the server's own. */
  readonly audiences?: readonly string[];
}

/** An object of this server that an answer depends on. */
export interface Basis {
  /** The full group. */
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** What of it counts: that it is there, the same one, and not being deleted; or anything. Default anything. */
  readonly part?: 'existence';
}

/** Annotations for audit events, by key. */
export type AuditNotes = Readonly<Record<string, string>>;

export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated';
      readonly user: UserInfo;
      /** Those of the requested audiences that the credential has. Absent: it is valid for the server's own. */
      readonly audiences?: readonly string[];
      readonly authenticator?: string;
      /** Texts for Warning headers of the answer. */
      readonly warnings?: readonly string[];
      /** Objects of this server that the answer depends on: when one changes it is no longer remembered. Default none. */
      readonly basis?: readonly Basis[];
      /** The last millisecond since the epoch in which the answer holds. Default: it has no end. */
      readonly until?: number;
      /** For the audit events of the request. */
      readonly annotations?: AuditNotes;
    }
  /** No credential of this kind here. */
  | { readonly outcome: 'skipped'; readonly warnings?: readonly string[] }
  /** A credential of this kind, but bad. */
  | { readonly outcome: 'rejected'; readonly error: Error; readonly annotations?: AuditNotes };

/** Tells who is calling, from one kind of credential. Must not throw: a bad credential is `rejected`. */
export interface Authenticator {
  /** Unique in a server; appears in decisions and logs. */
  readonly name: string;
  authenticate(credentials: Credentials): AuthenticationResult | Promise<AuthenticationResult>;
  /** Asked only when all others skipped: a bad credential never counts as none. */
  readonly fallback?: boolean;
}

/** Made before the server exists, bound to it when the server is built. */
export type AuthenticatorFactory = (host: Host) => Authenticator;

/** The answer of who finds nothing to look at. */
export const skipped: AuthenticationResult = Object.freeze({ outcome: 'skipped' });

/** The answer to a bad credential. */
export function rejected(error: unknown, annotations?: AuditNotes): AuthenticationResult {
  const reason = error instanceof Error ? error : new Error(String(error));
  return { outcome: 'rejected', error: reason, ...(annotations ? { annotations } : {}) };
}

/** An answer with what others, asked before, have noted; the first of a key counts. */
export function withNotes<R extends AuthenticationResult>(result: R, before: AuditNotes | undefined): R {
  if (!before || result.outcome === 'skipped') return result;
  return { ...result, annotations: { ...result.annotations, ...before } };
}

/** Both, where there are any. */
export function joinNotes(one: AuditNotes | undefined, other: AuditNotes | undefined): AuditNotes | undefined {
  return one && other ? { ...other, ...one } : (one ?? other);
}

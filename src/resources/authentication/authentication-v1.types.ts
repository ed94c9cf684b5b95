// Made by `npm run api-types` of authentication-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AuthenticationV1 {
  TokenRequest: TokenRequest;
  TokenRequestSpec: TokenRequestSpec;
  BoundObjectReference: BoundObjectReference;
  TokenRequestStatus: TokenRequestStatus;
  TokenReview: TokenReview;
  TokenReviewSpec: TokenReviewSpec;
  TokenReviewStatus: TokenReviewStatus;
  UserInfo: UserInfo;
  SelfSubjectReview: SelfSubjectReview;
  SelfSubjectReviewStatus: SelfSubjectReviewStatus;
}

export type ExtraValue = readonly string[];

/** Requests a token of a service account. */
export interface TokenRequest extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The requested token. */
  readonly spec: TokenRequestSpec;
  /** The issued token. */
  readonly status: TokenRequestStatus;
}

/** The requested token. */
export interface TokenRequestSpec {
  /** Audiences of the token. */
  readonly audiences: readonly string[];
  /** The requested validity in seconds; the status has the actual expiration. */
  readonly expirationSeconds?: number;
  /** The token is valid only while this object exists. */
  readonly boundObjectRef: BoundObjectReference | null;
}

/** Names the object that a token is bound to. */
export interface BoundObjectReference {
  /** Kind of the object. */
  readonly kind?: string;
  /** Group and version of the object. */
  readonly apiVersion?: string;
  /** Name of the object. */
  readonly name?: string;
  /** Uid of the object. */
  readonly uid?: meta.UID;
}

/** The issued token. */
export interface TokenRequestStatus {
  /** The token. */
  readonly token: string;
  /** When the token expires. */
  readonly expirationTimestamp: string;
}

/** Reports the user that a token belongs to. */
export interface TokenReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The token and the audiences to review. */
  readonly spec: TokenReviewSpec;
  /** The result. */
  readonly status: TokenReviewStatus;
}

/** The token to review. */
export interface TokenReviewSpec {
  /** The token. */
  readonly token?: string;
  /** Audiences that the token must have; empty means this server. */
  readonly audiences?: readonly string[];
}

/** The result. */
export interface TokenReviewStatus extends Filled<'user'> {
  /** Whether the token belongs to a known user. */
  readonly authenticated?: boolean;
  /** The user. */
  readonly user: UserInfo;
  /** The requested audiences that the token has. */
  readonly audiences?: readonly string[];
  /** Why the token is not valid. */
  readonly error?: string;
}

/** A user. */
export interface UserInfo {
  /** Name of the user. */
  readonly username?: string;
  /** Distinguishes users that have the same name at different times. */
  readonly uid?: string;
  /** Groups of the user. */
  readonly groups?: readonly string[];
  /** Extra attributes of the user. */
  readonly extra?: { readonly [key: string]: ExtraValue };
}

/** Reports the user of the request. */
export interface SelfSubjectReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The result. */
  readonly status: SelfSubjectReviewStatus;
}

/** The result. */
export interface SelfSubjectReviewStatus extends Filled<'userInfo'> {
  /** The user of the request. */
  readonly userInfo: UserInfo;
}

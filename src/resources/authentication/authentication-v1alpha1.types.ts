// Made by `npm run api-types` of authentication-v1alpha1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AuthenticationV1alpha1 {
  SelfSubjectReview: SelfSubjectReview;
  SelfSubjectReviewStatus: SelfSubjectReviewStatus;
  UserInfo: UserInfo;
}

export type ExtraValue = readonly string[];

/** Asks who the caller is. */
export interface SelfSubjectReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The answer. */
  readonly status: SelfSubjectReviewStatus;
}

/** The answer. */
export interface SelfSubjectReviewStatus extends Filled<'userInfo'> {
  /** The caller. */
  readonly userInfo: UserInfo;
}

/** A user. */
export interface UserInfo {
  /** Name of the user. */
  readonly username?: string;
  /** Tells users of one name apart. */
  readonly uid?: string;
  /** Groups of the user. */
  readonly groups?: readonly string[];
  /** Extra attributes of the user. */
  readonly extra?: { readonly [key: string]: ExtraValue };
}

// Made by `npm run api-types` of certificates-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CertificatesV1 {
  CertificateSigningRequest: CertificateSigningRequest;
  CertificateSigningRequestSpec: CertificateSigningRequestSpec;
  CertificateSigningRequestStatus: CertificateSigningRequestStatus;
  CertificateSigningRequestCondition: CertificateSigningRequestCondition;
}

export type KeyUsage = string;

export type ExtraValue = readonly string[];

export type RequestConditionType = string;

/** Requests an X.509 certificate from a signer. */
export interface CertificateSigningRequest extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The request; immutable. */
  readonly spec: CertificateSigningRequestSpec;
  /** The state of the request. */
  readonly status: CertificateSigningRequestStatus;
}

/** The request, its requester and its signer. */
export interface CertificateSigningRequestSpec {
  /** A PKCS #10 request in PEM form. */
  readonly request: string;
  /** The signer. */
  readonly signerName: string;
  /** The requested validity of the certificate in seconds, at least 600; a signer may shorten it. */
  readonly expirationSeconds?: number;
  /** The usages of the certificate. */
  readonly usages?: readonly KeyUsage[];
  /** The requester; set by the server. */
  readonly username?: string;
  /** Uid of the requester; set by the server. */
  readonly uid?: string;
  /** Groups of the requester; set by the server. */
  readonly groups?: readonly string[];
  /** Extra attributes of the requester; set by the server. */
  readonly extra?: { readonly [key: string]: ExtraValue };
}

/** The state of the request. */
export interface CertificateSigningRequestStatus {
  /** The state of the request. */
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  /** The certificate in PEM form, optionally followed by intermediate ones. */
  readonly certificate?: string;
}

/** A condition of a request. */
export interface CertificateSigningRequestCondition extends Filled<'lastUpdateTime' | 'lastTransitionTime'> {
  /** Approved, Denied, Failed, or a type of a signer’s own. */
  readonly type: RequestConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
  /** When it was last updated. */
  readonly lastUpdateTime: string | null;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
}

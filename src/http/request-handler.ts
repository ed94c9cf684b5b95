import type { Metrics } from '../metrics/metrics.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../requests/api-request.js';

/** What answers requests: an ApiServer, or anything of its shape. */
export interface RequestHandler {
  /** Answers one request. Failures are answers; a rejected promise is a fault of the program and becomes a 500. */
  handle(request: ApiRequest, options?: CallerOptions): Promise<ApiResponse>;
  /** Where it is counted what happens before a request is there. Default: nowhere. */
  readonly metrics?: Metrics;
}

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  /** One certificate, or a chain with the leaf first. */
  readonly certificate: string;
  /** PKCS #8. */
  readonly key: string;
}

/** A server that has its own authority. */
export interface CertifiedRequestHandler extends RequestHandler {
  /** The authority, made at the first call; undefined when the server trusts foreign authorities only. */
  certificateAuthority?(): Promise<CertificateAndKey | undefined>;
  /** A client certificate of that authority, which the server is sure to know. */
  issueClientCertificate?(user: {
    readonly username: string;
    readonly groups: readonly string[];
  }): Promise<CertificateAndKey>;
}

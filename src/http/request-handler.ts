import type { Clock } from '../meta/clock.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../requests/api-request.js';

/** Handles requests: an ApiServer, or any object of the same shape. */
export interface RequestHandler {
  /** Answers one request. Failures are returned as error responses. A rejected promise is a bug of the program and is answered with 500. */
  handle(request: ApiRequest, options?: CallerOptions): Promise<ApiResponse>;
  /** Metrics for events that are not related to a request, such as failed handshakes. Default: no metrics. */
  readonly metrics?: Metrics;
}

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  /** One certificate in PEM, or a chain with the leaf first. */
  readonly certificate: string;
  /** The private key in PEM (PKCS #8). */
  readonly key: string;
}

/** A request handler that may have its own certificate authority. */
export interface CertifiedRequestHandler extends RequestHandler {
  /** The clock by which the server checks client certificates. Default: the machine's. */
  readonly clock?: Clock;
  /**
   * Returns the server's certificate authority. It is created at the first call. Undefined if the server only trusts certificate
   * authorities whose private keys it does not have.
   */
  certificateAuthority?(): Promise<CertificateAndKey | undefined>;
  /**
   * Issues a client certificate that the server's own certificate authority signs. The server accepts the certificate regardless of the
   * configured authenticators.
   */
  issueClientCertificate?(user: {
    readonly username: string;
    readonly groups: readonly string[];
  }): Promise<CertificateAndKey>;
}

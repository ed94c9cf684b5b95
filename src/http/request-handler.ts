import type { Clock } from '../meta/clock.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../requests/api-request.js';

/** A handler of requests: an ApiServer, or anything of its shape. */
export interface RequestHandler {
  /** Answers one request. Failures become answers; a rejected promise is a fault of the program and becomes a 500. */
  handle(request: ApiRequest, options?: CallerOptions): Promise<ApiResponse>;
  /** Metrics for what happens before a request exists, such as failed handshakes. Default: no metrics. */
  readonly metrics?: Metrics;
}

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  /** One certificate in PEM, or a chain with the leaf first. */
  readonly certificate: string;
  /** The private key in PEM (PKCS #8). */
  readonly key: string;
}

/** A server with an authority of its own. */
export interface CertifiedRequestHandler extends RequestHandler {
  /** The clock by which the server checks client certificates. Default: the machine's. */
  readonly clock?: Clock;
  /** Returns the authority, made at the first call; undefined if the server trusts foreign authorities only. */
  certificateAuthority?(): Promise<CertificateAndKey | undefined>;
  /** Issues a client certificate of that authority, which the server always accepts. */
  issueClientCertificate?(user: {
    readonly username: string;
    readonly groups: readonly string[];
  }): Promise<CertificateAndKey>;
}

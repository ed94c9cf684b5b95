/** How another server is known and what is shown to it; all texts PEM. The same object means the same connections. */
export interface OutboundTls {
  /** The only authorities trusted. Default: the system's. */
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** The name to check the certificate against, instead of the one in the URL. */
  readonly serverName?: string;
  /** Do not check the certificate. Default false. */
  readonly insecureSkipVerify?: boolean;
}

export interface FetchOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** The answer that redirects is the answer. */
  readonly redirect: 'manual';
  /** What a plain `fetch` does not know; one that cannot do it must throw. Default: the system's authorities, no certificate. */
  readonly tls?: OutboundTls;
}

/** Sends a request to another server, in the manner of the platform's `fetch`. Rejects where there is no answer. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

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

/** What is out of date in a server's certificate: no names but the common one; a signature by SHA-1. */
export type WeakCertificate = 'missing-san' | 'insecure-sha1';

export interface FetchOptions {
  /** Upper case. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with a line for each value; one that cannot send them must throw. */
  readonly repeatedHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  /** A body that is not text, instead of `body`; one that cannot send it must throw. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** The answer that redirects is the answer. */
  readonly redirect: 'manual';
  /** What a plain `fetch` does not know; one that cannot do it must throw. Default: the system's authorities, no certificate. */
  readonly tls?: OutboundTls;
  /** `http://host:port` or `https://host:port` of a proxy to go through, with its user and password where it wants them. */
  readonly proxy?: string;
  /**
   * Whether loopback, link-local, multicast and unspecified addresses are refused, with the message `address not allowed`. The address
   * that the socket connects to is checked, after names are resolved. Default false.
   */
  readonly onlyGlobalUnicast?: boolean;
  /** The answer goes on for long: it must not take one of few connections away from other requests. Default false. */
  readonly longLived?: boolean;
  /** Called where the connection failed for a weak certificate, or for an answer over one that was not checked; the `fetch` of other runtimes than Node does not. */
  readonly onWeakCertificate?: (weakness: WeakCertificate) => void;
}

/** Sends a request to another server, in the manner of the platform's `fetch`. Rejects where there is no answer. */
export interface Fetch {
  (url: string, options: FetchOptions): Promise<Response>;
  /** Without it no connection becomes another protocol's. */
  readonly upgrade?: Upgrade;
  /** Without it the body of a request that is passed on is read whole before it is sent. */
  readonly upload?: Upload;
  /** Whether this fetch implements `onlyGlobalUnicast`. Default false: then nodes are reached by their addresses only, not by names. */
  readonly checksAddresses?: boolean;
}

/** A body that is sent as it comes, no faster than it is taken: where it fails, so does its request. */
export interface OutboundBody {
  readonly bytes: ReadableStream<Uint8Array>;
  /** The `Content-Length`; what has another length must fail. Default: not known before its end. */
  readonly length?: number;
}

/** Sends a request with such a body, instead of one of its options. The answer may come before its end; none of it is read after the answer's end. */
export type Upload = (url: string, options: FetchOptions, body: OutboundBody) => Promise<Response>;

/** Bytes in both directions, of a protocol that is the business of the ends alone. */
export interface ByteChannel {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** A server has agreed to speak another protocol. */
export interface Upgraded {
  /** Of its 101. */
  readonly headers: Headers;
  readonly channel: ByteChannel;
}

/** Sends a request, without a body, that asks for another protocol. An answer is the server's refusal. Rejects where there is none. */
export type Upgrade = (url: string, options: FetchOptions) => Promise<Upgraded | Response>;

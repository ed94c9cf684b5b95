/**
 * The TLS settings of a connection to another server. Certificates and keys are PEM. Requests with the same settings object share pooled
 * connections.
 */
export interface OutboundTls {
  /** The certificates of the trusted authorities. Default: the authorities that the system trusts. */
  readonly certificateAuthority?: string;
  /** The certificate that the request presents, as PEM. */
  readonly clientCertificate?: string;
  /** The certificate's key, as PEM. */
  readonly clientKey?: string;
  /** The name that the certificate must be for, instead of the host in the URL. */
  readonly serverName?: string;
  /** Whether the certificate is not checked. Default false. */
  readonly insecureSkipVerify?: boolean;
}

/**
 * A property that makes a server's certificate insecure. `missing-san`: it has a common name but no subject alternative name.
 * `insecure-sha1`: it has a SHA-1 signature.
 */
export type WeakCertificate = 'missing-san' | 'insecure-sha1';

/** The options of a request that {@link Fetch} sends. */
export interface FetchOptions {
  /** The method in upper case. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** The headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with several values, each sent as a line of its own. A fetch that cannot send them must throw. Default: none. */
  readonly repeatedHeaders?: Readonly<Record<string, readonly string[]>>;
  /** The body as text. Default: no body. */
  readonly body?: string;
  /**
   * A binary body, instead of `body`. A fetch that cannot send it must throw. Default: no body. `Uint8Array` has a type parameter only in
   * some releases of TypeScript; this type is in each release the one that `fetch` accepts.
   */
  readonly bytes?: ReturnType<InstanceType<typeof TextEncoder>['encode']>;
  /** Ends the request when it is aborted. */
  readonly signal: AbortSignal;
  /** Redirects are not followed; the response with the redirect is the result. */
  readonly redirect: 'manual';
  /**
   * The TLS settings, which a plain `fetch` does not support. A fetch that cannot apply them must throw. Default: the authorities of the
   * system, and no client certificate.
   */
  readonly tls?: OutboundTls;
  /**
   * The URL of a proxy, `http://host:port` or `https://host:port`, with user and password if the proxy requires them. Default: no proxy.
   */
  readonly proxy?: string;
  /**
   * Whether loopback, link-local, multicast and unspecified addresses are refused, with the message `address not allowed`. A host name is
   * resolved first, and the address that the socket connects to is checked. Default false.
   */
  readonly onlyGlobalUnicast?: boolean;
  /** Whether the response is a long stream. A long stream must not occupy one of the few pooled connections. Default false. */
  readonly longLived?: boolean;
  /**
   * Called when the connection failed because the server's certificate is insecure, or when such a certificate was accepted because of
   * `insecureSkipVerify`. Only the `fetch` for Node calls it.
   */
  readonly onWeakCertificate?: (weakness: WeakCertificate) => void;
}

/** Sends a request to another server, like the runtime's global `fetch`. It rejects when there is no response. */
export interface Fetch {
  (url: string, options: FetchOptions): Promise<Response>;
  /** Sends a request to upgrade the connection. If absent, connections cannot be upgraded. */
  readonly upgrade?: Upgrade;
  /** Sends a streaming body. If absent, the body of a proxied request is read completely before it is sent. */
  readonly upload?: Upload;
  /**
   * Whether this fetch implements `onlyGlobalUnicast`. Default false: requests are then proxied only to nodes whose address is not a host
   * name.
   */
  readonly checksAddresses?: boolean;
}

/** A body that is streamed with backpressure. When its stream fails, the request fails. */
export interface OutboundBody {
  readonly bytes: ReadableStream<Uint8Array>;
  /** The `Content-Length`. The request must fail if the body has another length. Default: unknown. */
  readonly length?: number;
}

/**
 * Sends a request with a streaming body instead of `body` or `bytes`. The response may begin before the body ends; the body is not read
 * after the response has ended.
 */
export type Upload = (url: string, options: FetchOptions, body: OutboundBody) => Promise<Response>;

/** A stream of bytes in both directions. The protocol is known only to its two ends. */
export interface ByteChannel {
  /** The bytes that the other side sends. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Takes the bytes for the other side. */
  readonly writable: WritableStream<Uint8Array>;
}

/** Ends an upgraded connection that is not used. */
export function discardChannel({ readable, writable }: ByteChannel): void {
  readable.cancel().catch(() => undefined);
  writable.abort().catch(() => undefined);
}

/** An upgraded connection: the server has accepted another protocol. */
export interface Upgraded {
  /** The headers of the server's 101 response. */
  readonly headers: Headers;
  /** The connection after the upgrade. */
  readonly channel: ByteChannel;
}

/**
 * Sends a request, without a body, to upgrade the connection. A `Response` is the server's refusal. The function rejects when there is no
 * response.
 */
export type Upgrade = (url: string, options: FetchOptions) => Promise<Upgraded | Response>;

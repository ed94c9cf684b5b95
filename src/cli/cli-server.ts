import type { Manifests } from '../client/load.js';
import type { TlsVersion } from '../http/tls-choices.js';
import type { JsonValue } from '../json/value.js';
import type { ApiRequest, ApiResponse } from '../requests/api-request.js';
import type { Flags } from './flags.js';
import type { Logger } from './logger.js';

/** The members of a server that the program uses. */
export interface CliServer {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Returns the certificate authority that the server trusts for client certificates; undefined if the server does not have the authority's
   * private key.
   */
  certificateAuthority?(): Promise<{ readonly certificate: string; readonly key: string } | undefined>;
  start(): Promise<void>;
  /** Begins the graceful shutdown, and resolves when connections may be closed. */
  drain(): Promise<void>;
  close(): Promise<void>;
  /** Reads files with objects (YAML or JSON, any number of documents), to load them at the start. Resolves with the number of objects. */
  load(files: Manifests): Promise<number>;
  client(): { resources(): readonly { readonly apiVersion: string; readonly gvr: { readonly resource: string } }[] };
  /** Returns all objects as YAML documents that `load` can read. */
  save(): Promise<string>;
}

/**
 * Creates a server from checked flags and the files they name.
 * @throws Error whose message says what the operator must correct.
 */
export type CliServerFactory = (flags: Flags, logger: Logger) => Promise<CliServer>;

/** The members of a listener that the program uses. */
export interface CliListener {
  readonly port: number;
  readonly url: string;
  /** @param options.extensions the extensions to add to the cluster in the kubeconfig, by name. */
  kubeconfig(options?: { readonly extensions?: Readonly<Record<string, JsonValue>> }): Promise<string>;
  /** Replaces the certificates for later connections. A member that is absent in `renewal` leaves its certificates unchanged. */
  renewCertificates?(renewal: Pick<CliListenOptions, 'tls' | 'namedCertificates' | 'clientCA'>): Promise<void>;
  close(options: { readonly graceMilliseconds: number; readonly watchGraceMilliseconds: number }): Promise<void>;
}

export interface CliListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly namedCertificates?: readonly {
    readonly cert: string;
    readonly key: string;
    readonly names?: readonly string[];
  }[];
  readonly reusePort?: boolean;
  readonly clientCA?: string;
  readonly http2?: boolean;
  readonly minTlsVersion?: TlsVersion;
  readonly cipherSuites?: readonly string[];
  readonly names: readonly string[];
  readonly limits: {
    readonly maxConnections: number;
    readonly maxHeadBytes: number;
    readonly maxPendingBytes: number;
    readonly maxStreams?: number;
    readonly answerTimeout?: number;
    readonly watchStallTimeout: number;
  };
  readonly onError: (error: unknown) => void;
}

export type CliListen = (server: CliServer, options: CliListenOptions) => Promise<CliListener>;

import type { SentCertificate } from '../pki/parse-certificate.js';

/**
 * The members of `node:http` and `node:https` that are used. They are declared here, because layers that also run without Node must not
 * import the modules.
 */
export interface NativeHttp {
  readonly Agent: new (settings: Readonly<Record<string, unknown>>) => NativeAgent;
  request(
    url: string,
    options: Readonly<Record<string, unknown>>,
    onAnswer: (answer: NativeAnswer) => void,
  ): NativeRequest;
}
/** An agent that opens connections and keeps them for reuse. */
export interface NativeAgent {
  createConnection(
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, socket?: NativeSocket) => void,
  ): NativeSocket | undefined;
}
export interface NativeSocket extends NativeSource {
  /** Whether the connection is being opened. */
  readonly connecting: boolean;
  /** Whether the TLS handshake has not ended; absent without TLS. */
  readonly secureConnecting?: boolean;
  once(event: 'connect' | 'secureConnect', listener: () => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
  unshift(bytes: Uint8Array): void;
  cork(): void;
  uncork(): void;
  /** @param done called when the bytes have been passed to the operating system, or with an error if that failed. */
  write(bytes: Uint8Array, done: (error?: Error | null) => void): boolean;
  end(done: () => void): void;
  /** Returns the peer's certificate; absent without TLS. */
  getPeerX509Certificate?(): SentCertificate | undefined;
}
export interface NativeRequest {
  on(event: 'error', listener: (error: Error) => void): void;
  /** The request has got its connection, which may not be open yet. */
  on(event: 'socket', listener: (socket: NativeSocket) => void): void;
  on(
    event: 'connect' | 'upgrade',
    listener: (answer: NativeAnswer, socket: NativeSocket, head: Uint8Array) => void,
  ): void;
  /** An interim (1xx) response, which precedes the final one. */
  on(event: 'information', listener: () => void): void;
  /** The number of header lines of a response from which on further lines may be dropped. */
  maxHeadersCount: number | null;
  /** Whether the request was sent on a connection that had been used before. */
  readonly reusedSocket?: boolean;
  on(event: 'drain' | 'close', listener: () => void): void;
  /** Returns whether more may be written at once. If not, the caller must wait for `drain` before the next write. */
  write(chunk: Uint8Array): boolean;
  destroy(error?: Error): void;
  end(body?: string | Uint8Array): void;
}
/** The readable side of a connection or of a response. */
export interface NativeSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): void;
  on(event: 'end' | 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  pause(): void;
  resume(): void;
  destroy(error?: Error): void;
}
export interface NativeAnswer extends NativeSource {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly rawHeaders: readonly string[];
  /** The socket of the connection. It has `getPeerCertificate` only with TLS. */
  readonly socket: { getPeerCertificate?(withIssuers: true): NativeCertificate };
}
/** A certificate in the legacy format of Node's `getPeerCertificate`. */
export interface NativeCertificate {
  readonly subject?: { readonly CN?: unknown };
  readonly issuer?: unknown;
  /** The subject alternative names: `DNS:a, IP Address:b`. */
  readonly subjectaltname?: string;
  readonly raw?: Uint8Array;
  /** The issuer; a root certificate is its own issuer. */
  readonly issuerCertificate?: NativeCertificate;
}
/** The members of `node:tls` that are used. */
export interface NativeTls {
  checkServerIdentity(host: string, certificate: NativeCertificate): Error | undefined;
  connect(options: Readonly<Record<string, unknown>>): NativeSocket;
}

/** Resolves a name to one address or to all of its addresses. */
export type NativeLookup = (
  hostname: string,
  options: { readonly all?: boolean },
  done: (error: Error | null, found: string | readonly { readonly address: string }[], family?: number) => void,
) => void;
/** Returns `node:http` or `node:https`. @throws TypeError when the runtime has none. */
// The cast is safe: Node documents the module with these members.
export const nativeHttp = (name: 'http' | 'https'): NativeHttp => builtin(name) as NativeHttp;

/** Returns `node:tls`. @throws TypeError when the runtime has none. */
// The cast is safe: Node documents the module with these members.
export const nativeTls = (): NativeTls => builtin('tls') as NativeTls;

/** Returns `node:dns`. @throws TypeError when the runtime has none. */
// The cast is safe: Node documents the module with these members.
export const nativeDns = () => builtin('dns') as { readonly lookup: NativeLookup };

function builtin(name: string): unknown {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(`node:${name}`);
  if (!module) throw new TypeError(`this runtime has no module node:${name}: give the option \`fetch\``);
  return module;
}

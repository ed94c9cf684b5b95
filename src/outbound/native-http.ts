import type { ByteChannel } from '../meta/fetch.js';
import type { SentCertificate } from '../pki/sent-certificates.js';

/** The part of `node:http` and `node:https` in use. Its types are declared here because layers below Node's must not import the modules. */
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
export interface NativeSocket {
  on(event: 'error', listener: (error: Error) => void): void;
  once(event: 'secureConnect', listener: () => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
  unshift(bytes: Uint8Array): void;
  cork(): void;
  uncork(): void;
  pause(): void;
  resume(): void;
  destroy(error?: Error): void;
  /** Returns the peer's certificate; absent without TLS. */
  getPeerX509Certificate?(): SentCertificate | undefined;
}
export interface NativeRequest {
  on(event: 'error', listener: (error: Error) => void): void;
  on(
    event: 'connect' | 'upgrade',
    listener: (answer: NativeAnswer, socket: NativeSocket, head: Uint8Array) => void,
  ): void;
  /** An interim response with a status of 1xx, before the final one. */
  on(event: 'information', listener: () => void): void;
  /** Whether the request was sent on a connection that had been used before. */
  readonly reusedSocket?: boolean;
  on(event: 'drain' | 'close', listener: () => void): void;
  /** Returns whether more may be written at once; if not, the next write waits for `drain`. */
  write(chunk: Uint8Array): boolean;
  destroy(error?: Error): void;
  end(body?: string | Uint8Array): void;
}
export interface NativeAnswer {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly rawHeaders: readonly string[];
  /** The socket of the connection; the method is absent without TLS. */
  readonly socket: { getPeerCertificate?(withIssuers: true): NativeCertificate };
  on(event: 'data', listener: (chunk: Uint8Array) => void): void;
  on(event: 'end' | 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}
/** A certificate as Node shows it. */
export interface NativeCertificate {
  readonly subject?: { readonly CN?: unknown };
  readonly issuer?: unknown;
  /** `DNS:a, IP Address:b`. */
  readonly subjectaltname?: string;
  readonly raw?: Uint8Array;
  /** The issuer; a root certificate is its own issuer. */
  readonly issuerCertificate?: NativeCertificate;
}
/** The part of `node:tls` in use. */
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
/** The part of `node:stream` in use. */
interface NativeStreams {
  readonly Duplex: { toWeb(socket: NativeSocket): ByteChannel };
}

/** Returns a connection as streams. @param head bytes that were already read from it */
export function nativeChannel(socket: NativeSocket, head: Uint8Array): ByteChannel {
  socket.on('error', () => undefined);
  if (head.length > 0) socket.unshift(head);
  return (builtin('stream') as NativeStreams).Duplex.toWeb(socket); // as Node documents it
}

/** Returns `node:http` or `node:https`. @throws TypeError when the runtime has none. */
export const nativeHttp = (name: 'http' | 'https'): NativeHttp => builtin(name) as NativeHttp; // as Node documents it

/** Returns `node:tls`. @throws TypeError when the runtime has none. */
export const nativeTls = (): NativeTls => builtin('tls') as NativeTls; // as Node documents it

/** Returns `node:dns`. @throws TypeError when the runtime has none. */
export const nativeDns = () => builtin('dns') as { readonly lookup: NativeLookup }; // as Node documents it

function builtin(name: string): unknown {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(`node:${name}`);
  if (!module) throw new TypeError(`this runtime has no module node:${name}: give the option \`fetch\``);
  return module;
}

/** The used part of `node:http2`, declared here because this module may be loaded in a browser, which lacks it. */
export interface NativeHttp2 {
  connect(authority: string, options: Readonly<Record<string, unknown>>): NativeSession;
}

export interface NativeSession {
  readonly destroyed: boolean;
  readonly closed: boolean;
  on(event: 'error', listener: (error: Error) => void): void;
  once(event: 'connect', listener: (session: NativeSession, socket: NativeHttp2Socket) => void): void;
  once(event: 'goaway' | 'close', listener: () => void): void;
  /** Sends a request. Headers whose names begin with a colon are HTTP/2 pseudo-headers. */
  request(headers: Readonly<Record<string, string>>, options: { readonly endStream: boolean }): NativeStream;
  setLocalWindowSize(bytes: number): void;
  /** Sends a ping. Returns false if it could not be sent. */
  ping(callback: (error: Error | null) => void): boolean;
  /** Lets the process end although the session is open. */
  unref(): void;
  destroy(error?: Error): void;
}

/** The connection of a session. */
export interface NativeHttp2Socket {
  destroy(): void;
}

export type NativeHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

export interface NativeStream {
  readonly destroyed: boolean;
  /** The HTTP/2 error code, once the stream has ended. */
  readonly rstCode: number;
  on(event: 'response' | 'trailers', listener: (headers: NativeHeaders) => void): void;
  on(event: 'data', listener: (piece: Uint8Array) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  once(event: 'close', listener: () => void): void;
  write(bytes: Uint8Array): boolean;
  end(bytes?: Uint8Array): void;
  /** The number of bytes that wait to be sent. */
  readonly writableLength: number;
  close(code: number): void;
}

/**
 * Returns the runtime's module `node:http2`.
 * @throws Error where the runtime has none, as in browsers.
 */
export function nativeHttp2(): NativeHttp2 {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.('node:http2');
  if (module === undefined) throw new Error('storing data in etcd requires Node.js');
  return module as NativeHttp2; // The types in this file follow the documentation of `node:http2`, so the cast is safe.
}

import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { encodeFrame, FrameReader } from '../../src/store/etcd/frames.js';
import type { Method } from '../../src/store/etcd/messages.js';
import type { Message, Table } from '../../src/store/etcd/wire.js';

/** A stream of a fake etcd, which a test controls. */
export interface FakeStream {
  readonly native: ServerHttp2Stream;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The messages that have arrived. */
  readonly messages: Uint8Array[];
  /** Calls the callback for each message, including earlier ones. */
  onMessage(listener: (message: Uint8Array) => void): void;
  send<T extends Table>(table: T, message: Message<T>): void;
  /** Ends the stream with a gRPC status. */
  end(status?: number, text?: string): void;
}

/** An HTTP/2 server that responds like etcd, or in ways in which etcd must not respond. */
export interface FakeEtcd extends AsyncDisposable {
  readonly endpoint: string;
  readonly paths: string[];
  readonly sessions: Set<ServerHttp2Session>;
}

/** @param serve called for each stream after its head has arrived */
export async function startFakeEtcd(serve: (stream: FakeStream, path: string) => void): Promise<FakeEtcd> {
  const server: Http2Server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  const paths: string[] = [];
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (native, headers) => {
    native.on('error', () => {});
    const path = String(headers[':path']);
    paths.push(path);
    serve(fakeStream(native, headers), path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    paths,
    sessions,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fakeStream(native: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>): FakeStream {
  const messages: Uint8Array[] = [];
  let listener = (_message: Uint8Array): void => {};
  const reader = new FrameReader(1 << 20, (message) => {
    messages.push(message);
    listener(message);
  });
  native.on('data', (piece: Uint8Array) => reader.add(piece));
  let responded = false;
  const respond = () => {
    if (responded) return;
    responded = true;
    native.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  };
  let trailers: Record<string, string> = { 'grpc-status': '0' };
  native.on('wantTrailers', () => native.sendTrailers(trailers));
  return {
    native,
    headers,
    messages,
    onMessage(next) {
      listener = next;
      for (const message of messages) next(message);
    },
    send(table, message) {
      respond();
      native.write(encodeFrame(table, message));
    },
    end(status = 0, text = '') {
      trailers = { 'grpc-status': String(status), ...(text ? { 'grpc-message': encodeURIComponent(text) } : {}) };
      respond();
      native.end();
    },
  };
}

/** Responds to a call with a message. */
export function answer<Q extends Table, A extends Table>(
  stream: FakeStream,
  { answer: table }: Method<Q, A>,
  message: Message<A>,
): void {
  stream.send(table, message);
  stream.end();
}

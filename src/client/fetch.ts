import type { RequestHeaders } from '../meta/request-headers.js';
import {
  type ApiRequest,
  type ApiResponse,
  type ByteStream,
  CallerGoneError,
  type RequestBody,
} from '../requests/api-request.js';
import { pulledStream } from '../requests/bodies/pulled-stream.js';
import { GatheredBytes, joinBytes } from '../values/join-bytes.js';

/**
 * Converts a WHATWG request to an API request, which has no client certificate.
 * @throws TypeError for anything else, such as a path, because JavaScript callers easily confuse this with the global `fetch`.
 */
export function requestFrom(request: Request): ApiRequest {
  if (typeof request.url !== 'string')
    throw new TypeError("a server's fetch takes a Request, such as new Request('https://server/api')");
  const url = new URL(request.url);
  const headers: RequestHeaders = {
    get: (name) => request.headers.get(name) ?? undefined,
    all: (name) => (request.headers.has(name) ? (request.headers.get(name) ?? '').split(', ') : []),
    names: (prefix) => [...request.headers.keys()].filter((name) => name.startsWith(prefix)),
  };
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers,
    host: url.host,
    signal: request.signal,
    ...(request.body === null ? {} : { body: bodyFrom(request.body) }),
  };
}

function bodyFrom(stream: ReadableStream<Uint8Array>): RequestBody {
  const open = () => {
    const reader = stream.getReader();
    const next = async () => {
      const { value } = await reader.read().catch(() => {
        throw new CallerGoneError();
      });
      return value;
    };
    return { reader, next };
  };
  return {
    type: 'bytes',
    async read(maxBytes) {
      const gathered = new GatheredBytes();
      let length = 0;
      const { reader, next } = open();
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
        length += chunk.length;
        if (length > maxBytes) {
          await reader.cancel();
          return 'tooLarge';
        }
        gathered.add(chunk);
      }
      return gathered.take();
    },
    stream() {
      const { reader, next } = open();
      // `leave` does nothing, because there is no connection that would wait until the body has been read.
      return { bytes: pulledStream(next, (why) => void reader.cancel(why).catch(() => {})), leave() {} };
    },
  };
}

/**
 * Converts an API response to a WHATWG response. Watches become streams, and cancelling a stream ends its watch.
 * @param request the request to which this is the response. The stream references the request, because its abort signal would not fire
 * otherwise.
 */
export function responseFrom(response: ApiResponse, request?: Request): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (typeof value === 'string') headers.set(name, value);
    else for (const each of value) headers.append(name, each);
  }
  const { body, status } = response;
  if (body.type === 'lost') throw new TypeError('fetch failed', { cause: new Error(body.why) });
  if (body.type === 'channel') throw new TypeError('a request in process has no connection that can be upgraded');
  if (body.type === 'stream') return new Response(streamOf(body.stream, request), { status, headers });
  if (body.type === 'none') return new Response(null, { status, headers });
  // The chunks are never in a SharedArrayBuffer, so the cast is safe.
  const bytes = joinBytes(body.chunks) as Uint8Array<ArrayBuffer>;
  return new Response(bytes, { status, headers });
}

function streamOf(source: ByteStream, request: Request | undefined): ReadableStream<Uint8Array> {
  const reads: UnderlyingDefaultSource<Uint8Array> & { readonly request: Request | undefined } = {
    // Node aborts the signal of a request only while the Request object is referenced, and the caller may have dropped it.
    request,
    async pull(controller) {
      for (;;) {
        const chunks = source.take();
        if (chunks.length > 0) {
          // Chunks are shared between streams, so the reader gets a copy.
          for (const chunk of chunks) controller.enqueue(chunk.slice());
          return;
        }
        if (source.broken !== undefined) return controller.error(new Error(source.broken));
        if (source.ended) return controller.close();
        const release = source.hold?.();
        await new Promise<void>((resolve) => {
          source.onReadable = resolve;
        });
        release?.();
      }
    },
    cancel: () => source.close(),
  };
  // Chunks are taken only when the body is read, so that an unread response does not keep the process alive.
  return new ReadableStream(reads, { highWaterMark: 0 });
}

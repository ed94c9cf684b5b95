import type { FetchOptions, OutboundBody } from '../../meta/fetch.js';
import type { BodyStream } from '../api-request.js';
import { bodyBytes } from '../bodies/body.js';
import { pulledStream } from '../bodies/pulled-stream.js';
import type { Exchange } from '../exchange.js';

type WholeBody = Pick<FetchOptions, 'body' | 'bytes'>;

/** The body of a forwarded request: read in full, or streamed. */
export interface OutgoingBody {
  readonly whole?: WholeBody;
  readonly stream?: OutboundBody;
  /** Stops reading the body, because the other server needs no more of it. */
  leave(): void;
}

const NOTHING: OutgoingBody = { leave() {} };
/**
 * Methods that seldom have a body. The first chunk is read before the request is forwarded, so that it announces a body only if there is
 * one.
 */
const USUALLY_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * Returns the body of a request for forwarding: streamed at any length if possible, else read in full.
 * @param streams whether the destination accepts a stream
 * @throws ApiError 413 for a body that must be read in full
 */
export async function outgoingBody(exchange: Exchange, streams: boolean): Promise<OutgoingBody> {
  const { method, body } = exchange.request;
  if (!streams || body?.type !== 'bytes' || !body.stream) {
    const bytes =
      body?.type === 'object' ? new TextEncoder().encode(JSON.stringify(body.value)) : await bodyBytes(exchange);
    return bytes.length === 0 ? NOTHING : { ...NOTHING, whole: wholeBody(bytes) };
  }
  const incoming = body.stream();
  try {
    const stream =
      USUALLY_WITHOUT_BODY.has(method) && incoming.length === undefined
        ? await unlessEmpty(incoming, exchange)
        : incoming;
    return stream ? { stream, leave: stream.leave } : NOTHING;
  } catch (error) {
    incoming.leave();
    throw error;
  }
}

/** Returns a body that is valid UTF-8 as a string, because some `fetch` implementations do not send bytes. */
function wholeBody(bytes: Uint8Array): WholeBody {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // The bytes are never in a SharedArrayBuffer, so the cast is safe.
    return { bytes: bytes as Uint8Array<ArrayBuffer> };
  }
}

/** Returns a stream of the body's bytes, whose first chunk has already arrived; undefined if the body turns out to be empty. */
async function unlessEmpty({ bytes, leave }: BodyStream, { deadline }: Exchange): Promise<BodyStream | undefined> {
  const reader = bytes.getReader();
  let first = await deadline.within(reader.read());
  while (!first.done && first.value.length === 0) first = await deadline.within(reader.read());
  if (first.done) return undefined;
  let waiting: Uint8Array | undefined = first.value;
  const next = async () => {
    if (!waiting) return (await reader.read()).value;
    const taken = waiting;
    waiting = undefined;
    return taken;
  };
  return { bytes: pulledStream(next, leave), leave };
}

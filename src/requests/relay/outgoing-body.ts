import type { FetchOptions, OutboundBody } from '../../meta/fetch.js';
import type { BodyStream } from '../api-request.js';
import { bodyBytes } from '../bodies/body.js';
import { pulledStream } from '../bodies/pulled-stream.js';
import type { Exchange } from '../exchange.js';

type WholeBody = Pick<FetchOptions, 'body' | 'bytes'>;

/** What is sent of a request's body: read already, or as it comes. */
export interface OutgoingBody {
  readonly whole?: WholeBody;
  readonly stream?: OutboundBody;
  /** The other server reads no more of it. */
  leave(): void;
}

const NOTHING: OutgoingBody = { leave() {} };
/** What seldom has a body: whether there is one is found out before it is announced. */
const SELDOM: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * The body of a request, as it comes and of any length where that can be; else read whole.
 * @param streams whether it can be sent as it comes
 * @throws ApiError 413 for what is read
 */
export async function outgoingBody(exchange: Exchange, streams: boolean): Promise<OutgoingBody> {
  const { method, body } = exchange.request;
  if (!streams || body?.type !== 'bytes' || !body.stream) {
    const bytes = await bodyBytes(exchange);
    return bytes.length === 0 ? NOTHING : { ...NOTHING, whole: wholeBody(bytes) };
  }
  const given = body.stream();
  try {
    const stream = SELDOM.has(method) && given.length === undefined ? await unlessEmpty(given, exchange) : given;
    return stream ? { stream, leave: stream.leave } : NOTHING;
  } catch (error) {
    given.leave();
    throw error;
  }
}

/** Text goes as text: not every `fetch` sends bytes. */
function wholeBody(bytes: Uint8Array): WholeBody {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytes as Uint8Array<ArrayBuffer> }; // nothing here shares memory between threads
  }
}

/** The same bytes; undefined where there are none. */
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

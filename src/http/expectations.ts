import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

const waiting = new WeakSet<object>();

/** Remembers that a client sends its body only after `100 Continue`. */
export function noteExpectation(outgoing: ServerResponse | Http2ServerResponse): void {
  waiting.add(outgoing);
}

/** Whether the client still waits for it. */
export function waitsForContinue(outgoing: ServerResponse | Http2ServerResponse): boolean {
  return waiting.has(outgoing);
}

/** Asks for the body, once it is wanted: a request that is refused is never sent its body. */
export function sendContinue(outgoing: ServerResponse | Http2ServerResponse): void {
  if (waiting.delete(outgoing) && !outgoing.headersSent) outgoing.writeContinue();
}

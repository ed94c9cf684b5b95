import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

const waiting = new WeakSet<object>();

/** Records that a client sends its body only after `100 Continue`. */
export function noteExpectation(outgoing: ServerResponse | Http2ServerResponse): void {
  waiting.add(outgoing);
}

/** Returns whether the client still waits for `100 Continue`. */
export function waitsForContinue(outgoing: ServerResponse | Http2ServerResponse): boolean {
  return waiting.has(outgoing);
}

/** Sends `100 Continue` once the body is wanted, so that a client whose request is refused never sends its body. */
export function sendContinue(outgoing: ServerResponse | Http2ServerResponse): void {
  if (waiting.delete(outgoing) && !outgoing.headersSent) outgoing.writeContinue();
}

import { isStream, type Outgoing } from './stream-request.js';

const waiting = new WeakSet<object>();

/** Records that a client sends its body only after `100 Continue`. */
export function noteExpectation(outgoing: Outgoing): void {
  waiting.add(outgoing);
}

/** Returns whether the client still waits for `100 Continue`. */
export function waitsForContinue(outgoing: Outgoing): boolean {
  return waiting.has(outgoing);
}

/** Sends `100 Continue` once the server reads the body, so that a client whose request is refused never sends its body. */
export function sendContinue(outgoing: Outgoing): void {
  if (!waiting.delete(outgoing) || outgoing.headersSent) return;
  if (!isStream(outgoing)) outgoing.writeContinue();
  else if (!outgoing.closed) outgoing.additionalHeaders({ ':status': 100 });
}

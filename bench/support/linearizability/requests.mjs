import { Agent, request } from 'node:http';

/** Milliseconds after which the answer to a request is not waited for any more. */
const LONGEST_ANSWER = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/**
 * Sends a request and returns its status and the JSON of the answer. The status is 0 when it was not sent, as nothing listened, and undefined
 * when the answer was lost.
 */
export function send(port, method, path, body, type = 'application/json') {
  return new Promise((resolve) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = text === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    let isOpen = false;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('error', () => resolve({ status: undefined }));
      answer.on('end', () => {
        try {
          resolve({ status: answer.statusCode, value: JSON.parse(Buffer.concat(pieces).toString()) });
        } catch {
          resolve({ status: undefined });
        }
      });
    });
    outgoing.setTimeout(LONGEST_ANSWER, () => outgoing.destroy());
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) isOpen = true;
      else
        socket.once('connect', () => {
          isOpen = true;
        });
    });
    outgoing.on('error', () => resolve({ status: isOpen ? undefined : 0 }));
    outgoing.end(text);
  });
}

/**
 * Opens a watch and calls back with each of its lines, until it ends.
 * @returns ends it
 */
export function openWatch(port, path, onLine, onEnd) {
  let rest = '';
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  const outgoing = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (text) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!hasEnded) onLine(JSON.parse(line));
    });
    answer.on('error', end);
    answer.on('close', end);
  });
  outgoing.on('error', end);
  outgoing.end();
  return () => {
    hasEnded = true;
    outgoing.destroy();
  };
}

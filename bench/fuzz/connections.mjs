import tls from 'node:tls';
import { sendInPieces } from './send.mjs';

/** The milliseconds after which a connection counts as hanging. */
const PATIENCE = 20_000;

const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'c-' } });
const MAPS = '/api/v1/namespaces/default/configmaps';
const HOST = ['Host: a', 'Authorization: Bearer admin'];
const request = (line, headers = [], content = '') =>
  `${[`${line} HTTP/1.1`, ...HOST, ...headers].join('\r\n')}\r\n\r\n${content}`;
const json = ['Content-Type: application/json'];
const length = (bytes) => `Content-Length: ${bytes}`;

/** Requests that leave the connection open, each with exactly one response. */
const FOLLOWED = [
  request('GET /version'),
  request('HEAD /version'),
  request(`GET ${MAPS}?limit=3`),
  request(`GET ${MAPS}?watch=1&timeoutSeconds=1`),
  request(`DELETE ${MAPS}/none`),
  request('GET /nowhere'),
  request('GET /api', ['Accept: text/html']),
  request(`POST ${MAPS}?dryRun=All`, [...json, length(body.length)], body),
  request(`POST ${MAPS}?dryRun=All`, [...json, 'Transfer-Encoding: chunked'], chunked(body)),
  request(`POST ${MAPS}?dryRun=All`, [...json, length(1)], '{'),
];
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];
const HANDSHAKE = [
  ...UPGRADE,
  'Origin: http://a',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
/** Requests that end the connection, at once or after their response. */
const LAST = [
  request('GET /version', ['Connection: close']),
  request('GET /version', UPGRADE),
  request(`GET ${MAPS}?watch=1&timeoutSeconds=1`, HANDSHAKE),
  request(
    `GET ${MAPS}?watch=1&timeoutSeconds=1`,
    [...HANDSHAKE, 'Sec-WebSocket-Protocol: a'],
    '\x81\x85abcdeeee\x89\x80abcd',
  ),
  request(`POST ${MAPS}?dryRun=All`, [...json, ...UPGRADE, length(body.length)], body),
  request(`POST ${MAPS}?dryRun=All`, [...json, ...UPGRADE, 'Transfer-Encoding: chunked'], chunked(body)),
  request('CONNECT a:1'),
  request('GET /version', ['Expect: 100-continue', 'Connection: close']),
  request(`POST ${MAPS}?dryRun=All`, [...json, 'Expect: 100-continue', length(body.length), 'Connection: close'], body),
  request('GET /version', ['Expect: something']),
  request(`POST ${MAPS}?dryRun=All`, [...json, 'Transfer-Encoding: chunked'], 'zz\r\n'),
  request('GET /version', ['Bad header']),
  request('GET /version', [`X: ${'x'.repeat(20_000)}`, 'Connection: close']),
  'nonsense\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01',
];

/** A request whose body is never complete. */
const CUT = request(`POST ${MAPS}?dryRun=All`, [...json, length(1000)], 'short');

function chunked(text) {
  const half = text.length >> 1;
  const chunk = (part) => `${part.length.toString(16)}\r\n${part}\r\n`;
  return `${chunk(text.slice(0, half))}${chunk(text.slice(half))}0\r\n\r\n`;
}

/**
 * Opens an HTTP/1.1 connection, sends pipelined requests in pieces of random size, and closes the connection at a random moment or waits
 * for its end.
 * @returns the bytes of the requests, and the problem, if the connection did not end or a request was not answered that had to be
 */
export function randomConnection({ port, ca }, random) {
  const followed = Array.from({ length: random.below(6) }, () => random.pick(FOLLOWED));
  const leaves = random.often(0.3);
  const text = followed.join('') + random.pick(leaves ? [...LAST, CUT] : LAST);
  return new Promise((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
    const received = [];
    const told = (problem) => resolve({ problem, text });
    const timer = setTimeout(() => {
      told('the connection did not end');
      socket.destroy();
    }, PATIENCE);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      const answers =
        Buffer.concat(received)
          .toString('latin1')
          .match(/HTTP\/1\.1 (?!100)\d{3}/g) ?? [];
      told(
        !leaves && answers.length < followed.length
          ? `${answers.length} responses to ${followed.length} requests`
          : undefined,
      );
    });
    socket.once('secureConnect', () =>
      sendInPieces(socket, Buffer.from(text, 'latin1'), { leaves, most: 400, random }),
    );
  });
}

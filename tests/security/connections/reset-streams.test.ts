import { once } from 'node:events';
import tls from 'node:tls';
import { expect, it } from 'vitest';
import { listen } from '../../../src/http/listener.js';
import { until } from '../../http/exchange.js';
import { frame, PREFACE } from '../../http/frames.js';
import { answering, text } from '../../http/stub-server.js';

const HEADERS = 1;
const RESET = 3;
const END_OF_ALL = 5;
const CANCEL = Buffer.from([0, 0, 0, 8]);
/** `GET / HTTP/2` of the authority `x`. */
const GET = Buffer.from([0x82, 0x87, 0x84, 0x41, 1, 'x'.charCodeAt(0)]);

it('does not begin requests that are reset in the same turn', async () => {
  let begun = 0;
  const listener = await listen(
    answering(() => {
      begun++;
      return text('here');
    }),
  );
  const to = { port: listener.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
  const socket = tls.connect(to).on('error', () => undefined);
  await once(socket, 'secureConnect');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  const frames: Buffer[] = [PREFACE];
  for (let stream = 1; stream < 100; stream += 2)
    frames.push(frame(HEADERS, END_OF_ALL, stream, GET), frame(RESET, 0, stream, CANCEL));
  frames.push(frame(HEADERS, END_OF_ALL, 101, GET));
  socket.write(Buffer.concat(frames));
  await until(() => received.includes('here'));
  expect(begun).toBe(1);
  socket.destroy();
  await listener.close({ graceMilliseconds: 0 });
});

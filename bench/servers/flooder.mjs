// Sends one kind of hostile request as fast as the server responds, over several connections, until it is stopped.
import http2 from 'node:http2';
import tls from 'node:tls';
import { serveParent } from './process.mjs';

let sent = 0;

/** One HTTP/1.1 connection: the next request follows each response, and a closed connection is opened again. */
function flood({ port, bytes, cert, key }) {
  const socket = tls.connect({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    cert,
    key,
  });
  const send = () => {
    sent++;
    socket.write(bytes);
  };
  socket.on('secureConnect', send);
  socket.on('data', send);
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(flood, 5, { port, bytes, cert, key }));
}

/** One HTTP/2 session whose request bodies are refused. */
function flood2({ port, h2 }) {
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  session.on('close', () => setTimeout(flood2, 5, { port, h2 }));
  const body = Buffer.alloc(h2.body, 0x20);
  const next = () => {
    if (session.closed || session.destroyed) return;
    sent++;
    const stream = session.request({ ':method': 'POST', ':path': h2.path });
    stream.on('error', () => undefined);
    stream.on('close', next);
    stream.resume();
    stream.end(body);
  };
  session.on('connect', next);
}

serveParent(
  {},
  {
    sent: () => sent,
    flood({ connections, request, ...options }) {
      const bytes = request === undefined ? undefined : Buffer.from(request, 'latin1');
      for (let i = 0; i < connections; i++) (options.h2 ? flood2 : flood)({ ...options, bytes });
      return 'begun';
    },
  },
);

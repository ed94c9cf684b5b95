// The least that a server can be: node:https with prepared bytes. It sends the bytes that it was given in response to every read, and it
// parses and encodes the JSON of a write and sends it back.
import { createSecureServer } from 'node:http2';
import https from 'node:https';
import { pause, processorTime, serveParent } from './process.mjs';

const [cert, key] = process.argv.slice(2);
const watchers = new Set();
let headers = [];
const headers2 = {};
let body = Buffer.alloc(0);

const server = https.createServer({ cert, key }, (request, response) => {
  if (request.method !== 'GET') {
    echo(request, response);
    return;
  }
  if (!request.url.includes('watch')) {
    response.writeHead(200, headers);
    response.end(body);
    return;
  }
  response.writeHead(200, headers);
  response.flushHeaders();
  watchers.add(response);
  response.once('close', () => watchers.delete(response));
});
/** The same over HTTP/2, for reads. */
const server2 = createSecureServer({ cert, key });
server2.on('stream', (stream) => {
  stream.respond({ ':status': 200, ...headers2 });
  stream.end(body);
});
await new Promise((resolve) => server2.listen(0, '127.0.0.1', resolve));
server.listen(0, '127.0.0.1', () =>
  serveParent(
    { port: server.address().port, port2: server2.address().port },
    {
      processorTime: () => processorTime(),
      answer(given) {
        headers = given.headers;
        for (let i = 0; i < headers.length; i += 2) headers2[headers[i].toLowerCase()] = headers[i + 1];
        body = Buffer.from(given.body, 'latin1');
        return 'ready';
      },
      /** Writes the body to every watcher repeatedly, with a pause between; with `together`, several bodies in one write. */
      async change({ times, together = 1 }) {
        const before = processorTime();
        const bytes = together === 1 ? body : Buffer.concat(Array.from({ length: together }, () => body));
        for (let i = 0; i < times; i += together) {
          for (const watcher of watchers) watcher.write(bytes);
          await pause();
        }
        return processorTime() - before;
      },
    },
  ),
);

function echo(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
    response.end(answer);
  });
}

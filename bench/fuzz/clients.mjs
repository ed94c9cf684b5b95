import http2 from 'node:http2';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';

/** The milliseconds after which a response counts as missing. */
const PATIENCE = 15_000;

/** A response `{ status, headers, body }`, or `{ failure }` without a complete one. */
class Answer {
  constructor(resolve) {
    this.chunks = [];
    this.timer = setTimeout(() => this.fail('no answer'), PATIENCE);
    this.resolve = resolve;
  }
  add(chunk) {
    this.chunks.push(chunk);
  }
  end(status, headers) {
    clearTimeout(this.timer);
    const sent = Buffer.concat(this.chunks);
    const packed = headers['content-encoding'] === 'gzip' && sent.length > 0;
    this.resolve({ status, headers, body: packed ? gunzipSync(sent) : sent });
  }
  fail(failure) {
    clearTimeout(this.timer);
    this.resolve({ failure });
  }
}

/** Sends requests over HTTP/1.1, on connections that stay open. */
export function http1Client({ port, ca }) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8 });
  return {
    name: 'HTTP/1.1',
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const answer = new Answer(resolve);
        const request = https.request({ host: '127.0.0.1', port, ca, agent, method, path, headers }, (response) => {
          response.on('data', (chunk) => answer.add(chunk));
          response.on('end', () => answer.end(response.statusCode, response.headers));
          response.on('error', (error) => answer.fail(`cut: ${error.code}`));
        });
        request.on('error', (error) => {
          // A connection may close between two requests, which are then repeated. The end of the run checks how often that happened.
          if (error.code === 'ECONNRESET' || error.code === 'EPIPE') answer.fail('again');
          else answer.fail(String(error.code ?? error.message));
        });
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Sends requests over HTTP/2 on one session, which is opened again after a GOAWAY. */
export function http2Client({ port, ca }) {
  let session;
  const events = { sessions: 0 };
  const open = () => {
    events.sessions++;
    // Node's client resets its own streams if more than this number of MB waits to be sent.
    const opened = http2.connect(`https://127.0.0.1:${port}`, {
      ca,
      maxSessionMemory: 100,
      settings: { enablePush: false },
    });
    opened.on('error', () => undefined);
    const leave = () => {
      if (session === opened) session = undefined;
    };
    opened.on('goaway', leave);
    opened.on('close', leave);
    return opened;
  };
  return {
    name: 'HTTP/2',
    events,
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const answer = new Answer(resolve);
        session ??= open();
        const on = session;
        let stream;
        try {
          stream = on.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
        } catch (error) {
          answer.fail(on.closed || on.destroyed ? 'again' : String(error.code ?? error.message));
          return;
        }
        let head;
        stream.on('response', (given) => (head = given));
        stream.on('data', (chunk) => answer.add(chunk));
        stream.on('end', () => head && answer.end(head[':status'], head));
        // After a complete response, the server may ask the client to stop sending.
        stream.on('error', (error) =>
          answer.fail(error.message.includes('REFUSED_STREAM') ? 'again' : `stream: ${error.message}`),
        );
        stream.on('close', () => answer.fail(on.destroyed || on.closed ? 'again' : `stream closed: ${stream.rstCode}`));
        if (body !== undefined) stream.end(body);
      }),
    close: () => session?.destroy(),
  };
}

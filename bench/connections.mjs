import { once } from 'node:events';
import http2 from 'node:http2';
import { connect } from 'node:tls';

/**
 * A client that needs little processor time, so that the server is measured: it supports only what it needs of HTTP/1.1 over TLS, and
 * counts bytes instead of parsing responses.
 */
export class Connection {
  #socket;
  #request;
  #onData;

  static async open({ port, ca, cert, key, authorization }, path) {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca,
      cert,
      key,
      servername: 'localhost',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: false,
    });
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    const connection = new Connection();
    connection.#socket = socket;
    const credential = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
    connection.#request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n${credential}\r\n`;
    socket.on('data', (chunk) => connection.#onData?.(chunk));
    return connection;
  }

  /** Sends one request, by default that of the connection; resolves with the complete response, including its head. */
  answer(request = this.#request) {
    return new Promise((resolve) => {
      const chunks = [];
      let length = 0;
      let expected;
      this.#onData = (chunk) => {
        chunks.push(chunk);
        length += chunk.length;
        expected ??= lengthOf(Buffer.concat(chunks));
        if (length >= expected) resolve(Buffer.concat(chunks));
      };
      this.#socket.write(request);
    });
  }

  /** Repeats the request until the time is over; resolves with the number of responses, each of `length` bytes. */
  repeat(length, milliseconds) {
    const end = performance.now() + milliseconds;
    return new Promise((resolve) => {
      let answers = 0;
      let left = length;
      this.#onData = (chunk) => {
        left -= chunk.length;
        if (left > 0) return;
        if (left < 0) throw new Error('an answer is longer than the first was');
        answers++;
        left = length;
        if (performance.now() >= end) resolve(answers);
        else this.#socket.write(this.#request);
      };
      this.#socket.write(this.#request);
    });
  }

  /** Sends one request, and counts all bytes that arrive from then on. */
  listen(count) {
    this.#onData = (chunk) => count(chunk.length);
    this.#socket.write(this.#request);
  }

  close() {
    this.#socket.destroy();
  }
}

/** The same client over HTTP/2, which most clients of this API use: a stream for each request. */
export class Http2Connection {
  #session;
  #headers;

  static async open({ port, ca, cert, key }, path) {
    const session = http2.connect(`https://127.0.0.1:${port}`, {
      ca,
      cert,
      key,
      servername: 'localhost',
      rejectUnauthorized: false,
    });
    await once(session, 'connect');
    const connection = new Http2Connection();
    connection.#session = session;
    connection.#headers = { ':path': path, accept: 'application/json' };
    return connection;
  }

  /** Resolves with the complete body. */
  answer() {
    return new Promise((resolve, reject) => {
      const chunks = [];
      const stream = this.#session.request(this.#headers, { endStream: true });
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => resolve(Buffer.concat(chunks)));
      stream.on('error', reject);
    });
  }

  /** See {@link Connection}. */
  async repeat(length, milliseconds) {
    const end = performance.now() + milliseconds;
    let answers = 0;
    for (; answers === 0 || performance.now() < end; answers++) {
      const body = await this.answer();
      if (body.length !== length) throw new Error('an answer has another length than the first');
    }
    return answers;
  }

  close() {
    this.#session.destroy();
  }
}

/** Returns the bytes of a request with a body. */
export function writeRequest(method, path, contentType, body) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n`;
  return `${head}Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Returns the size of the complete response in bytes, as soon as it is known. */
function lengthOf(bytes) {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const announced = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head));
  if (announced) return head + 4 + Number(announced[1]);
  // Long lists are sent in chunks; the last chunk is empty.
  return bytes.toString('latin1', bytes.length - LAST_CHUNK.length) === LAST_CHUNK ? bytes.length : undefined;
}

/** Parses a response: its headers as a flat list, and its body as text with one character per byte. */
export function parseAnswer(bytes) {
  const head = bytes.indexOf('\r\n\r\n');
  const lines = bytes.toString('latin1', 0, head).split('\r\n');
  if (!lines[0].includes(' 200 ')) throw new Error(lines[0]);
  const own = /^(?:date|connection|keep-alive|transfer-encoding):/i;
  const headers = lines
    .slice(1)
    .filter((line) => !own.test(line))
    .flatMap((line) => line.split(/: (.*)/s).slice(0, 2));
  const body = bytes.toString('latin1', head + 4);
  return { headers, body: /transfer-encoding: chunked/i.test(lines.join('\n')) ? joinChunks(body) : body };
}

function joinChunks(text) {
  const chunks = [];
  for (let at = 0; ; ) {
    const line = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (size === 0) return chunks.join('');
    chunks.push(text.slice(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

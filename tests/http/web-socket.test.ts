import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../src/audit/audit-event.js';
import type { AuditSink } from '../../src/audit/audit-sink.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { Http1Connection } from '../../src/http/http1-connection.js';
import { type Listener, listen } from '../../src/http/listener.js';
import { acceptHandshake, ClientFrames, encodeFrame, OPCODE } from '../../src/http/web-socket/open-web-socket.js';
import { openServer, openSuiteServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/** Returns a frame in the form of a client, masked. */
function masked(opcode: number, payload: Uint8Array): Uint8Array {
  const plain = encodeFrame(opcode, payload);
  const head = plain.length - payload.length;
  const mask = [1, 2, 3, 4];
  const frame = new Uint8Array(plain.length + 4);
  frame.set(plain.subarray(0, head));
  frame[1] = (plain[1] ?? 0) | 0x80;
  frame.set(mask, head);
  for (const [i, byte] of payload.entries()) frame[head + 4 + i] = byte ^ (mask[i % 4] ?? 0);
  return frame;
}

/** Returns the bytes received on a connection, and the first text in them that matches a pattern, once it arrives. */
class Conversation {
  received = Buffer.alloc(0);
  readonly socket: Socket;
  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
    });
    socket.on('error', () => undefined);
  }
  async until(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.received.toString('latin1')).toMatch(pattern);
    return this.received.toString('latin1');
  }
  async ended(): Promise<string> {
    if (!this.socket.readableEnded) await once(this.socket, 'end');
    return this.received.toString('latin1');
  }
}

describe('a WebSocket request', () => {
  const server = openSuiteServer({ dialect: 'k8s', authentication: [tokenFile('t,jane,1'), anonymous()] });
  let listener: Listener;
  beforeAll(async () => {
    listener = await listen(server, { tls: false });
  });
  afterAll(() => listener.close());

  function ask(target: string, lines: readonly string[] = [], rest: string | Uint8Array = ''): Conversation {
    const socket = connect(listener.port, '127.0.0.1');
    const head = [target, 'Host: a', 'Connection: Upgrade', ...lines, '', ''].join('\r\n');
    socket.write(head);
    if (rest.length > 0) socket.write(rest);
    return new Conversation(socket);
  }
  const handshake = ({ key = KEY, version = '13', origin = 'http://a', protocols = [] as readonly string[] } = {}) => [
    'Upgrade: websocket',
    ...(key === '' ? [] : [`Sec-WebSocket-Key: ${key}`]),
    ...(version === '' ? [] : [`Sec-WebSocket-Version: ${version}`]),
    ...(origin === '' ? [] : [`Origin: ${origin}`]),
    ...protocols.map((each) => `Sec-WebSocket-Protocol: ${each}`),
  ];
  const make = (name: string) =>
    server.fetch(
      new Request(`http://a${MAPS}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name } }),
      }),
    );

  it('receives the events of a watch as frames', async () => {
    const conversation = ask(`GET ${MAPS}?watch=1&fieldSelector=metadata.name=seen HTTP/1.1`, handshake());
    const answer = await conversation.until(/\r\n\r\n/);
    expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    // This is the sample of RFC 6455.
    expect(answer).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
    await make('seen');
    const text = await conversation.until(/"ADDED".*\n/);
    const frame = conversation.received.subarray(text.indexOf('\r\n\r\n') + 4);
    expect(frame[0]).toBe(0x81);
    expect(JSON.parse(frame.subarray(4).toString()).object.metadata.name).toBe('seen');

    conversation.socket.write(masked(OPCODE.text, Buffer.from('nobody reads this')));
    conversation.socket.write(masked(OPCODE.ping, Buffer.from('there?')));
    expect(await conversation.until(/there\?/)).toContain('\x8a\x06there?');
    conversation.socket.write(masked(OPCODE.close, Buffer.alloc(0)));
    expect((await conversation.ended()).endsWith('\x88\x02\x03\xe8')).toBe(true);
  });

  it('receives protobuf events in binary frames without their length prefix', async () => {
    const accept = 'Accept: application/vnd.kubernetes.protobuf;stream=watch';
    const conversation = ask(`GET ${MAPS}?watch=1&fieldSelector=metadata.name=binary HTTP/1.1`, [
      ...handshake(),
      accept,
    ]);
    await conversation.until(/\r\n\r\n/);
    await make('binary');
    const text = await conversation.until(/ADDED/);
    const frame = conversation.received.subarray(text.indexOf('\r\n\r\n') + 4);
    expect([frame[0], frame[2], frame[3]]).toEqual([0x82, 0x0a, 5]); // The first field of a watch event is its type.
    conversation.socket.destroy();
  });

  it('receives a close frame when the watch ends', async () => {
    const conversation = ask(
      `GET ${MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=none HTTP/1.1`,
      handshake(),
    );
    expect((await conversation.ended()).endsWith('\x88\x02\x03\xe8')).toBe(true);
  });

  const TOKEN = 'base64url.bearer.authorization.k8s.io.dA';
  const NO_VERSION = '400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version';
  const TWO = '400 Bad Request\r\n\r\n';
  it.each<[string, Parameters<typeof handshake>[0], string]>([
    ['an older version', { version: '8' }, NO_VERSION],
    ['no version', { version: '' }, NO_VERSION],
    ['no key', { key: '', version: '' }, '400 Bad Request\r\n\r\nmismatch challenge/response'],
    ['no origin', { origin: '' }, '403 Forbidden\r\n\r\n'],
    ['an origin that is not a URL', { origin: 'null', protocols: ['a, b'] }, '403 Forbidden\r\n\r\n'],
    ['two subprotocols', { protocols: ['a, b'] }, TWO],
    ['an empty subprotocol beside another', { protocols: ['a,'] }, TWO],
    ['two subprotocols besides its token', { protocols: [`${TOKEN}, a`, 'b'] }, TWO],
  ])('with %s is refused without headers', async (_name, parts, response) => {
    expect(await ask(`GET ${MAPS}?watch=1 HTTP/1.1`, handshake(parts)).ended()).toBe(`HTTP/1.1 ${response}`);
  });

  it.each<[string, Parameters<typeof handshake>[0], string | undefined]>([
    ['a short key', { key: 'x' }, undefined],
    ['any absolute origin', { origin: 'chrome-extension:a' }, undefined],
    ['one subprotocol', { protocols: ['any thing'] }, 'any thing'],
    ['subprotocols in two lines, of which the first counts', { protocols: ['a', 'b'] }, 'a'],
    ['one subprotocol besides its token', { protocols: [TOKEN, 'b'] }, 'b'],
  ])('with %s is accepted', async (_name, parts, protocol) => {
    const conversation = ask(`GET ${MAPS}?watch=1 HTTP/1.1`, handshake(parts));
    const response = await conversation.until(/\r\n\r\n/);
    expect(response).toMatch(/^HTTP\/1\.1 101 /);
    expect(/Sec-WebSocket-Protocol: (.*)\r/.exec(response)?.[1]).toBe(protocol);
    conversation.socket.destroy();
  });

  it('that sends a frame without a mask is ended as a protocol error', async () => {
    const conversation = ask(`GET ${MAPS}?watch=1&fieldSelector=metadata.name=none HTTP/1.1`, handshake());
    await conversation.until(/\r\n\r\n/);
    conversation.socket.write(encodeFrame(OPCODE.text, Buffer.from('a')));
    expect((await conversation.ended()).endsWith('\x88\x02\x03\xea')).toBe(true);
  });

  it('gets an ordinary response if it is not a watch', async () => {
    const answer = await ask(`GET ${MAPS}/none HTTP/1.1`, handshake()).ended();
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*Connection: close[\s\S]*configmaps \\"none\\" not found/);
  });

  it.each(['GET', 'CONNECT'])(
    'by %s gets its response after the requests that the client sent before it',
    async (method) => {
      const socket = connect(listener.port, '127.0.0.1');
      const first = `GET ${MAPS}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: a\r\n\r\n`;
      const second = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n';
      const last = `${method} /readyz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      socket.write(first + second + last);
      const answers = (await new Conversation(socket).ended()).split('HTTP/1.1 ');
      expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['', '200', '200', '200']);
      expect(answers[2]).toContain('gitVersion');
    },
  );

  it('gets no response if the response before it ends the connection', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    const first = 'GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    socket.write(`${first}GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect((await new Conversation(socket).ended()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  it('waits for a long response that the client reads slowly', async () => {
    const headers = { 'content-type': 'application/json' };
    for (let i = 0; i < 20; i++) {
      const metadata = { name: `long-${i}` };
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'a'.repeat(300_000) } });
      await server.fetch(new Request(`http://a${MAPS}`, { method: 'POST', body, headers }));
    }
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`GET ${MAPS} HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(socket, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'end');
    expect(
      Buffer.concat(chunks)
        .toString('latin1')
        .match(/HTTP\/1\.1 \d+/g),
    ).toHaveLength(2);
  });

  it('may have a body of known length', async () => {
    const body = JSON.stringify({ metadata: { name: 'with-a-body' } });
    const lines = ['Upgrade: h2c', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const conversation = ask(`POST ${MAPS} HTTP/1.1`, lines, body.slice(0, 10));
    conversation.socket.write(body.slice(10));
    expect(await conversation.ended()).toMatch(/^HTTP\/1\.1 201 [\s\S]*"with-a-body"/);
    const whole = body.replace('with-a-body', 'with-all-of-it');
    expect(
      await ask(`POST ${MAPS} HTTP/1.1`, [...lines.slice(0, 2), `Content-Length: ${whole.length}`], whole).ended(),
    ).toMatch(/^HTTP\/1\.1 201 [\s\S]*"with-all-of-it"/);
    expect(
      await ask(`POST ${MAPS} HTTP/1.1`, ['Upgrade: h2c', 'Transfer-Encoding: chunked'], '0\r\n\r\n').ended(),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });
});

it('a client that does not read the pongs to its pings is not read until it does', async () => {
  const written: (() => void)[] = [];
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => void written.push(done) });
  // A duplex stream has all members of a socket that the code uses.
  acceptHandshake(Http1Connection.of(socket as unknown as Socket), '', new Uint8Array());
  const pings = Buffer.concat(Array(100).fill(masked(OPCODE.ping, Buffer.alloc(125))));
  let sent = 0;
  for (; sent < 1000 && !socket.isPaused(); sent++) {
    socket.push(pings);
    await new Promise(setImmediate);
  }
  expect(sent).toBeLessThan(10);
  for (let last = 0; socket.isPaused(); last++) {
    written[last]?.();
    await new Promise(setImmediate);
  }
  expect(socket.writableLength).toBe(0);
  socket.destroy();
});

it('is audited with the code 101, even if the handshake is refused', async () => {
  const events: AuditEvent[] = [];
  const write: AuditSink['write'] = (records) => void events.push(...records.map(({ event }) => event));
  const audit = {
    policy: { rules: [{ level: 'Metadata' as const, verbs: ['watch'] }] },
    sinks: [{ mode: 'blocking' as const, write }],
  };
  const server = await openServer({ dialect: 'k8s', audit });
  const listener = await listen(server, { tls: false });
  for (const headers of ['Upgrade: websocket', 'Upgrade: h2c']) {
    const socket = connect(listener.port, '127.0.0.1');
    const conversation = new Conversation(socket);
    socket.write(`GET ${MAPS}?watch=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n${headers}\r\n\r\n`);
    await conversation.until(/\r\n\r\n/);
    socket.destroy();
  }
  await expect.poll(() => events.filter(({ stage }) => stage === 'ResponseComplete')).toHaveLength(2);
  const codes = events.map(({ stage, responseStatus }) => `${stage} ${responseStatus?.code ?? '-'}`);
  expect(codes.filter((each) => each.startsWith('ResponseStarted'))).toEqual([
    'ResponseStarted 101',
    'ResponseStarted 200',
  ]);
  expect(codes).toContain('ResponseComplete 101');
  await listener.close();
  await server.close();
});

describe('frames of a client', () => {
  const controls: [number, string][] = [];
  const frames = () =>
    new ClientFrames((opcode, payload) => void controls.push([opcode, Buffer.from(payload).toString()]));

  it('are parsed however they are split', () => {
    const bytes = Buffer.concat([
      masked(OPCODE.text, Buffer.alloc(70_000)),
      masked(OPCODE.ping, Buffer.from('one')),
      masked(OPCODE.binary, Buffer.alloc(300)),
      masked(OPCODE.ping, Buffer.from('two')),
    ]);
    for (const size of [1, 7, bytes.length]) {
      controls.length = 0;
      const reader = frames();
      let kept = true;
      for (let i = 0; i < bytes.length; i += size) kept &&= reader.add(bytes.subarray(i, i + size));
      expect(kept).toBe(true);
      expect(controls).toEqual([
        [OPCODE.ping, 'one'],
        [OPCODE.ping, 'two'],
      ]);
    }
  });

  it('without a mask, or with too long control data, are protocol errors', () => {
    expect(frames().add(encodeFrame(OPCODE.text, Buffer.from('a')))).toBe(false);
    expect(frames().add(masked(OPCODE.ping, Buffer.alloc(126)))).toBe(false);
  });
});

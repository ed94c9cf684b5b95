import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/meta/clock.js';
import { EtcdClient, type EtcdClientOptions } from '../../../src/store/etcd/client.js';
import { AUTHENTICATE, RANGE, STATUS, TXN } from '../../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import { decode } from '../../../src/store/etcd/wire.js';
import { answer, type FakeEtcd, type FakeStream, startFakeEtcd } from '../../support/fake-etcd.js';

const UNAVAILABLE = 14;
/** Two HTTP/2 frames in hexadecimal: empty settings, and a GOAWAY without an error. */
const [SETTINGS, GOAWAY] = ['000000040000000000', '0000080700000000000000000000000000'];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(serve: (stream: FakeStream, path: string) => void): Promise<FakeEtcd> {
  const fake = await startFakeEtcd(serve);
  closing.push(() => fake[Symbol.asyncDispose]());
  return fake;
}
function clientOf(fakes: readonly { readonly endpoint: string }[], options: Partial<EtcdClientOptions> = {}) {
  const endpoints = fakes.map(({ endpoint }) => endpoint);
  const client = new EtcdClient({ endpoints, http2: nativeHttp2(), clock, callTimeout: 30_000, ...options });
  closing.push(() => client.close());
  return client;
}
const well = (revision: number) => (stream: FakeStream) => answer(stream, RANGE, { header: { revision } });
const failure = (code: number, message: string) =>
  expect.objectContaining({ name: 'EtcdError', code, message: expect.stringContaining(message) });

describe('a call of the etcd client', () => {
  it('has the message, a deadline and a response', async () => {
    const seen: object[] = [];
    const fake = await start((stream, path) => {
      stream.onMessage((message) => {
        seen.push({ path, ...decode(RANGE.request, message), timeout: stream.headers['grpc-timeout'] });
        well(7)(stream);
      });
    });
    const key = new TextEncoder().encode('/a');
    expect(await clientOf([fake]).call(RANGE, { key, limit: 0 })).toEqual({ header: { revision: 7 } });
    expect(seen).toEqual([{ path: '/etcdserverpb.KV/Range', key, limit: 0, timeout: expect.stringMatching(/^\d+m$/) }]);
  });
  it('accepts a response in any pieces', async () => {
    const fake = await start((stream) => {
      const { native } = stream;
      native.respond({ ':status': 200 }, { waitForTrailers: true });
      const bytes = [0, 0, 0, 0, 4, 0x0a, 0x02, 0x18, 0x09];
      void (async () => {
        for (const byte of bytes) {
          native.write(Uint8Array.of(byte));
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        native.end();
      })();
    });
    expect(await clientOf([fake]).call(RANGE, {})).toEqual({ header: { revision: 9 } });
  });
  it.each([
    ['is compressed', [1, 0, 0, 0, 0], 'a message is compressed'],
    ['claims to be very large', [0, 255, 255, 255, 255], 'more than'],
    ['is not a message', [0, 0, 0, 0, 2, 0x0a, 0x09], 'ends behind its message'],
  ])('refuses a response that %s', async (_what, bytes, message) => {
    const fake = await start(({ native }) => {
      native.respond({ ':status': 200 }, { waitForTrailers: true });
      native.end(Uint8Array.from(bytes));
    });
    await expect(clientOf([fake]).call(RANGE, {})).rejects.toThrow(message);
  });
  it('fails with the status that replaces a response, without a retry', async () => {
    const text = 'etcdserver: mvcc: required revision has been compacted';
    const fake = await start((stream) => {
      const status = { ':status': 200, 'grpc-status': '11', 'grpc-message': text };
      stream.native.respond(status, { endStream: true });
    });
    await expect(clientOf([fake]).call(RANGE, {})).rejects.toEqual(failure(11, text));
    expect(fake.paths).toHaveLength(1);
  });
  it('fails for a response that is not from etcd', async () => {
    const fake = await start(({ native }) => {
      native.respond({ ':status': 404 });
      native.end('not found');
    });
    // A transaction is not repeated, so its error is that of the only response.
    await expect(clientOf([fake]).call(TXN, {})).rejects.toThrow('HTTP status 404');
  });
  it('ends at its deadline', async () => {
    const fake = await start(() => {});
    await expect(clientOf([fake]).call(RANGE, {}, 200)).rejects.toThrow(/no response .* within \d+/);
  });
});

describe('several members', () => {
  it('are tried in turn, each once before the first pause', async () => {
    const fake = await start(well(3));
    const away = [{ endpoint: 'http://127.0.0.1:1' }, { endpoint: 'http://127.0.0.1:2' }];
    const pauses: string[] = [];
    const recording: typeof clock = {
      ...clock,
      setTimer(callback, milliseconds, holdsProcess, name = '') {
        if (name === 'next connection to etcd') pauses.push(name);
        return clock.setTimer(callback, milliseconds, holdsProcess);
      },
    };
    const client = clientOf([...away, fake], { clock: recording });
    expect(await client.call(RANGE, {})).toEqual({ header: { revision: 3 } });
    expect(pauses).toEqual([]);
  });
  it('are asked in turn: a read that one refuses is repeated at another', async () => {
    const bad = await start((stream) => stream.end(UNAVAILABLE, 'etcdserver: no leader'));
    const good = await start(well(4));
    expect(await clientOf([bad, good]).call(RANGE, {})).toEqual({ header: { revision: 4 } });
    expect([bad.paths.length, good.paths.length]).toEqual([1, 1]);
  });
  it('do not receive a write twice that one of them may have executed', async () => {
    const bad = await start(({ native, ...stream }) => stream.onMessage(() => native.session?.destroy()));
    const good = await start((stream) => answer(stream, TXN, { succeeded: true }));
    const client = clientOf([bad, good]);
    await expect(client.call(TXN, {})).rejects.toEqual(failure(UNAVAILABLE, ''));
    expect(good.paths).toEqual([]);
    expect(await client.call(TXN, {})).toEqual({ succeeded: true });
  });
  it('receive a write that one of them has refused', async () => {
    const away = { endpoint: 'http://127.0.0.1:1' };
    const good = await start((stream) => answer(stream, TXN, { succeeded: true }));
    expect(await clientOf([away, good]).call(TXN, {})).toEqual({ succeeded: true });
  });
  it('that shut down complete requests in progress', async () => {
    let late = (): void => {};
    const leaving = await start((stream, path) => {
      if (path.endsWith('Status')) {
        late = () => answer(stream, STATUS, { version: '3.5.9' });
        stream.native.session?.goaway();
      } else well(5)(stream);
    });
    const other = await start(well(6));
    const client = clientOf([leaving, other]);
    const status = client.call(STATUS, {});
    await expect.poll(() => leaving.paths.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { header } = await client.call(RANGE, {});
    expect(header?.revision).toBeGreaterThan(4);
    late();
    expect(await status).toEqual({ version: '3.5.9' });
  });
  it.each([
    ['send nothing', ''],
    ['send GOAWAY', `${SETTINGS}${GOAWAY}`],
  ])('that %s keep no open connections after their calls', async (_, greeting) => {
    const open = new Set<Socket>();
    const hanging = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => open.delete(socket));
      socket.resume();
      socket.write(Buffer.from(greeting, 'hex'));
      // Writing to a half-closed connection causes no error, so only a fully closed one ends this loop.
      socket.once('end', () => {
        const timer = setInterval(() => socket.write('\0'), 10);
        socket.once('close', () => clearInterval(timer));
      });
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    closing.push(() => hanging.close());
    const { port } = hanging.address() as AddressInfo;
    const client = clientOf([{ endpoint: `http://127.0.0.1:${port}` }]);
    for (let i = 0; i < 3; i++) await expect(client.call(RANGE, {}, 100)).rejects.toThrow();
    client.close();
    await expect.poll(() => open.size).toBe(0);
  });
  it('can all be unavailable: the error says why', async () => {
    const client = clientOf([{ endpoint: 'http://127.0.0.1:1' }]);
    await expect(client.call(RANGE, {}, 300)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('users', () => {
  it('get a token, which is sent with every call, and renewed once when it is invalid', async () => {
    let tokens = 0;
    const fake = await start((stream, path) => {
      if (path.endsWith('Authenticate')) return answer(stream, AUTHENTICATE, { token: `t${++tokens}` });
      if (stream.headers['token'] === 't1' && fake.paths.length > 2)
        return stream.end(16, 'etcdserver: invalid auth token');
      well(8)(stream);
    });
    const client = clientOf([fake], { user: { name: 'a', password: 'b' } });
    await client.call(RANGE, {});
    await client.call(RANGE, {});
    expect(tokens).toBe(2);
  });
  it('with a wrong password are refused at once', async () => {
    const fake = await start((stream) =>
      stream.end(3, 'etcdserver: authentication failed, invalid user ID or password'),
    );
    const client = clientOf([fake], { user: { name: 'a', password: 'b' } });
    await expect(client.call(RANGE, {})).rejects.toThrow('authentication failed');
    expect(fake.paths).toHaveLength(1);
  });
});

it('a client that was closed refuses calls', async () => {
  const client = clientOf([{ endpoint: 'http://127.0.0.1:1' }]);
  client.close();
  await expect(client.call(RANGE, {})).rejects.toThrow('was closed');
});

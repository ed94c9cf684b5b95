import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type CertificateMaker,
  type Listener,
  type ListenOptions,
  listen,
  toNodeHandler,
} from '../../src/http/index.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { exchange1, exchange2, session2, until } from './exchange.js';
import { answering, FakeStream, makeCertificates, streaming, text } from './stub-server.js';

const certificates = makeCertificates();
const withOpenssl = certificates === undefined ? describe.skip : describe;
const open: Listener[] = [];
const start = async (handler: Parameters<typeof listen>[0], options: ListenOptions) => {
  const listener = await listen(handler, options);
  open.push(listener);
  return listener;
};
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close({ graceMilliseconds: 0 });
});

/** Returns the subjects of the chain, and whether it is the same array as before. */
function chainTeller() {
  const seen = new Set<unknown>();
  const chains: (readonly Uint8Array[] | undefined)[] = [];
  const server = answering((request) => {
    chains.push(request.peerCertificates);
    seen.add(request.peerCertificates);
    return text(
      (request.peerCertificates ?? [])
        .map((der) => new X509Certificate(der).subject.replaceAll('\n', ','))
        .join(' < ') || 'none',
    );
  });
  return { server, seen };
}

withOpenssl('connections', () => {
  const { serving } = certificates as NonNullable<typeof certificates>;
  const connect = (port: number, options: tls.ConnectionOptions = {}) =>
    new Promise<string>((resolve) => {
      const socket = tls.connect({
        port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ALPNProtocols: ['h2', 'http/1.1'],
        ...options,
      });
      socket.once('secureConnect', () => {
        resolve(`${socket.alpnProtocol} ${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.once('error', () => resolve('refused'));
    });
  const old = { maxVersion: 'TLSv1.2' } as const;

  it('have the configured protocols', async () => {
    const server = answering(() => text('ok'));
    const { port } = await start(server, { tls: serving, http2: false });
    expect(await connect(port)).toMatch(/^http\/1.1 TLSv1.3 /);
    expect(await connect(port, old)).toMatch(/^http\/1.1 TLSv1.2 /);
    const newest = await start(server, { tls: serving, minTlsVersion: 'TLSv1.3' });
    expect(await connect(newest.port, old)).toBe('refused');
    expect(await connect(newest.port)).toMatch(/^h2 TLSv1.3 /);
    const suite = 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384';
    const chosen = await start(server, {
      tls: serving,
      cipherSuites: [suite, suite.replace('RSA', 'ECDSA')],
      http2: false,
    });
    expect(await connect(chosen.port, old)).toMatch(/AES_256_GCM_SHA384$/);
    expect(
      await connect(chosen.port, { ...old, ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256' }),
    ).toBe('refused');
    expect(await connect(chosen.port)).toMatch(/^http\/1.1 TLSv1.3 /);
    const formerly = 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305';
    const former = await start(server, {
      tls: serving,
      cipherSuites: [formerly, formerly.replace('RSA', 'ECDSA')],
      http2: false,
    });
    expect(await connect(former.port, old)).toMatch(/CHACHA20_POLY1305_SHA256$/);
    await expect(listen(server, { tls: serving, cipherSuites: [suite] })).rejects.toThrow('an HTTP/2-required AES_128');
    await expect(listen(server, { tls: serving, cipherSuites: ['TLS_RC4'] })).rejects.toThrow(
      'unknown cipher suite TLS_RC4',
    );
  });
});

withOpenssl('client certificates', () => {
  // These tests run only if there are certificates.
  const { serving, client, other, ca } = certificates as NonNullable<typeof certificates>;
  const alice = { cert: client.certificate, key: client.key };

  it('are passed leaf first, as the same array for a connection, over both protocols', async () => {
    const { server, seen } = chainTeller();
    const listener = await start(server, { tls: serving });
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++)
      expect((await exchange1(listener.url, {}, { agent, ...alice })).body).toBe('O=dev,CN=alice < CN=middle');
    expect(seen.size).toBe(1);
    agent.destroy();
    const session = session2(listener.url, alice);
    for (let i = 0; i < 3; i++) expect((await exchange2(session)).body).toBe('O=dev,CN=alice < CN=middle');
    session.close();
    expect(seen.size).toBe(2);
    expect((await exchange1(listener.url, {}, { cert: other.certificate, key: other.key })).body).toBe('CN=bob');
    expect((await exchange1(listener.url)).body).toBe('none');
  });

  it('are passed as the client sent them, in its order', async () => {
    const { server } = chainTeller();
    const listener = await start(server, { tls: serving, clientCA: ca });
    const chain = [client.certificate, other.certificate].join('');
    expect((await exchange1(listener.url, {}, { ...alice, cert: chain })).body).toBe(
      'O=dev,CN=alice < CN=middle < CN=bob',
    );
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'are requested on every connection: %s sessions are not resumed',
    async (version) => {
      const { server } = chainTeller();
      const listener = await start(server, { tls: serving, clientCA: ca });
      let ticket: Buffer | undefined;
      const connect = () =>
        new Promise<{ body: string; reused: boolean }>((resolve, reject) => {
          const socket = tls.connect({
            port: listener.port,
            host: '127.0.0.1',
            rejectUnauthorized: false,
            minVersion: version,
            maxVersion: version,
            ...alice,
            ...(ticket === undefined ? {} : { session: ticket }),
          });
          let body = '';
          socket.on('session', (given) => (ticket = given)).on('error', reject);
          socket
            .on('data', (chunk) => (body += chunk))
            .on('end', () => resolve({ body, reused: socket.isSessionReused() }));
          socket.on('secureConnect', () => {
            ticket ??= socket.getSession();
            socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
          });
        });
      for (let i = 0; i < 3; i++) {
        const { body, reused } = await connect();
        expect(body).toContain('O=dev,CN=alice < CN=middle');
        expect(reused).toBe(false);
      }
      expect(ticket).toBeDefined();
    },
  );

  it('are not verified by the listener, and old TLS versions are refused', async () => {
    const { server } = chainTeller();
    const listener = await start(server, { tls: serving, clientCA: serving.cert });
    expect((await exchange1(listener.url, {}, alice)).body).toContain('alice');
    const old = exchange1(
      listener.url,
      {},
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' },
    );
    await expect(old).rejects.toThrow();
  });

  it('reach a server that is mounted in one of node:https', async () => {
    const { server } = chainTeller();
    const mounted = https.createServer(
      { ...serving, requestCert: true, rejectUnauthorized: false },
      toNodeHandler(server),
    );
    await new Promise<void>((resolve) => mounted.listen(0, '127.0.0.1', resolve));
    const address = mounted.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect((await exchange1(`https://127.0.0.1:${port}`, {}, alice)).body).toContain('alice');
    mounted.close();
  });
});

withOpenssl('shutdown', () => {
  const { serving } = certificates as NonNullable<typeof certificates>;

  it.each([['plain'], ['h1'], ['h2']])(
    'over %s ends watches cleanly, completes requests in flight and closes idle connections',
    async (kind) => {
      const stream = new FakeStream();
      let finish: (() => void) | undefined;
      const server = answering(async (request) => {
        if (request.path === '/watch') return streaming(stream);
        if (request.path === '/slow') await new Promise<void>((resolve) => (finish = resolve));
        return text('done');
      });
      const listener = await start(server, { tls: kind === 'plain' ? false : serving });
      const session = kind === 'h2' ? session2(listener.url) : undefined;
      const Agent = kind === 'plain' ? http.Agent : https.Agent;
      const agent = new Agent({ keepAlive: true });
      const ask = (path: string) =>
        session ? exchange2(session, { path }) : exchange1(listener.url, { path }, { agent });

      expect((await ask('/')).body).toBe('done');
      const watch = ask('/watch');
      const slow = ask('/slow');
      await until(() => stream.onReadable !== undefined && finish !== undefined);
      stream.push('last');
      // The grace period exceeds the time limit of the test, so the test shows that it is not waited for.
      const closed = listener.close({ graceMilliseconds: 600_000 });
      expect((await watch).body).toBe('last');
      expect(stream.closed).toBe(1);
      finish?.();
      expect((await slow).body).toBe('done');
      await closed;
      await expect(exchange1(listener.url)).rejects.toThrow();
      agent.destroy();
    },
  );

  it('does not wait for a TLS handshake', async () => {
    const listener = await start(
      answering(() => text('ok')),
      { tls: serving },
    );
    const socket = net.connect(listener.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    await exchange1(listener.url);
    await listener.close({ graceMilliseconds: 600_000 });
    socket.destroy();
  });

  it('ends a watch that opens meanwhile, with its buffered events', async () => {
    const stream = new FakeStream();
    stream.push('first');
    let open: ((response: ReturnType<typeof streaming>) => void) | undefined;
    const listener = await start(
      answering(() => new Promise<ReturnType<typeof streaming>>((resolve) => (open = resolve))),
      { tls: serving },
    );
    const watch = exchange1(listener.url);
    await until(() => open !== undefined);
    const closed = listener.close({ graceMilliseconds: 600_000 });
    open?.(streaming(stream));
    expect((await watch).body).toBe('first');
    expect(stream.closed).toBe(1);
    await closed;
  });

  it('closes connections that outlive the grace period', async () => {
    let asked = 0;
    const never = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const listener = await start(answering(never), { tls: serving });
    const hanging = exchange1(listener.url);
    hanging.catch(() => undefined);
    const session = session2(listener.url);
    session.on('error', () => undefined);
    exchange2(session).catch(() => undefined);
    await until(() => asked === 2);
    await listener.close({ graceMilliseconds: 50 });
    await expect(hanging).rejects.toThrow();
  });

  it('closes a connection of HTTP/2 after a response that announces it', async () => {
    const listener = await start(
      answering(() => text('bye', 401, { Connection: 'close' })),
      { tls: serving },
    );
    const session = session2(listener.url);
    expect(await exchange2(session)).toMatchObject({ status: 401, body: 'bye' });
    await until(() => session.closed || session.destroyed);
  });
});

withOpenssl('kubeconfig', () => {
  const { serving, other, ca } = certificates as NonNullable<typeof certificates>;
  const asked: unknown[] = [];
  /** Uses certificates that were created before. */
  const maker: CertificateMaker = {
    createCertificateAuthority: async () => ({ certificate: ca, key: 'key' }),
    issueCertificate: async (_, request) => {
      asked.push(request);
      return request.usages[0] === 'serverAuth' ? { certificate: serving.cert, key: serving.key } : other;
    },
  };

  it('authenticates as an administrator, with a certificate issued for it', async () => {
    asked.length = 0;
    const listener = await start(
      answering(() => text('ok')),
      { certificateMaker: maker, names: ['10.0.0.1', 'api.test'] },
    );
    expect(listener.certificateAuthority).toBe(ca);
    expect(asked[0]).toMatchObject({
      dnsNames: ['localhost', 'api.test'],
      ipAddresses: ['127.0.0.1', '::1', '10.0.0.1'],
      usages: ['serverAuth'],
    });
    const base64 = (value: string) => Buffer.from(value).toString('base64');
    expect(parse(await listener.kubeconfig())).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'orch', cluster: { server: listener.url, 'certificate-authority-data': base64(ca) } }],
      users: [
        {
          name: 'admin',
          user: { 'client-certificate-data': base64(other.certificate), 'client-key-data': base64(other.key) },
        },
      ],
      contexts: [{ name: 'admin@orch', context: { cluster: 'orch', user: 'admin' } }],
      'current-context': 'admin@orch',
    });
    expect(asked.at(-1)).toMatchObject({
      commonName: 'admin',
      organizations: ['system:masters'],
      usages: ['clientAuth'],
    });
    expect((await exchange1(listener.url, {}, { ca, rejectUnauthorized: true })).body).toBe('ok');
  });

  it("accepts credentials, and requires them if the CA is not the server's", async () => {
    const listener = await start(
      answering(() => text('ok')),
      { tls: serving },
    );
    const config = await listener.kubeconfig({ username: 'bob', namespace: 'x', credentials: { token: 'a"b' } });
    expect(config).toContain('token: "a\\"b"');
    expect(config).toContain('namespace: "x"');
    await expect(listener.kubeconfig()).rejects.toThrow(TypeError);
  });

  it("has a certificate of the server's own CA", async () => {
    const listener = await start(
      { ...answering(() => text('ok')), certificateAuthority: async () => ({ certificate: 'own', key: 'own' }) },
      { certificateMaker: maker },
    );
    expect(listener.certificateAuthority).toBe('own');
  });
});

it('a server creates its own certificates, which clients accept', async () => {
  const { server } = chainTeller();
  const listener = await start(server, {});
  const ca = listener.certificateAuthority ?? '';
  const config = await listener.kubeconfig({ username: 'carol', groups: ['dev', 'ops'] });
  const data = (name: string) =>
    Buffer.from(new RegExp(`${name}: (\\S+)`).exec(config)?.[1] ?? '', 'base64').toString();
  const cert = data('client-certificate-data');
  const trusting = { ca, rejectUnauthorized: true, cert, key: data('client-key-data') };
  expect((await exchange1(listener.url, {}, trusting)).body).toContain('CN=carol');
  expect((await exchange1(listener.url.replace('127.0.0.1', 'localhost'), {}, trusting)).body).toContain('O=dev,O=ops');
});

it('a kubeconfig has a certificate dated by the clock of the server', async () => {
  const now = Date.UTC(2031, 0, 1);
  const authority = await createCertificateAuthority({ commonName: 'own', now });
  const server = { ...answering(() => text('ok')), clock: createFakeClock(now) };
  const listener = await start(server, { certificateAuthority: authority });
  const { users } = parse(await listener.kubeconfig()) as {
    users: [{ user: { 'client-certificate-data': string } }];
  };
  const shown = Buffer.from(users[0].user['client-certificate-data'], 'base64').toString();
  expect(Date.parse(new X509Certificate(shown).validFrom)).toBe(now - 5 * 60_000);
});

it('rejects when the port is taken', async () => {
  const listener = await start(
    answering(() => text('ok')),
    { tls: false },
  );
  await expect(
    listen(
      answering(() => text('ok')),
      { tls: false, port: listener.port },
    ),
  ).rejects.toThrow(/EADDRINUSE/);
  expect(await listener.kubeconfig()).toContain(`server: "http://127.0.0.1:${listener.port}"`);
});

it('listens on IPv6 where there is one', async (context) => {
  const listener = await start(
    answering(() => text('ok')),
    { tls: false, host: '::1' },
  ).catch(() => context.skip('no IPv6 here'));
  expect(listener.url).toBe(`http://[::1]:${listener.port}`);
  expect((await exchange1(listener.url)).body).toBe('ok');
});

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Backends } from '../../src/aggregation/backends.js';
import { webhookSink } from '../../src/audit/audit-webhook.js';
import { IssuerKeys } from '../../src/authentication/jwt/issuer-keys.js';
import { configMap } from '../../src/exports/kinds.js';
import { kubeconfigClient } from '../../src/kubeconfig/kubeconfig-client.js';
import { systemClock } from '../../src/meta/clock.js';
import { dialectOf } from '../../src/meta/dialect.js';
import type { OutboundTls } from '../../src/meta/fetch.js';
import type { Host } from '../../src/meta/host.js';
import { systemRandom } from '../../src/meta/random.js';
import { nodeFetch, nodeUpgrade } from '../../src/outbound/node-fetch.js';
import { reviewWebhook } from '../../src/outbound/review-webhook.js';
import { ServiceTargets } from '../../src/outbound/service-targets.js';
import { systemFetch } from '../../src/outbound/system-fetch.js';
import { WebhookClient } from '../../src/outbound/webhook-client.js';
import type { APIService as ApiService } from '../../src/resources/apiregistration/apiregistration-v1.types.js';
import { caExtensions, hasOpenssl, type Issued, Workshop } from '../pki/openssl.js';

/*
 * The certificate chains of servers that are accepted, and the errors for others, by the rules of Go's clients, which differ from those
 * of OpenSSL.
 */
const closing: (() => unknown)[] = [];
const workshop = new Workshop();
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => workshop.close());

const serving = (names = 'DNS:server.example') => [
  'basicConstraints=critical,CA:FALSE',
  'extendedKeyUsage=serverAuth',
  ...(names === '' ? [] : [`subjectAltName=${names}`]),
];
const leafOf = (issuer: Issued | undefined, more: Parameters<Workshop['issue']>[0] = {}) =>
  workshop.issue({ subject: '/CN=server', extensions: serving(), ...(issuer ? { issuer } : {}), ...more });
const authorityOf = (subject: string, issuer?: Issued, more: Parameters<Workshop['issue']>[0] = {}) =>
  workshop.issue({ subject, extensions: caExtensions, ...(issuer ? { issuer } : {}), ...more });

async function listen(key: string, cert: string): Promise<number> {
  const server = createServer({ key, cert }, (_, response) => response.end('here'));
  server.on('upgrade', (_, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const options = { method: 'GET', headers: {}, redirect: 'manual', signal: new AbortController().signal } as const;
const UNVERIFIED = 'tls: failed to verify certificate: x509: ';

/** Returns the result for a server with a key and a chain (PEM), and a client that trusts these CAs. */
async function verdict(leaf: Issued, chain: readonly Issued[], trusted: string, more: OutboundTls = {}) {
  const port = await listen(leaf.key, [leaf, ...chain].map(({ pem }) => pem).join(''));
  const tls = { certificateAuthority: trusted, serverName: 'server.example', ...more };
  const said = ({ message }: Error) => message.replace(UNVERIFIED, '').replace(/(?<=current time )\S+/, '…');
  const answer = await nodeFetch(`https://127.0.0.1:${port}/`, { ...options, tls }).then((each) => each.text(), said);
  // Every implementation has the same result.
  const upgraded = await nodeUpgrade(`https://127.0.0.1:${port}/`, {
    ...options,
    headers: { connection: 'Upgrade', upgrade: 'test' },
    tls,
  }).then((each) => ('channel' in each ? 'here' : 'refused'), said);
  expect(upgraded).toBe(answer);
  return answer;
}

describe.skipIf(!hasOpenssl)('the chain of a server', () => {
  const root = () => authorityOf('/CN=root');

  it.each(['p256', 'p384', 'rsa', 'ed25519'] as const)(
    'is trusted equally with an intermediate and a root: %s',
    async (kind) => {
      const key = { key: kind };
      const top = authorityOf('/CN=root', undefined, key);
      const middle = authorityOf('/CN=middle', top, key);
      const leaf = leafOf(middle, key);
      expect(await verdict(leaf, [middle], top.pem)).toBe('here');
      expect(await verdict(leaf, [middle], middle.pem)).toBe('here');
      expect(await verdict(leaf, [], middle.pem)).toBe('here');
      // The certificate itself is trusted as well.
      expect(await verdict(leaf, [], leaf.pem)).toBe('here');
      expect(await verdict(leaf, [middle, top], top.pem.replaceAll('\n', '\r\n'))).toBe('here');
      expect(await verdict(leaf, [], top.pem)).toBe('certificate signed by unknown authority');
      expect(await verdict(leaf, [middle], authorityOf('/CN=other').pem)).toBe(
        'certificate signed by unknown authority',
      );
    },
  );

  it('may be in any order after the leaf', async () => {
    const top = root();
    const upper = authorityOf('/CN=upper', top);
    const lower = authorityOf('/CN=lower', upper);
    expect(await verdict(leafOf(lower), [top, upper, lower], top.pem)).toBe('here');
  });

  it('may consist of certificates without subjects', async () => {
    const authority = authorityOf('/');
    const leaf = leafOf(authority, { subject: '/' });
    expect(await verdict(leaf, [], authority.pem)).toBe('here');
    expect(await verdict(leaf, [authority], authorityOf('/').pem)).toMatch(
      /^certificate signed by unknown authority \(possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "serial:\d+"\)$/,
    );
  });

  it('may be one self-signed certificate if that is trusted', async () => {
    const own = leafOf(undefined);
    expect(await verdict(own, [], own.pem)).toBe('here');
    expect(await verdict(own, [], root().pem)).toBe('certificate signed by unknown authority');
  });

  it('is verified with the CA certificates that can be parsed', async () => {
    const top = root();
    const broken = '-----BEGIN CERTIFICATE-----\nMAMCAQA=\n-----END CERTIFICATE-----\n';
    expect(await verdict(leafOf(top), [], broken + top.pem)).toBe('here');
    expect(await verdict(leafOf(top), [], broken)).toBe('certificate signed by unknown authority');
    expect(await verdict(leafOf(top), [], '')).toBe('certificate signed by unknown authority');
  });

  it.each<[string, string, OutboundTls, string]>([
    ['a name', 'DNS:server.example', {}, 'here'],
    ['a name in capitals', 'DNS:Server.Example', { serverName: 'sERVER.example' }, 'here'],
    ['a name with a trailing dot', 'DNS:server.example', { serverName: 'server.example.' }, 'here'],
    ['a wildcard', 'DNS:*.example', {}, 'here'],
    [
      'a wildcard with two labels in its place',
      'DNS:*.example',
      { serverName: 'a.server.example' },
      'certificate is valid for *.example, not a.server.example',
    ],
    ['a wildcard within a label', 'DNS:s*.example', {}, 'certificate is valid for s*.example, not server.example'],
    [
      'other names',
      'DNS:a.example,DNS:b.example',
      {},
      'certificate is valid for a.example, b.example, not server.example',
    ],
    ['an address', 'IP:127.0.0.1', { serverName: '127.0.0.1' }, 'here'],
    [
      'an address in a DNS name',
      'DNS:127.0.0.1',
      { serverName: '127.0.0.1' },
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [
      'another address',
      'IP:10.0.0.1,IP:2001:db8::1',
      { serverName: '127.0.0.1' },
      'certificate is valid for 10.0.0.1, 2001:db8::1, not 127.0.0.1',
    ],
    [
      'an e-mail address only',
      'email:a@example.com',
      {},
      'certificate is not valid for any names, but wanted to match server.example',
    ],
  ])('a certificate for %s matches or is refused as in Go', async (_, names, tls, outcome) => {
    const top = root();
    expect(await verdict(leafOf(top, { extensions: serving(names) }), [], top.pem, tls)).toBe(outcome);
  });

  it('is verified by subject alternative names only', async () => {
    const top = root();
    const leaf = leafOf(top, { subject: '/CN=server.example', extensions: serving('') });
    expect(await verdict(leaf, [], top.pem)).toBe('certificate relies on legacy Common Name field, use SANs instead');
  });

  it('is verified by its validity, usages and constraints', async () => {
    const top = root();
    const past = { from: '20200101000000Z', to: '20210101000000Z' };
    expect(await verdict(leafOf(top, past), [], top.pem)).toMatch(
      /^certificate has expired or is not yet valid: current time \S+ is after 2021-01-01T00:00:00Z$/,
    );
    expect(await verdict(leafOf(top, { from: '20990101000000Z' }), [], top.pem)).toMatch(
      /is before 2099-01-01T00:00:00Z$/,
    );
    const old = authorityOf('/CN=old', top, past);
    expect(await verdict(leafOf(old), [old], top.pem)).toMatch(/^certificate has expired or is not yet valid/);
    const client = leafOf(top, { extensions: ['extendedKeyUsage=clientAuth', 'subjectAltName=DNS:server.example'] });
    expect(await verdict(client, [], top.pem)).toBe('certificate specifies an incompatible key usage');
    const narrow = authorityOf('/CN=narrow', top, {
      extensions: [...caExtensions, 'nameConstraints=critical,permitted;DNS:other.example'],
    });
    expect(await verdict(leafOf(narrow), [narrow], top.pem)).toMatch(
      /^a root or intermediate certificate is not authorized to sign for this name: /,
    );
    const noAuthority = leafOf(top);
    expect(await verdict(leafOf(noAuthority), [noAuthority], top.pem)).toMatch(
      /^certificate signed by unknown authority/,
    );
  });

  it('is not verified if verification is disabled', async () => {
    expect(await verdict(leafOf(undefined), [], root().pem, { insecureSkipVerify: true })).toBe('here');
  });
});

describe.skipIf(!hasOpenssl)('a server whose certificate is not accepted', () => {
  it('receives no byte of the request, and its response is ignored', async () => {
    const stranger = leafOf(undefined);
    const heard: string[] = [];
    const { createServer: createTls } = await import('node:tls');
    const server = createTls({ key: stranger.key, cert: stranger.pem }, (socket) => {
      socket.on('error', () => undefined).on('data', (chunk) => heard.push(String(chunk)));
      // The server responds before it receives a request.
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const tls = { certificateAuthority: authorityOf('/CN=root').pem, serverName: 'server.example' };
    for (let i = 0; i < 3; i++)
      await expect(nodeFetch(url, { ...options, method: 'POST', body: 'secret', tls })).rejects.toThrow(
        `${UNVERIFIED}certificate signed by unknown authority`,
      );
    await expect(nodeUpgrade(url, { ...options, tls })).rejects.toThrow('unknown authority');
    expect(heard).toEqual([]);
  });

  it('that does not complete the handshake is given up when the request is', async () => {
    const { createServer: createPlain } = await import('node:net');
    const sockets: { destroy(): void; closed: boolean }[] = [];
    const server = createPlain((socket) => void sockets.push(socket.on('error', () => undefined).resume()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const tls = { certificateAuthority: authorityOf('/CN=root').pem };
    const abort = new AbortController();
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const asked = nodeFetch(url, { ...options, signal: abort.signal, tls });
    asked.catch(() => undefined);
    while (sockets.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await expect(asked).rejects.toThrow();
    while (sockets.some(({ closed }) => !closed)) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe.skipIf(!hasOpenssl)('every outbound connection has these rules', () => {
  /** Every outbound connection, by URL and CA, to a server with a certificate of an intermediate CA. */
  const places: Record<string, (url: string, trusted: string) => Promise<unknown>> = {
    'a webhook of reviews': async (server, certificateAuthority) => {
      const host = { fetch: systemFetch, clock: systemClock, random: systemRandom };
      const ask = reviewWebhook({ server, certificateAuthority, tlsServerName: 'server.example' }, 5000, host);
      await ask({ apiVersion: 'v1', kind: 'Review' });
    },
    'the client of a kubeconfig': async (server, authority) => {
      const cluster = {
        server,
        'certificate-authority-data': Buffer.from(authority).toString('base64'),
        'tls-server-name': 'server.example',
      };
      const kubeconfig = JSON.stringify({
        clusters: [{ name: 'c', cluster }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
        'current-context': 'c',
      });
      const client = await kubeconfigClient({ text: kubeconfig });
      await client.get(configMap, 'a', { namespace: 'default' });
    },
    'a webhook of audit events': async (server, certificateAuthority) => {
      const host = { fetch: systemFetch, clock: systemClock, random: systemRandom, dialect: dialectOf('k8s') };
      const connection = { server, certificateAuthority, tlsServerName: 'server.example' };
      await webhookSink({ connection, initialBackoff: 1 }).write([], host as unknown as Host);
    },
    'the discovery of an issuer': async (url, certificateAuthority) => {
      const host = { fetch: systemFetch, clock: systemClock, log: () => undefined } as unknown as Host;
      const problem = await new IssuerKeys({ url, discoveryUrl: '', certificateAuthority }, host).discover();
      if (problem !== undefined) throw new Error(problem);
    },
    'the server of an APIService': async (url, authority) => {
      const services = new ServiceTargets({ 'example/server': url });
      const backends = new Backends({ fetch: systemFetch, services } as unknown as Host, {});
      const caBundle = Buffer.from(authority).toString('base64');
      const spec = { caBundle, service: { namespace: 'example', name: 'server' } };
      const backend = backends.find({ metadata: { name: 'v1.a' }, spec } as unknown as ApiService);
      await backend.fetch(`${backend.origin}/apis`, options, { username: 'a' });
    },
    'an admission webhook': async (url, authority) => {
      const caBundle = Buffer.from(authority).toString('base64');
      const client = new WebhookClient({
        fetch: systemFetch,
        clock: systemClock,
        dialect: dialectOf('k8s'),
        lister: () => ({ get: () => undefined, list: () => [], onChange: () => () => undefined }),
      } as unknown as Host); // The object has all members that are used here.
      await client.post({ clientConfig: { url, caBundle } }, { apiVersion: 'v1', kind: 'Review' });
    },
  };
  it.each(Object.keys(places))('%s', async (place) => {
    const top = authorityOf('/CN=root');
    const middle = authorityOf('/CN=middle', top);
    const leaf = leafOf(middle, { extensions: serving('DNS:server.example,DNS:server.example.svc,IP:127.0.0.1') });
    const port = await listen(leaf.key, leaf.pem);
    const said = async (authority: Issued) =>
      await places[place]?.(`https://127.0.0.1:${port}`, authority.pem).then(
        () => 'answered',
        (error: Error) => error.message,
      );
    // The response is not a review, but the server received the request.
    expect(await said(middle)).not.toContain('x509');
    expect(await said(leaf)).not.toContain('x509');
    const refused = await said(top);
    expect(refused?.split(UNVERIFIED)).toHaveLength(2);
    // The requests of a backend belong to a caller, who gets the result in the response.
    expect(refused).toMatch(
      /(?:^|^(?:Get|Post) "https:\/\/[^"]+": )tls: failed to verify certificate: x509: certificate signed by/,
    );
  });
});

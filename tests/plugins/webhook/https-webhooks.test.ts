import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../../src/api-server.js';
import { admissionOptions } from '../../../src/cli/authorization-options.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import {
  type CertificateOptions,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
} from '../../../src/pki/certificate-authority.js';
import { everybody, manifest } from '../../custom-resources/support.js';
import { ask } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const folder = mkdtempSync(join(tmpdir(), 'https-webhooks-'));
const ends: (() => unknown)[] = [];
let authority: KeyPair;
let serving: KeyPair;
let caBundle: string;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const issue = (more: Partial<CertificateOptions>) =>
  issueCertificate(authority, { commonName: 'hook', usages: ['serverAuth'], ...more });

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'hooks' });
  serving = await issue({ ipAddresses: ['127.0.0.1'], dnsNames: ['hook.default.svc'] });
  caBundle = base64(authority.certificate);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly name: string | undefined;
  readonly servername: unknown;
}
type Reply = (review: { apiVersion: string; kind: string; request: { uid: string } }, outgoing: ServerResponse) => void;
const allow: Reply = ({ apiVersion, kind, request }, outgoing) =>
  void outgoing.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }));

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function webhook(reply: Reply = allow, pair = serving) {
  const seen: Seen[] = [];
  const tls = { key: pair.key, cert: pair.certificate, ca: authority.certificate };
  const server = createHttps({ ...tls, requestCert: true, rejectUnauthorized: false }, async (incoming, outgoing) => {
    const socket = incoming.socket as TLSSocket;
    const name = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
    seen.push({ url: incoming.url, headers: incoming.headers, name: name as string, servername: socket.servername });
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    reply(JSON.parse(text), outgoing);
  });
  return { seen, port: await listening(server as unknown as Server) };
}

async function front(clientConfig: object, more: object = {}, options: object = {}): Promise<ApiServer> {
  const server = await openServer({ dialect: 'k8s', ...options });
  ends.push(() => server.close());
  const hook = {
    name: 'a.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    ...more,
  };
  const { status } = await ask(server, {
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    body: { metadata: { name: 'w' }, webhooks: [hook] },
  });
  expect(status).toBe(201);
  return server;
}
let count = 0;
const create = (server: ApiServer, query = '') =>
  ask(server, {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    query,
    body: { metadata: { name: `c${++count}` } },
  });
const said = async (server: ApiServer, query = '') => {
  const { status, message } = await create(server, query);
  return [status, message];
};
const failed = (url: string, why: string) => [
  500,
  `Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "${url}": ${why}`,
];
const x509 = (why: string) => `tls: failed to verify certificate: x509: ${why}`;

const external = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'hook', namespace: 'default' },
  spec: { type: 'ExternalName', externalName: 'localhost' },
};

describe('a webhook behind HTTPS', () => {
  it('is called by its URL, with the CA of its configuration', async () => {
    const { seen, port } = await webhook();
    const server = await front({ url: `https://127.0.0.1:${port}/v`, caBundle }, { timeoutSeconds: 7 });
    expect((await create(server)).status).toBe(201);
    expect(seen).toMatchObject([{ url: '/v?timeout=7s', headers: { 'user-agent': 'kube-apiserver-admission' } }]);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  it('may have a URL with an uppercase scheme, which is written in lowercase', async () => {
    const { seen, port } = await webhook();
    const server = await front({ url: `HTTPS://127.0.0.1:${port}//v/`, caBundle });
    expect((await create(server)).status).toBe(201);
    expect(seen).toMatchObject([{ url: '/v?timeout=10s' }]);
    const away = await front({ url: 'HTTPS://127.0.0.1:1/v', caBundle });
    expect(await said(away)).toEqual(
      failed('https://127.0.0.1:1/v?timeout=10s', 'dial tcp 127.0.0.1:1: connect: connection refused'),
    );
  });

  it('is called by its Service if there is a network, with the name of the Service', async () => {
    const { seen, port } = await webhook();
    const service = { namespace: 'default', name: 'hook', path: '/v', port };
    const server = await front({ service, caBundle }, {}, { services: 'network' });
    const url = `https://hook.default.svc:${port}/v?timeout=10s`;
    expect(await said(server)).toEqual(failed(url, 'service "hook" not found'));
    await server.load([external]);
    expect((await create(server)).status).toBe(201);
    expect(seen).toMatchObject([{ url: '/v?timeout=10s', servername: 'hook.default.svc' }]);
  });

  it('is called at the target of its Service, with the name of the Service', async () => {
    const { seen, port } = await webhook();
    const service = { namespace: 'default', name: 'hook', path: '/v' };
    const server = await front({ service, caBundle });
    const url = 'https://hook.default.svc:443/v?timeout=10s';
    server.services.set('default/hook', `https://127.0.0.1:${port}`);
    expect((await create(server)).status).toBe(201);
    expect(seen).toMatchObject([
      { url: '/v?timeout=10s', servername: 'hook.default.svc', headers: { host: 'hook.default.svc:443' } },
    ]);
    const other = await webhook(allow, await issue({ dnsNames: ['other.default.svc'], ipAddresses: ['127.0.0.1'] }));
    server.services.set('default/hook', new URL(`https://127.0.0.1:${other.port}`));
    expect(await said(server)).toEqual(
      failed(url, x509('certificate is valid for other.default.svc, not hook.default.svc')),
    );
    const stranger = await front({ service });
    stranger.services.set('default/hook', `https://127.0.0.1:${port}`);
    expect(await said(stranger)).toEqual(failed(url, x509('certificate signed by unknown authority')));
    expect([seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it('is called over plain HTTP if the target is on this host', async () => {
    const seen: unknown[] = [];
    const plain = createHttp(async (incoming, outgoing) => {
      seen.push([incoming.url, incoming.headers.host]);
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      allow(JSON.parse(text), outgoing);
    });
    const port = await listening(plain as unknown as Server);
    const server = await front({ service: { namespace: 'default', name: 'hook', path: '/v', port: 8443 }, caBundle });
    server.services.set('default/hook:8443', `http://localhost:${port}`);
    expect((await create(server)).status).toBe(201);
    expect(seen).toEqual([['/v?timeout=10s', 'hook.default.svc:8443']]);
  });

  it('is not dialled from data of objects if there is no network', async () => {
    const { seen, port } = await webhook();
    const server = await front({ service: { namespace: 'default', name: 'hook', path: '/v', port }, caBundle });
    await server.load([external]);
    const begin = performance.now();
    const [status, message] = await said(server);
    expect([status, message]).toEqual([500, expect.stringContaining("server.services.set('default/hook', handler)")]);
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(seen).toEqual([]);
  });

  it('is not trusted with an unknown certificate', async () => {
    const { seen, port } = await webhook();
    const url = `https://127.0.0.1:${port}/v`;
    const other = await createCertificateAuthority({ commonName: 'others' });
    const unknown = failed(`${url}?timeout=10s`, x509('certificate signed by unknown authority'));
    expect(await said(await front({ url }))).toEqual(unknown);
    expect(await said(await front({ url, caBundle: base64(other.certificate) }))).toEqual(unknown);
    expect(seen).toEqual([]);
  });

  it.each<[string, Partial<CertificateOptions>, string]>([
    ['another address', { ipAddresses: ['127.0.0.2'] }, 'certificate is valid for 127.0.0.2, not 127.0.0.1'],
    [
      'a name only',
      { dnsNames: ['a.example.com'] },
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
  ])('is not trusted with a certificate for %s', async (_, names, why) => {
    const { port } = await webhook(allow, await issue(names));
    const url = `https://127.0.0.1:${port}/v`;
    expect(await said(await front({ url, caBundle }))).toEqual(failed(`${url}?timeout=10s`, x509(why)));
  });

  it('is not trusted with a certificate for another name', async () => {
    const { port } = await webhook(allow, await issue({ dnsNames: ['a.example.com', 'b.example.com'] }));
    const url = `https://localhost:${port}/v`;
    const why = 'certificate is valid for a.example.com, b.example.com, not localhost';
    expect(await said(await front({ url, caBundle }))).toEqual(failed(`${url}?timeout=10s`, x509(why)));
  });

  it('that cannot be reached, or does not speak TLS, has failed', async () => {
    const closed = createTcp();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    const url = `https://127.0.0.1:${port}/v`;
    expect(await said(await front({ url, caBundle }))).toEqual(
      failed(`${url}?timeout=10s`, `dial tcp 127.0.0.1:${port}: connect: connection refused`),
    );
    const plain = await listening(
      createTcp((socket) => {
        socket.on('error', () => undefined).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      }),
    );
    const plainUrl = `https://127.0.0.1:${plain}/v`;
    expect(await said(await front({ url: plainUrl, caBundle }))).toEqual(
      failed(`${plainUrl}?timeout=10s`, 'http: server gave HTTP response to HTTPS client'),
    );
  });

  it.each<[string, number]>([
    ['Fail', 500],
    ['Ignore', 201],
  ])(
    'that does not respond in time fails, and its failure policy decides about the request: %s',
    async (failurePolicy, status) => {
      const { port } = await webhook(() => undefined);
      const url = `https://127.0.0.1:${port}/v`;
      const server = await front({ url, caBundle }, { failurePolicy, timeoutSeconds: 1 });
      const begin = performance.now();
      const answered = await said(server);
      expect(performance.now() - begin).toBeLessThan(9_000);
      expect(answered).toEqual(
        status === 201 ? [201, undefined] : failed(`${url}?timeout=1s`, 'context deadline exceeded'),
      );
    },
  );

  it('that does not respond blocks a request no longer than the request may take', async () => {
    const { port } = await webhook(() => undefined);
    const server = await front({ url: `https://127.0.0.1:${port}/v`, caBundle }, { failurePolicy: 'Ignore' });
    const begin = performance.now();
    expect((await create(server, 'timeout=1s')).status).toBe(504);
    expect(performance.now() - begin).toBeLessThan(9_000);
  });

  it.each<[string, Reply, string]>([
    [
      '500',
      (_, out) => void out.writeHead(500, { 'content-type': 'application/json' }).end('no'),
      'an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      '500 and no content type',
      (_, out) => void out.writeHead(500).end('no'),
      'an error on the server ("no") has prevented the request from succeeding',
    ],
    ['404', (_, out) => void out.writeHead(404).end(), 'the server could not find the requested resource'],
    ['302', (_, out) => void out.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(), ''],
  ])('that responds with %s has failed', async (_, reply, why) => {
    const { port } = await webhook(reply);
    const [status, message] = await said(await front({ url: `https://127.0.0.1:${port}/v`, caBundle }));
    expect([status, message]).toEqual([
      500,
      expect.stringContaining(`failed calling webhook "a.example.com": failed to call webhook: ${why}`),
    ]);
  });
});

describe('the credentials for a webhook in the kubeconfig of the plug-in', () => {
  async function withUsers(users: readonly object[], more: object = {}) {
    const kubeconfig = join(folder, `users-${++count}.json`);
    writeFileSync(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users, ...more }));
    const file = join(folder, `admission-${count}.json`);
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile: kubeconfig,
    };
    const plugins = [{ name: 'ValidatingAdmissionWebhook', configuration }];
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' };
    writeFileSync(file, JSON.stringify({ ...kind, plugins }));
    const admission = await admissionOptions(parseFlags(['--dialect=k8s', `--admission-control-config-file=${file}`]));
    const hook = await webhook();
    const server = await front({ url: `https://127.0.0.1:${hook.port}/v`, caBundle }, {}, { admission });
    expect((await create(server)).status).toBe(201);
    return { ...hook, server };
  }

  it('can be a client certificate', async () => {
    const pair = await issueCertificate(authority, { commonName: 'api-server', usages: ['clientAuth'] });
    const user = { 'client-certificate-data': base64(pair.certificate), 'client-key-data': base64(pair.key) };
    expect((await withUsers([{ name: '127.0.0.1:*', user }])).seen[0]?.name).toBeUndefined();
    expect((await withUsers([{ name: '*.0.0.1', user }])).seen[0]?.name).toBeUndefined(); // the port is part of it
    expect((await withUsers([{ name: '*', user }])).seen[0]?.name).toBe('api-server');
  });

  it('can be files with a certificate and a key next to it', async () => {
    const pair = await issueCertificate(authority, { commonName: 'by-file', usages: ['clientAuth'] });
    writeFileSync(join(folder, 'own.crt'), pair.certificate);
    writeFileSync(join(folder, 'own.key'), pair.key);
    const user = { 'client-certificate': 'own.crt', 'client-key': 'own.key' };
    expect((await withUsers([{ name: '*', user }])).seen[0]?.name).toBe('by-file');
  });

  it('are those of the current context if no name matches', async () => {
    const contexts = { 'current-context': 'c', contexts: [{ name: 'c', context: { user: 'me' } }] };
    const { seen } = await withUsers([{ name: 'me', user: { token: 't' } }], contexts);
    expect(seen[0]?.headers.authorization).toBe('Bearer t');
  });

  it('can be a token in a file, and an impersonated user', async () => {
    writeFileSync(join(folder, 'token'), 'of-a-file\n');
    const acting = { as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x.io/k': ['1'] } };
    const { seen } = await withUsers([{ name: '*', user: { tokenFile: 'token', ...acting } }]);
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer of-a-file',
      'impersonate-user': 'jane',
      'impersonate-group': 'a, b',
      'impersonate-extra-x.io%2fk': '1',
    });
  });
});

describe('a conversion webhook behind HTTPS', () => {
  it.each<[string, (url: string) => object, (url: string) => string]>([
    [
      'by the system’s authorities without a caBundle',
      (url) => ({ url }),
      (url) => `Post "${url}?timeout=30s": ${x509('certificate signed by unknown authority')}`,
    ],
    ['by its caBundle', (url) => ({ url, caBundle }), () => 'no response provided'],
  ])('is verified %s', async (_, clientConfig, why) => {
    const { port } = await webhook(
      ({ apiVersion, kind }, outgoing) => void outgoing.end(JSON.stringify({ apiVersion, kind })),
    );
    const url = `https://127.0.0.1:${port}/c`;
    const server = new ApiServer({ dialect: 'k8s', authentication: [everybody] });
    ends.push(() => server.close());
    await server.start();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    const crd = manifest({ versions });
    const webhookConversion = { clientConfig: clientConfig(url), conversionReviewVersions: ['v1'] };
    await server.install({
      ...crd,
      spec: { ...crd.spec, conversion: { strategy: 'Webhook', webhook: webhookConversion } },
    });
    const path = (version: string, rest = '') => `/apis/example.com/${version}/namespaces/default/things${rest}`;
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
    expect((await ask(server, { method: 'POST', path: path('v1'), body })).status).toBe(201);
    const read = await ask(server, { path: path('v2', '/a') });
    expect([read.status, read.message]).toEqual([
      500,
      `conversion webhook for example.com/v1, Kind=Thing failed: ${why(url)}`,
    ]);
  });
});

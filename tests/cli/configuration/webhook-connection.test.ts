import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWebhookConnection } from '../../../src/cli/configuration/webhook-connection.js';
import { systemClock } from '../../../src/meta/clock.js';
import { systemRandom } from '../../../src/meta/random.js';
import { postToWebhook } from '../../../src/outbound/review-webhook.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../../src/pki/certificate-authority.js';

const folder = mkdtempSync(join(tmpdir(), 'webhook-connection-'));
const servers: Server[] = [];
const seen: IncomingHttpHeaders[] = [];
/** The statuses of the next responses. Default: 200. */
const statuses: number[] = [];
let authority: KeyPair;
let client: KeyPair;
let secure: string;
let plain: string;

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'hooks' });
  const { certificate: cert, key } = await issueCertificate(authority, {
    commonName: 'hook',
    usages: ['serverAuth'],
    ipAddresses: ['127.0.0.1'],
  });
  client = await issueCertificate(authority, { commonName: 'server', usages: ['clientAuth'] });
  const take: RequestListener = ({ headers }, response) => {
    seen.push(headers);
    response.writeHead(statuses.shift() ?? 200).end('{}');
  };
  const listen = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  secure = await listen(createHttps({ cert, key }, take));
  plain = await listen(createHttp(take));
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Reads a kubeconfig whose user has these members. */
async function connect(user: object, server = `https://${secure}`) {
  const cluster = server.startsWith('http:') ? {} : { 'certificate-authority-data': base64(authority.certificate) };
  const file = join(folder, 'config');
  const kubeconfig = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(file, JSON.stringify(kubeconfig));
  const connection = await readWebhookConnection(file, { dialect: 'k8s' });
  const host = { fetch: () => Promise.reject(new Error('not this one')), clock: systemClock, random: systemRandom };
  const post = postToWebhook(connection, 5_000, host, { firstWait: 1 });
  return async () => {
    const { status } = await post('{}');
    return { status, headers: seen.at(-1) ?? {} };
  };
}

it('reads the token again that a file beside the kubeconfig contains, once it is refused', async () => {
  writeFileSync(join(folder, 'token'), 'old\n');
  const post = await connect({ tokenFile: 'token' });
  expect((await post()).headers['authorization']).toBe('Bearer old');
  writeFileSync(join(folder, 'token'), 'new\n');
  statuses.push(401);
  expect(await post()).toMatchObject({ status: 401, headers: { authorization: 'Bearer old' } });
  expect((await post()).headers['authorization']).toBe('Bearer new');
});

it('sends the user that the kubeconfig impersonates', async () => {
  const post = await connect({ token: 't', as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { why: ['x'] } });
  expect((await post()).headers).toMatchObject({
    authorization: 'Bearer t',
    'impersonate-user': 'jane',
    'impersonate-group': 'a, b',
    'impersonate-extra-why': 'x',
  });
});

it('runs the credential command of the user', async () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const credential = { apiVersion, kind: 'ExecCredential', status: { token: 'printed' } };
  const exec = { apiVersion, command: 'echo', args: [JSON.stringify(credential)], interactiveMode: 'Never' };
  const post = await connect({ exec });
  expect((await post()).headers['authorization']).toBe('Bearer printed');
});

it('sends no credentials over plain HTTP, which is the protocol of a server without scheme and certificates', async () => {
  const post = await connect({ token: 't' }, `http://${plain}`);
  expect((await post()).headers['authorization']).toBeUndefined();
  writeFileSync(
    join(folder, 'bare'),
    `{current-context: c, contexts: [{name: c, context: {cluster: c}}], clusters: [{name: c, cluster: {server: '${plain}'}}]}`,
  );
  expect((await readWebhookConnection(join(folder, 'bare'), { dialect: 'k8s' })).server).toBe(`http://${plain}`);
});

it.each([
  [
    'a key instead of the certificate',
    (pair: KeyPair) => [pair.key, pair.key],
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    'a certificate instead of the key',
    (pair: KeyPair) => [pair.certificate, pair.certificate],
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    'the key of another certificate',
    (pair: KeyPair) => [pair.certificate, authority.key],
    'tls: private key does not match public key',
  ],
])('refuses a user with %s', async (_, choose, message) => {
  const [certificate = '', key = ''] = choose(client);
  const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  await expect(connect(user)).rejects.toThrow(message);
});

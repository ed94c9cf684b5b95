import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { listenOverHttp } from '../../src/cli/server-options.js';
import {
  issueClientCertificate,
  issueServingCertificate,
  loadCertificateMaker,
} from '../../src/http/serving-certificates.js';

// Certificate files are replaced while the program runs, and the next connection uses the new ones.
const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
const file = (name: string) => join(folder, name);
const maker = await loadCertificateMaker();
const [first, second] = await Promise.all(
  ['first', 'second'].map((commonName) => maker.createCertificateAuthority({ commonName })),
);
const stopping = new AbortController();
const said: string[] = [];
let ended: Promise<number>;
let port = 0;

type Pair = { readonly certificate: string; readonly key: string };
const write = (name: string, { certificate, key }: Pair) => {
  writeFileSync(file(`${name}.crt`), certificate);
  writeFileSync(file(`${name}.key`), key);
};
const serving = (by: Pair | undefined, host: string) => issueServingCertificate(maker, by as Pair, host, []);

beforeAll(async () => {
  write('own', await serving(first, '127.0.0.1'));
  write('named', await serving(first, 'named.example.com'));
  write('early', await serving(first, 'early.example.com'));
  const replaced = await serving(second, 'early.example.com');
  for (const name of ['client', 'proxy']) writeFileSync(file(`${name}.ca`), first?.certificate ?? '');
  let listening = (_url: string) => {};
  const url = new Promise<string>((resolve) => (listening = resolve));
  const hear = (text: string) => {
    said.push(text.replaceAll(folder, ''));
    const [, found] = /Listening on (\S+)/.exec(text) ?? [];
    if (found) listening(found);
  };
  ended = run(
    [
      '--secure-port=0',
      `--tls-cert-file=${file('own.crt')}`,
      `--tls-private-key-file=${file('own.key')}`,
      `--tls-sni-cert-key=${file('named.crt')},${file('named.key')}:named.example.com`,
      `--tls-sni-cert-key=${file('early.crt')},${file('early.key')}:early.example.com`,
      `--client-ca-file=${file('client.ca')}`,
      `--requestheader-client-ca-file=${file('proxy.ca')}`,
      '--requestheader-username-headers=X-Remote-User',
    ],
    {
      stdout: { write: hear },
      stderr: { write: hear },
      signal: stopping.signal,
      // The files have been read at this point.
      listen: async (server, options) => {
        write('early', replaced);
        return await listenOverHttp(server, options);
      },
    },
  );
  port = Number(new URL(await Promise.race([url, ended.then(() => said.join(''))])).port);
});
afterAll(async () => {
  stopping.abort();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the issuer of the certificate that a client receives for a server name. */
const shown = (servername?: string) =>
  new Promise<string>((resolve, reject) => {
    const name = servername === undefined ? {} : { servername };
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...name }, () => {
      resolve(socket.getPeerX509Certificate()?.issuer ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
/** Returns the user of a certificate, over a new connection. */
const known = ({ certificate: cert, key }: Pair, headers = {}) =>
  new Promise<unknown>((resolve, reject) => {
    const options = { method: 'POST', agent: false as const, rejectUnauthorized: false, cert, key };
    const path = '/apis/authentication.orch.io/v1/selfsubjectreviews';
    const asking = request(
      `https://127.0.0.1:${port}${path}`,
      { ...options, headers: { 'content-type': 'application/json', ...headers } },
      async (answer) => {
        const text = (await answer.setEncoding('utf8').toArray()).join('');
        resolve(JSON.parse(text).status?.userInfo?.username ?? answer.statusCode);
      },
    );
    asking.once('error', reject).end('{}');
  });

it('serves a certificate that was replaced during the start', async () => {
  await expect.poll(() => shown('early.example.com')).toBe('CN=second');
});

it('serves another certificate, by name or without, once it matches its key', async () => {
  expect([await shown(), await shown('named.example.com')]).toEqual(['CN=first', 'CN=first']);
  const { certificate, key } = await serving(second, '127.0.0.1');
  writeFileSync(file('own.crt'), certificate);
  await expect
    .poll(() => said.join(''))
    .toContain('own.crt: the changed file is invalid, and the previous configuration stays in force');
  expect(await shown()).toBe('CN=first');
  writeFileSync(file('own.key'), key);
  await expect.poll(shown).toBe('CN=second');
  expect(await shown('named.example.com')).toBe('CN=first');
  write('named', await serving(second, 'named.example.com'));
  await expect.poll(() => shown('named.example.com')).toBe('CN=second');
});

it.each(['own.crt', 'own.key'])('serves the last valid certificate while %s is empty', async (name) => {
  const before = readFileSync(file(name), 'utf8');
  const [serving] = [await shown()];
  writeFileSync(file(name), '');
  await expect
    .poll(() => said.join(''))
    .toMatch(new RegExp(`${name}: the changed file is invalid.*missing content for serving cert "serving-cert::`));
  expect(await shown()).toBe(serving);
  writeFileSync(file(name), before);
  await expect.poll(() => said.at(-1)).toContain(`${name}: the changed file is in force`);
});

it.each([
  ['proxy', { 'x-remote-user': 'bea' }, 'bea'],
  ['client', {}, 'ann'],
])('authenticates clients by other CAs: %s', async (name, headers, username) => {
  const [old, next] = await Promise.all(
    [first, second].map((by) =>
      issueClientCertificate(maker, by as Pair, { username: 'ann', groups: ['system:masters'] }),
    ),
  );
  expect(await known(old as Pair, headers)).toBe(username);
  expect(await known(next as Pair, headers)).toBe(401);
  writeFileSync(file(`${name}.ca`), 'nothing');
  await expect
    .poll(() => said.join(''))
    .toContain(`${name}.ca: the changed file is invalid, and the previous configuration stays in force`);
  expect(said.join('')).not.toContain(`${name}.ca: the changed file is in force`);
  writeFileSync(file(`${name}.ca`), second?.certificate ?? '');
  await expect.poll(() => known(next as Pair, headers)).toBe(username);
  if (name === 'client') expect(await known(old as Pair, headers)).toBe(401);
});

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { accountTokenOptions, makeServer, runtimeConfigOf } from '../../src/cli/server-options.js';
import { runToEnd } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'account-tokens-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ['tls', 'sign', 'verify']) writeFileSync(join(folder, name), name);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
writeFileSync(join(folder, 'key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
const tls = `--tls-private-key-file=${folder}/tls`;
const sign = `--service-account-signing-key-file=${folder}/sign`;
const verify = `--service-account-key-file=${folder}/verify`;

it.each([
  ['orch', [tls], { signingKey: 'tls', keys: [] }],
  ['orch', [tls, sign], { signingKey: 'sign', keys: ['tls'] }],
  ['orch', [tls, verify], { keys: ['verify'] }],
  ['orch', [tls, sign, verify], { signingKey: 'sign', keys: ['verify'] }],
  ['k8s', [tls], { keys: [] }],
  ['k8s', [tls, sign], { signingKey: 'sign', keys: [] }],
])('the key that signs tokens, with %s and %j', async (dialect, flags, keys) => {
  const options = await accountTokenOptions(parseFlags([`--dialect=${dialect}`, ...flags]).values);
  expect({ signingKey: options.signingKey, keys: options.keys }).toEqual({ signingKey: undefined, ...keys });
});

it.skipIf(process.platform === 'win32')('a key file is read once, so it may be a pipe', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const written = writeFile(pipe, readFileSync(join(folder, 'key')));
  const files = ['signing-key', 'key'].map((name) => `--service-account-${name}-file=${pipe}`);
  const flags = parseFlags([...files, '--service-account-issuer=https://issuer']);
  await expect(makeServer(flags, { log: () => undefined } as never)).resolves.toBeDefined();
  await written;
});

it.each([
  ['v1', { '/v1': '' }],
  ['api/v1', { '/v1': '' }],
  ['v1=false', { '/v1': 'false' }],
  ['api/v1/pods=false', { '/v1': 'false' }],
  ['api/legacy=true,api/beta=true,v1/pods=true', { 'api/beta': 'true', '/v1': 'true' }],
  ['v1beta1=true,apps/v1=false', { v1beta1: 'true', 'apps/v1': 'false' }],
])('--runtime-config=%s switches the core group by any of its names', (text, config) => {
  const switches = parseFlags([`--runtime-config=${text}`]).values['runtime-config'] ?? new Map();
  expect(runtimeConfigOf(switches)).toEqual(config);
});

it.each([
  [
    [sign, verify, '--service-account-issuer=https://issuer'],
    `failed to parse service-account-issuer-key-file: error reading private key file ${folder}/sign: data does not contain a valid RSA or ECDSA private key`,
  ],
  [
    [`--service-account-signing-key-file=${folder}/key`, verify, '--service-account-issuer=https://issuer'],
    `invalid authentication config: error reading public key file ${folder}/verify: data does not contain any valid RSA or ECDSA public keys`,
  ],
  [
    [`--service-account-private-key-file=${folder}/sign`],
    `error reading key for service account token controller: error reading private key file ${folder}/sign: data does not contain a valid RSA or ECDSA private key`,
  ],
])('does not start with files that contain no key: %j', async (flags, message) => {
  const { code, errors } = await runToEnd('--dialect=k8s', '--secure-port=0', ...flags);
  expect([code, errors]).toEqual([1, `Error: ${message}\n`]);
});

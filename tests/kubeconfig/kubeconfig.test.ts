import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createKubeconfig, formatKubeconfig, KubeconfigError, readKubeconfig } from '../../src/kubeconfig/index.js';
import { runPrograms, succeeds } from '../support/run-program.js';

const CA = '-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nw6Q=\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nS0VZ\n-----END PRIVATE KEY-----\n';

const withToken = createKubeconfig({
  server: 'https://127.0.0.1:6443',
  certificateAuthority: CA,
  token: 'abc.def',
  name: 'test "1": #ü',
  namespace: 'team',
});
const withCertificate = createKubeconfig({
  server: 'https://[::1]:6443',
  clientCertificate: CERTIFICATE,
  clientKey: KEY,
});

describe('kubeconfig', () => {
  it.each([
    ['token', withToken],
    ['certificate', withCertificate],
    ['nobody', createKubeconfig({ server: 'http://localhost' })],
    ['odd characters', createKubeconfig({ server: 'http://x', token: 'a\u2028\u0085\u007f\ufeff\n"\\' })],
  ])('writes YAML that parses to the same value: %s', (_, kubeconfig) => {
    expect(parse(formatKubeconfig(kubeconfig))).toEqual(kubeconfig);
  });
  it('writes readable YAML', () => {
    expect(formatKubeconfig(createKubeconfig({ server: 'https://x', token: 't', namespace: 'n' }))).toBe(
      [
        'apiVersion: "v1"',
        'kind: "Config"',
        'clusters:',
        '- name: "orch"',
        '  cluster:',
        '    server: "https://x"',
        'users:',
        '- name: "orch"',
        '  user:',
        '    token: "t"',
        'contexts:',
        '- name: "orch"',
        '  context:',
        '    cluster: "orch"',
        '    user: "orch"',
        '    namespace: "n"',
        'current-context: "orch"',
        '',
      ].join('\n'),
    );
  });
  it('reads what it wrote', async () => {
    const name = 'test "1": #ü';
    expect(await readKubeconfig(formatKubeconfig(withToken))).toEqual({
      context: name,
      cluster: name,
      user: name,
      namespace: 'team',
      server: 'https://127.0.0.1:6443',
      certificateAuthority: CA,
      insecureSkipTlsVerify: false,
      credentials: { token: 'abc.def' },
    });
    expect(await readKubeconfig(JSON.stringify(withCertificate))).toMatchObject({
      namespace: 'default',
      credentials: { clientCertificate: CERTIFICATE, clientKey: KEY },
    });
  });
  it('reads files and other contexts if given options', async () => {
    const text = `
clusters: [{name: c, cluster: {server: 'https://x', certificate-authority: /ca, tls-server-name: y, insecure-skip-tls-verify: true}}]
users: [{name: u, user: {tokenFile: /token, client-certificate: /crt, client-key: /key}}, {name: e, user: {exec: {command: x}}}]
contexts: [{name: one, context: {cluster: c, user: u}}, {name: two, context: {cluster: c}}, {name: three, context: {cluster: c, user: e}}]
current-context: two
`;
    const readFile = (path: string) => `content of ${path}\n`;
    expect(await readKubeconfig(text, { context: 'one', readFile })).toMatchObject({
      certificateAuthority: 'content of /ca\n',
      tlsServerName: 'y',
      insecureSkipTlsVerify: true,
      credentials: {
        token: 'content of /token',
        clientCertificate: 'content of /crt\n',
        clientKey: 'content of /key\n',
      },
    });
    expect(await readKubeconfig(text, { readFile })).toMatchObject({ context: 'two', user: '', credentials: {} });
    await expect(readKubeconfig(text)).rejects.toThrow('cluster "c" names the file /ca as certificate-authority');
    await expect(readKubeconfig(text, { context: 'three', readFile })).rejects.toThrow(
      'apiVersion must be specified for e to use exec authentication plugin',
    );
    const failing = () => Promise.reject(new Error('gone'));
    await expect(readKubeconfig(text, { readFile: failing })).rejects.toThrow('/ca cannot be read');
  });
  it.each([
    ['a: [', 'the kubeconfig is not valid YAML'],
    ['[]', 'the kubeconfig is not an object'],
    ['{}', 'the kubeconfig has no current context: set current-context, or give the option context'],
    ['current-context: [x]', 'the kubeconfig: current-context must be a string'],
    ['current-context: x', 'the kubeconfig has no context "x"'],
    ['current-context: constructor\ncontexts: {}', 'the kubeconfig has no context "constructor"'],
    ['current-context: x\ncontexts: [{name: x}]', 'context "x" is empty'],
    ['current-context: x\ncontexts: [{name: x, context: {}}]', 'context "x" has no cluster'],
    ['current-context: x\ncontexts: [{name: x, context: {cluster: c}}]', 'the kubeconfig has no cluster "c"'],
    [
      'current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: s, certificate-authority-data: "%"}}]',
      'cluster "c": certificate-authority-data is not base64 of a text',
    ],
    [
      'current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: s}}]\nusers: [{name: u, user: {client-key-data: YQ==}}]',
      'user "u" has a client certificate without its key',
    ],
  ])('reports what is wrong: %j', async (text, message) => {
    const reading = readKubeconfig(text);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toBeInstanceOf(KubeconfigError);
  });
  it('refuses a certificate without its key, and the reverse', () => {
    expect(() => createKubeconfig({ server: 's', clientKey: KEY })).toThrow(TypeError);
  });
});

describe.skipIf(!succeeds('kubectl', 'version', '--client'))('kubectl (skipped where it is not on the PATH)', () => {
  it.each([
    ['token', withToken],
    ['certificate', withCertificate],
  ])('reads our kubeconfig: %s', (_, kubeconfig) => {
    const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
    try {
      const file = join(folder, 'config');
      writeFileSync(file, formatKubeconfig(kubeconfig));
      const args = ['config', 'view', '--raw', '--output', 'json', '--kubeconfig', file];
      const seen: unknown = JSON.parse(runPrograms(['kubectl', ...args]));
      expect(seen).toMatchObject(kubeconfig);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

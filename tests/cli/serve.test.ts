import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { readKubeconfig } from '../../src/kubeconfig/index.js';
import { startProgram } from './program.js';

/** The program, with a complete server. */
describe('orch-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  const stops: (() => Promise<unknown>)[] = [];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function start(...flags: string[]): Promise<{ stop(): Promise<number>; text(): string }> {
    const program = await startProgram(`--write-kubeconfig=${folder}/config`, ...flags);
    stops.push(program.stop);
    return program;
  }

  /** Sends a request with the credentials of a kubeconfig, to another address if given. */
  async function get(
    path: string,
    { config = readFileSync(`${folder}/config`, 'utf8'), url }: { config?: string; url?: string } = {},
  ): Promise<{ status: number; json: { items?: { metadata: { name: string } }[]; metadata: { uid?: string } } }> {
    const { server, certificateAuthority, clientCertificate, clientKey } = flat(await readKubeconfig(config));
    return new Promise((resolve, reject) => {
      https
        .get(
          `${url ?? server}${path}`,
          { ca: certificateAuthority, cert: clientCertificate, key: clientKey, agent: false },
          (response) => {
            let text = '';
            response.on('data', (part) => (text += String(part)));
            response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
          },
        )
        .on('error', reject);
    });
  }
  const flat = (context: object) => {
    const all: Record<string, string> = {};
    for (const [name, value] of Object.entries(context))
      Object.assign(all, typeof value === 'object' && value !== null ? value : { [name]: value });
    return all as { server: string; certificateAuthority: string; clientCertificate: string; clientKey: string };
  };

  it('has the same objects, and accepts the same credentials, after a restart', async () => {
    const flags = [`--load=${folder}/state.yaml`, `--save=${folder}/state.yaml`, `--cert-dir=${folder}/certs`];
    writeFileSync(
      `${folder}/manifest.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: default}\ndata: {a: "1"}\n',
    );
    const first = await start(...flags, `--load=${folder}/manifest.yaml`);
    const config = readFileSync(`${folder}/config`, 'utf8');
    const before = await get('/api/v1/namespaces/default/configmaps/kept');
    expect(await first.stop()).toBe(0);
    expect(first.text()).toContain('Saved all objects');

    const second = await start(...flags);
    const url = /Listening on (\S+)/.exec(second.text())?.[1] ?? '';
    const after = await get('/api/v1/namespaces/default/configmaps/kept', { config, url });
    expect(after).toEqual(before);
    expect(statSync(`${folder}/certs/ca.key`).mode & 0o777).toBe(0o600);
    expect(await second.stop()).toBe(0);
  });

  it('does not start with an incomplete CA', async () => {
    const certs = join(folder, 'half');
    mkdirSync(certs);
    writeFileSync(join(certs, 'ca.crt'), 'x');
    const { text, stop } = await start(`--cert-dir=${certs}`);
    expect(await stop()).toBe(1);
    expect(text()).toMatch(/Error: .*ca\.crt and .*ca\.key must both exist or both be absent/);
  });

  it('saves all objects at shutdown and loads them at the next start', async () => {
    const manifest = join(folder, 'manifest.yaml');
    writeFileSync(
      manifest,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: team}\ndata: {a: "1"}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n',
    );
    const first = await start('--dialect=k8s', `--load=${manifest}`, `--save=${folder}/all.yaml`);
    expect(first.text()).toContain('Loaded 2 objects');
    expect((await get('/api/v1/namespaces/team/configmaps/one')).status).toBe(200);
    expect(await first.stop()).toBe(0);
    expect(readFileSync(`${folder}/all.yaml`, 'utf8')).toContain('"name": "one"');
    const second = await start('--dialect=k8s', `--load=${folder}/all.yaml`);
    expect((await get('/api/v1/namespaces/team/configmaps/one')).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('loads a folder and a glob, namespaces first, and names the file of a refused object', async () => {
    const objects = join(folder, 'objects');
    mkdirSync(join(objects, 'deep'), { recursive: true });
    const map = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: team}\ndata: {a: "1"}\n`;
    writeFileSync(join(objects, 'a.yaml'), map('in-folder'));
    writeFileSync(join(objects, 'z.json'), '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"team"}}');
    writeFileSync(join(objects, 'deep/b.yml'), map('in-deep'));
    const { text, stop } = await start('--dialect=k8s', `--load=${objects}`, `--load=${objects}/*/*.yml`);
    expect(text()).toContain(`Loaded 2 objects from ${objects}\nLoaded 1 object from ${objects}/*/*.yml\n`);
    for (const name of ['in-folder', 'in-deep'])
      expect((await get(`/api/v1/namespaces/team/configmaps/${name}`)).status).toBe(200);
    expect(await stop()).toBe(0);

    writeFileSync(join(objects, 'deep/b.yml'), 'apiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n');
    const refused = await start('--dialect=k8s', `--load=${objects}/**`);
    expect(await refused.stop()).toBe(1);
    expect(refused.text()).toContain(`${objects}/deep/b.yml: no kind Nothing in v1 is served`);
    expect(refused.text()).not.toContain('Listening on');
  });

  it('starts with the flags of upstream test environments, and reports the version that a flag names', async () => {
    const { stop } = await start(
      '--dialect=k8s',
      '--authorization-mode=RBAC,AlwaysAllow',
      '--feature-gates=',
      '--enable-admission-plugins=LimitRanger,ResourceQuota',
      '--disable-admission-plugins=ServiceAccount,DefaultStorageClass,MutatingAdmissionWebhook',
      '--runtime-config=api/v1',
      '--service-account-lookup=true',
      '--storage-media-type=',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--version=v1.31.0-custom',
    );
    expect((await get('/version')).json).toMatchObject({ gitVersion: 'v1.31.0-custom' });
    expect((await get('/api/v1/namespaces/default')).status).toBe(200);
    expect(await stop()).toBe(0);
  });

  it('signs no certificates, not even with its own authority, if a flag names only half of the signing authority', async () => {
    writeFileSync(join(folder, 'signing.crt'), 'not read, because the key is absent');
    const { text, stop } = await start('--dialect=k8s', `--cluster-signing-cert-file=${folder}/signing.crt`);
    expect(text()).toContain('skipping CSR signer controller because no csr cert/key was specified');
    expect(await stop()).toBe(0);
  });

  it('switches versions and features, and refuses unknown ones', async () => {
    const said: string[] = [];
    const fails = async (...flags: string[]) => {
      const out = { write: (part: string) => void said.push(part) };
      expect(
        await run(['--secure-port=0', ...flags], { stdout: out, stderr: out, signal: new AbortController().signal }),
      ).toBe(1);
    };
    await fails('--feature-gates=Nonsense=true');
    await fails('--feature-gates=__proto__=true');
    await fails('--runtime-config=nope.example.com/v1=true');
    await fails('--no-such-flag');
    expect(said.join('')).toMatch(
      /unrecognized feature gate: Nonsense[\s\S]*unrecognized feature gate: __proto__[\s\S]*unknown api groups nope\.example\.com[\s\S]*unknown flag: --no-such-flag/,
    );
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { readKubeconfig } from '../../src/kubeconfig/index.js';

/** The program with the real server behind it. */
describe('orch-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function start(...flags: string[]): Promise<{ stop(): Promise<number>; text(): string }> {
    const controller = new AbortController();
    let text = '';
    const out = { write: (part: string) => (text += part) };
    const ended = run(['--secure-port=0', `--write-kubeconfig=${folder}/config`, ...flags], {
      stdout: out,
      stderr: out,
      signal: controller.signal,
    });
    let over = false;
    void ended.then(() => (over = true));
    await expect.poll(() => over || text.includes('kubectl --kubeconfig'), { timeout: 10_000 }).toBe(true);
    const stop = () => {
      controller.abort();
      return ended;
    };
    stops.push(stop);
    return { stop, text: () => text };
  }

  async function get(path: string): Promise<{ status: number; json: { items?: { metadata: { name: string } }[] } }> {
    const { server, certificateAuthority, clientCertificate, clientKey } = flat(
      await readKubeconfig(readFileSync(`${folder}/config`, 'utf8')),
    );
    return new Promise((resolve, reject) => {
      https
        .get(
          `${server}${path}`,
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
    rmSync(folder, { recursive: true, force: true });
  });

  it('switches versions and features, and refuses what it does not know', async () => {
    const said: string[] = [];
    const fails = async (...flags: string[]) => {
      const out = { write: (part: string) => void said.push(part) };
      expect(
        await run(['--secure-port=0', ...flags], { stdout: out, stderr: out, signal: new AbortController().signal }),
      ).toBe(1);
    };
    await fails('--feature-gates=Nonsense=true');
    await fails('--runtime-config=nope.example.com/v1=true');
    await fails('--no-such-flag');
    expect(said.join('')).toMatch(
      /unrecognized feature gate: Nonsense[\s\S]*unknown api groups nope\.example\.com[\s\S]*unknown flag: --no-such-flag/,
    );
  });
});

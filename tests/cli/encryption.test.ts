import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askWith, runToEnd, startServing } from './program.js';

let folder: string;
let data: string;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encryption-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const HIDDEN = 'not-to-be-seen-anywhere';
const MANIFEST = `apiVersion: v1\nkind: Secret\nmetadata: {name: hidden, namespace: default}\nstringData: {a: ${HIDDEN}}\n`;
const keyOf = (letter: string) => `{name: ${letter}, secret: ${Buffer.from(letter.repeat(32)).toString('base64')}}`;
const configuration = (keys: string, more = '', group = 'k8s.io') => `apiVersion: apiserver.config.${group}/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [${keys}]}
${more}`;

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function start(...flags: string[]) {
  const started = await startServing(`--data-dir=${data}`, ...flags);
  stops.push(started.stop);
  const kubeconfig = () => readFileSync(join(data, 'admin.kubeconfig'), 'utf8');
  return { ...started, get: (path: string) => askWith(kubeconfig(), started.url, path) };
}

/** Returns whether a text occurs in the files of the database. */
const isOnDisk = (text: string) =>
  readdirSync(join(data, 'db')).some((file) => readFileSync(join(data, 'db', file)).includes(text));

describe('--encryption-provider-config', () => {
  it.each([
    [
      ['--encryption-provider-config-automatic-reload'],
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    ],
    [
      ['--encryption-provider-config=/none'],
      '--encryption-provider-config is about what --data-dir or --etcd-servers keep: give one of them',
    ],
    [
      ['--data-dir=DATA', '--encryption-provider-config=/none'],
      'error while parsing file: error while loading file: error reading encryption provider configuration file "/none": open /none: no such file or directory',
    ],
  ])('is refused for %j', async (flags, message) => {
    const { code, errors } = await runToEnd('--secure-port=0', ...flags.map((flag) => flag.replace('DATA', data)));
    expect([code, errors.split('\n').at(-2)]).toEqual([1, `Error: ${message}`]);
  });

  it.each([
    ['', 'error while loading file: encryption provider configuration file "FILE" is empty'],
    [': [', 'error decoding encryption provider configuration file "FILE": '],
    [
      configuration('{name: a, secret: c2hvcnQ=}'),
      'secret is not of the expected length, got 5, expected one of [16 24 32]',
    ],
    [
      configuration(keyOf('a'), '  - kms: {apiVersion: v2, name: a, endpoint: "unix:///a"}'),
      'kms: Forbidden: there are no KMS providers',
    ],
    [
      `${configuration(keyOf('a'))}kind: EncryptionConfiguration\n`,
      'error decoding encryption provider configuration file "FILE": strict decoding error: yaml: unmarshal errors:',
    ],
    [configuration(keyOf('a'), '', 'orch.dev'), 'no kind "EncryptionConfiguration" is registered for version'],
  ])('refuses the file %j', async (text, message) => {
    const file = write('a.yaml', text);
    const { code, errors } = await runToEnd(
      '--dialect=k8s',
      '--secure-port=0',
      `--data-dir=${data}`,
      `--encryption-provider-config=${file}`,
    );
    expect(code).toBe(1);
    expect(errors).toContain('Error: error while parsing file: ');
    expect(errors).toContain(message.replace('FILE', file));
  });

  it('encrypts a data folder, which export and import also read only with the key', async () => {
    const flag = `--encryption-provider-config=${write('a.yaml', configuration(keyOf('a')))}`;
    const first = await start(flag, `--load=${write('objects.yaml', MANIFEST)}`, '--data-durability=process');
    expect((await first.get('/api/v1/namespaces/default/secrets/hidden')).status).toBe(200);
    expect(await first.stop()).toBe(0);
    const encoded = Buffer.from(HIDDEN).toString('base64').slice(0, 20);
    expect([HIDDEN, encoded, 'k8s:enc:aesgcm:v1:a:'].map(isOnDisk)).toEqual([false, false, true]);

    expect((await runToEnd('storage', 'check', data)).text).toContain(' is undamaged: ');
    expect((await runToEnd('storage', 'compact', data)).text).toContain(' is compacted: ');
    const refused = await runToEnd('storage', 'export', data);
    expect(refused).toMatchObject({ code: 1, text: '' });
    expect(refused.errors).toContain(
      '/registry/secrets/default/hidden cannot be read: identity transformer tried to read encrypted data: give --encryption-provider-config',
    );
    const other = write('b.yaml', configuration(keyOf('b')));
    expect(
      (await runToEnd('storage', 'export', data, `--encryption-provider-config=${other}`, '--dialect=k8s')).errors,
    ).toContain('hidden cannot be read: no matching key was found for the provided AES transformer');
    const exported = await runToEnd('storage', 'export', data, flag, '--dialect=k8s');
    expect(exported.code).toBe(0);
    expect(exported.text).toContain(encoded);

    // Imported data is encrypted with the key of the other server.
    const backup = write('backup', exported.text);
    data = join(folder, 'other');
    const imported = await runToEnd(
      'storage',
      'import',
      data,
      backup,
      `--encryption-provider-config=${other}`,
      '--dialect=k8s',
    );
    expect(imported.code).toBe(0);
    expect([encoded, 'k8s:enc:aesgcm:v1:b:'].map(isOnDisk)).toEqual([false, true]);
    const second = await start(`--encryption-provider-config=${other}`);
    expect((await second.get('/api/v1/namespaces/default/secrets/hidden')).text).toContain(encoded);
  });

  it.each([
    ['storage', 'check', 'x', '--encryption-provider-config=a'],
    ['storage', 'export', 'x', '--encryption-provider=a'],
    ['storage', 'export', 'x', '--dialect='],
  ])('is not an option of %s %s %s %s', async (...argv) => {
    expect((await runToEnd(...argv)).errors).toContain('invalid arguments');
  });

  it('is read again when it changes, through symbolic links as well, and stays in force when the new one is invalid', async () => {
    write('first.yaml', configuration(keyOf('a')));
    symlinkSync('first.yaml', join(folder, 'link'));
    const link = join(folder, 'link');
    const flags = [`--encryption-provider-config=${link}`, '--encryption-provider-config-automatic-reload'];
    const server = await start(...flags, `--load=${write('objects.yaml', MANIFEST)}`, '--data-durability=process');
    const replace = (file: string) => {
      symlinkSync(file, `${link}.new`);
      renameSync(`${link}.new`, link);
    };
    write('wrong.yaml', configuration(''));
    replace('wrong.yaml');
    await expect
      .poll(server.text, { timeout: 10_000 })
      .toContain(
        `configuration ${link}: the changed file is invalid, and the previous configuration stays in force: error while parsing file: resources[0].providers[0].aesgcm.keys: Required value`,
      );
    write('second.yaml', configuration(`${keyOf('b')}, ${keyOf('a')}`));
    replace('second.yaml');
    await expect
      .poll(server.text, { timeout: 10_000 })
      .toContain(`configuration ${link}: the changed file is in force`);
    const metrics = (await server.get('/metrics')).text;
    for (const status of ['success', 'failure']) {
      const counted = new RegExp(
        `^apiserver_encryption_config_controller_automatic_reloads_total\\{.*status="${status}"\\} 1$`,
        'm',
      );
      expect(metrics).toMatch(counted);
    }
    expect(metrics).toContain('apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds');
    expect(metrics).toContain('transformer_prefix="k8s:enc:aesgcm:v1:"');
    expect((await server.get('/api/v1/namespaces/default/secrets/hidden')).status).toBe(200);
    expect(server.text()).not.toContain(Buffer.from('b'.repeat(32)).toString('base64'));
  });
});

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askWith, runToEnd, startServing } from './program.js';

let folder: string;
let data: string;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
});

const MANIFEST =
  'apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n---\n' +
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: team}\ndata: {a: "1"}\n---\n' +
  'apiVersion: v1\nkind: Secret\nmetadata: {name: hidden, namespace: team}\nstringData: {a: "1"}\n';
const MAPS = '/api/v1/namespaces/team/configmaps';

async function start(...flags: string[]) {
  const started = await startServing(`--data-dir=${data}`, ...flags);
  stops.push(started.stop);
  return started;
}

const get = async (url: string, path: string, config: string): Promise<string> =>
  (await askWith(config, url, path)).text;
const kubeconfig = () => readFileSync(join(data, 'admin.kubeconfig'), 'utf8');

describe('--data-dir', () => {
  it('is the same server after a restart: objects, keys, and kubeconfigs', async () => {
    const manifest = join(folder, 'manifest.yaml');
    writeFileSync(manifest, MANIFEST);
    const first = await start(`--load=${manifest}`);
    expect(first.text()).toContain(`Storage: ${data}; what is stored there survives a crash of the machine\n`);
    expect(first.text()).toContain(`Kubeconfig: ${join(data, 'admin.kubeconfig')} (an administrator)\n`);
    const config = kubeconfig();
    const paths = [MAPS, `${MAPS}/kept`, '/api/v1/namespaces/team/secrets', '/api/v1/serviceaccounts'];
    const before = await Promise.all(paths.map((path) => get(first.url, path, config)));
    expect(await first.stop()).toBe(0);
    expect(readdirSync(data).sort()).toEqual(['admin.kubeconfig', 'db', 'pki']);
    for (const name of ['', 'db', 'pki']) expect(statSync(join(data, name)).mode & 0o777, name).toBe(0o700);
    for (const file of ['admin.kubeconfig', 'pki/ca.key', 'pki/sa.key'])
      expect(statSync(join(data, file)).mode & 0o777, file).toBe(0o600);

    const second = await start();
    // Lists have the revision of the whole store, which increased when the server started.
    const bare = (text: string) => text.replace(/"metadata":\{"resourceVersion":"\d+"\}/, '');
    const after = await Promise.all(paths.map((path) => get(second.url, path, config)));
    expect(after.map(bare)).toEqual(before.map(bare));
    expect(await second.stop()).toBe(0);
  });

  it('keeps other users from reading the database in a folder that they may read', async () => {
    mkdirSync(join(data, 'db'), { recursive: true });
    for (const name of ['', 'db']) chmodSync(join(data, name), 0o755);
    await start();
    expect([data, join(data, 'db')].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o750]);
  });

  it('is refused while another server uses the folder, which stays unchanged', async () => {
    const first = await start();
    const config = kubeconfig();
    const second = await runToEnd('--secure-port=0', `--data-dir=${data}`);
    expect(second.code).toBe(1);
    expect(second.errors).toContain(
      `Error: ${join(data, 'db')} is in use by another process: stop that one or name another folder\n`,
    );
    expect(kubeconfig()).toBe(config);
    expect(await first.stop()).toBe(0);
  });

  it.each([
    [['--data-dir='], '--data-dir must not be empty'],
    [['--data-durability=process'], '--data-durability is about --data-dir: give both'],
    [
      ['--data-dir=/dev/null/data'],
      '--data-dir /dev/null/data: the folder cannot be created: a part of the path is a file',
    ],
  ])('is refused for %j', async (flags, message) => {
    const { code, errors } = await runToEnd('--secure-port=0', ...flags);
    expect([code, errors]).toEqual([1, `Error: ${message}\n`]);
  });
});

describe('orch-apiserver storage', () => {
  async function filled(): Promise<string> {
    const manifest = join(folder, 'manifest.yaml');
    writeFileSync(manifest, MANIFEST);
    const { stop, url } = await start(`--load=${manifest}`);
    const config = kubeconfig();
    const answer = await get(url, `${MAPS}/kept`, config);
    await stop();
    return answer;
  }

  it('checks, compacts, exports and imports', async () => {
    const answer = await filled();
    const checked = await runToEnd('storage', 'check', data);
    expect(checked.text).toMatch(
      /^\S+ is undamaged: \d+ objects at revision \d+, \d+ events of history since revision 1\n$/,
    );
    expect((await runToEnd('storage', 'compact', data)).text).toMatch(/ is compacted: \d+ objects/);
    const { code, text } = await runToEnd('storage', 'export', data);
    expect(code).toBe(0);
    expect(text).toContain('"key":"/registry/configmaps/team/kept"');
    const file = join(folder, 'exported');
    writeFileSync(file, text);

    data = join(folder, 'other');
    expect((await runToEnd('storage', 'import', data, file)).text).toMatch(/ has \d+ objects at revision \d+\n$/);
    expect((await runToEnd('storage', 'export', data)).text).toBe(text);
    const again = await runToEnd('storage', 'import', data, file);
    expect(again.errors).toContain(`${join(data, 'db')} cannot be used: it already contains data`);
    const { stop, url } = await start();
    expect(await get(url, `${MAPS}/kept`, kubeconfig())).toBe(answer);
    await stop();
  });

  it('names every damaged record, and exports nothing', async () => {
    await filled();
    const database = new ClassicLevel(join(data, 'db'));
    const keys = (await database.keys({ gt: 'v' }).all()).slice(3, 5);
    for (const key of keys) await database.put(key, `${await database.get(key)} `);
    await database.close();
    const { code, text, errors } = await runToEnd('storage', 'check', data);
    expect(code).toBe(1);
    for (const key of keys) expect(text).toContain(`the record of revision ${Number(key.slice(1, 17))}, `);
    expect(errors).toBe(`Error: ${data} is damaged: replace it with an earlier copy or export\n`);
    const exported = await runToEnd('storage', 'export', data);
    expect([exported.code, exported.text]).toEqual([1, '']);
  });

  it.each([
    [['check'], 'invalid arguments: check'],
    [['repair', 'x'], 'invalid arguments: repair x'],
    [['import', 'x'], 'invalid arguments: import x'],
    [['check', '/nowhere'], '/nowhere has no data'],
    [['import', '/nowhere', '/nowhere'], 'open /nowhere: no such file or directory'],
  ])('refuses %j', async (args, message) => {
    const { code, errors } = await runToEnd('storage', ...args);
    expect(code).toBe(1);
    expect(errors).toContain(`Error: ${message}`);
  });

  it.each([
    ['', 'line 1 is not JSON'],
    ['{}\n', 'the file was not written by orch-apiserver storage export'],
    ['{"header":"orch-apiserver storage export","format":2}\n', 'the file has format 2'],
    ['{"header":"orch-apiserver storage export","format":1,"revision":3,"objects":1}\n', 'the file is incomplete'],
    [
      '{"header":"orch-apiserver storage export","format":1,"revision":3,"objects":1}\n{"key":1}\n',
      'line 2 is not an object of the storage',
    ],
    ...[
      [0.5, 0.5, 1],
      [-3, 1, 1],
      [4, 1, 1],
      [2, 3, 1],
      [2, 1e300, 1],
      [2, 1, null],
    ].map(([revision, createRevision, time]) => [
      '{"header":"orch-apiserver storage export","format":1,"revision":3,"objects":1}\n' +
        `${JSON.stringify({ key: '/a', revision, createRevision, time, value: {} })}\n`,
      'line 2 is not an object of the storage',
    ]),
  ])('does not import %j', async (text, message) => {
    const file = join(folder, 'wrong');
    writeFileSync(file, text);
    const { code, errors } = await runToEnd('storage', 'import', data, file);
    expect([code, errors.includes(message)]).toEqual([1, true]);
    rmSync(file);
  });
});

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CliListenOptions, CliServer } from '../../src/cli/cli-server.js';
import { run } from '../../src/cli/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program with a stub server. `calls` lists the calls of its methods, in order. */
function start(
  argv: string[],
  options: {
    kubeconfig?: () => Promise<string>;
    makeServer?: () => Promise<CliServer>;
    listen?: () => Promise<never>;
  } = {},
) {
  const calls: string[] = [];
  const out: string[] = [];
  const errors: string[] = [];
  const controller = new AbortController();
  let listening: CliListenOptions | undefined;
  const server: CliServer = {
    handle: () => Promise.reject(new Error('not asked')),
    start: async () => void calls.push('start'),
    drain: async () => void calls.push('drain'),
    close: async () => void calls.push('close'),
    load: async (files) => {
      const read = await files.read();
      calls.push(`load ${read.map(({ text }) => text).join()}`);
      for (const { name, text } of read) if (text === 'bad') throw new Error(`${name}: no object`);
      return read.reduce((sum, { text }) => sum + text.length, 0);
    },
    save: async () => 'kind: Saved\n',
    client: () => ({ resources: () => [{ apiVersion: 'v1', gvr: { resource: 'pods' } }] }),
  };
  const ended = run(argv, {
    stdout: { write: (text: string) => void out.push(text) },
    stderr: { write: (text: string) => void errors.push(text) },
    signal: controller.signal,
    makeServer: options.makeServer ?? (async () => server),
    listen: async (_, given) => {
      calls.push('listen');
      listening = given;
      await options.listen?.();
      return {
        port: 1234,
        url: 'https://127.0.0.1:1234',
        kubeconfig: options.kubeconfig ?? (async () => 'kind: Config\n'),
        close: async ({ graceMilliseconds }) => void calls.push(`close listener ${graceMilliseconds}`),
      };
    },
  });
  /** Resolves once the suggested command was printed, or the program has ended. */
  const ready = async () => {
    let over = false;
    void ended.then(() => (over = true));
    await expect.poll(() => over || out.join('').includes('kubectl --kubeconfig'), { timeout: 30_000 }).toBe(true);
  };
  return { ended, ready, calls, out, errors, stop: () => controller.abort(), listening: () => listening };
}

describe('run', () => {
  it('starts, prints how to connect, and ends at the signal', async () => {
    const file = join(folder, 'admin.kubeconfig');
    const { ended, ready, calls, out, errors, stop } = start([
      `--write-kubeconfig=${file}`,
      '--shutdown-grace=3s',
      '--dialect=k8s',
      '--authorization-mode=Node,RBAC',
    ]);
    await ready();
    expect(out.join('').split('\n')).toEqual([
      expect.stringMatching(/^orch-apiserver \d+\.\d+\.\d+, a Kubernetes API server, release 1\.31$/),
      expect.stringMatching(/^Dialect: k8s, the names of kubernetes\.io/),
      expect.stringMatching(/^Storage: memory, nothing is kept/),
      'Authorization: Node, RBAC',
      'Serves: 1 resource in 1 group version',
      'Listening on https://127.0.0.1:1234',
      `Kubeconfig: ${file} (an administrator)`,
      `Try: kubectl --kubeconfig ${file} get ns`,
      '',
    ]);
    expect(readFileSync(file, 'utf8')).toBe('kind: Config\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(calls).toEqual(['start', 'listen']);
    stop();
    expect(await ended).toBe(0);
    expect(calls).toEqual(['start', 'listen', 'drain', 'close listener 3000', 'close']);
    expect(out.at(-1)).toMatch(/^Stopping: /);
    expect(errors).toEqual([]);
  });

  it('prints a kubectl command that works in the other dialect', async () => {
    const { ended, ready, out, stop } = start([`--write-kubeconfig=${folder}/a b`]);
    await ready();
    expect(out.join('').split('\n').at(-2)).toBe(
      `Try: kubectl --kubeconfig '${folder}/a b' get --raw /api/v1/namespaces`,
    );
    stop();
    await ended;
  });

  it('replaces a kubeconfig that others can read', async () => {
    const file = join(folder, 'old');
    writeFileSync(file, 'old', { mode: 0o644 });
    const { ended, stop } = start([`--write-kubeconfig=${file}`]);
    stop();
    await ended;
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['kind: Config\n', 0o600]);
  });

  it('deletes its kubeconfig at the end, unless a path is given', async () => {
    const { ended, ready, out, stop } = start([]);
    await ready();
    const text = out.join('');
    expect(text).toContain('Dialect: orch, the default');
    expect(text).toContain('--dialect=k8s speaks');
    expect(text).toContain('--write-kubeconfig=FILE keeps one');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
    const file = /--kubeconfig (\S+)/.exec(out.join(''))?.[1] ?? '';
    expect(existsSync(file)).toBe(true);
    stop();
    expect(await ended).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('writes no kubeconfig without the key of a CA, and reports that only if a kubeconfig was requested', async () => {
    const kubeconfig = () => Promise.reject(new TypeError('no key'));
    const quiet = start([], { kubeconfig });
    quiet.stop();
    expect(await quiet.ended).toBe(0);
    expect(quiet.out.join('')).not.toContain('kubectl --kubeconfig');
    const asked = start([`--write-kubeconfig=${folder}/x`], { kubeconfig });
    expect(await asked.ended).toBe(1);
    expect(asked.errors).toEqual(['Error: no key\n']);
    expect(asked.calls).toContain('close');
  });

  it('loads files in order before it starts, and saves at the end', async () => {
    writeFileSync(join(folder, 'a'), 'a');
    writeFileSync(join(folder, 'b'), 'bb');
    const save = join(folder, 'saved');
    const { ended, calls, out, stop } = start([
      `--load=${folder}/a`,
      '--load',
      `${folder}/b`,
      `--load=${save}`,
      `--save=${save}`,
    ]);
    stop();
    expect(await ended).toBe(0);
    expect(calls.slice(0, 4)).toEqual(['load a', 'load bb', 'start', 'listen']);
    const text = out.join('');
    expect(text).toContain(`Loaded 1 object from ${folder}/a\nLoaded 2 objects from ${folder}/b\n`);
    expect(text).toContain(`Loaded nothing from ${save}, which is not there yet\n`);
    expect(text).toContain(`Saved all objects to ${save}\n`);
    expect([readFileSync(save, 'utf8'), statSync(save).mode & 0o777]).toEqual(['kind: Saved\n', 0o600]);
  });

  it('loads the files of a folder or a glob in one operation', async () => {
    mkdirSync(join(folder, 'more'));
    for (const name of ['2.yaml', '1.json', 'readme.md', 'more/3.yml'])
      writeFileSync(join(folder, name), `in ${name} `);
    const { ended, calls, out, stop } = start([`--load=${folder}`, `--load=${folder}/**/*.y*ml`]);
    stop();
    expect(await ended).toBe(0);
    expect(calls.slice(0, 3)).toEqual(['load in 1.json ,in 2.yaml ', 'load in 2.yaml ,in more/3.yml ', 'start']);
    expect(out.join('')).toContain(`Loaded 20 objects from ${folder}\nLoaded 24 objects from ${folder}/**/*.y*ml\n`);
  });

  it('refuses a path that is missing before it starts the server', async () => {
    const { ended, calls } = start([`--load=${folder}/none`]);
    expect(await ended).toBe(1);
    expect(calls).toEqual(['close']);
  });

  it('passes addresses and certificates on', async () => {
    for (const name of ['crt', 'key', 'ca']) writeFileSync(join(folder, name), name);
    const { ended, stop, listening } = start([
      `--tls-cert-file=${folder}/crt`,
      `--tls-private-key-file=${folder}/key`,
      `--client-ca-file=${folder}/ca`,
      `--requestheader-client-ca-file=${folder}/ca`,
      '--bind-address=::1',
      '--secure-port=0',
      '--advertise-address=10.1.2.3',
      '--external-hostname=api.example.com:8443',
      '--service-cluster-ip-range=10.0.0.0/24',
    ]);
    stop();
    expect(await ended).toBe(0);
    expect(listening()).toMatchObject({ host: '::1', port: 0, tls: { cert: 'crt', key: 'key' }, clientCA: 'ca\nca' });
    expect(listening()?.names).toEqual([
      ...['orch', 'orch.default', 'orch.default.svc', 'orch.default.svc.cluster.local'],
      ...['10.1.2.3', 'api.example.com', '10.0.0.1'],
    ]);
  });

  it.each([
    [['--no-such-flag'], 'unknown flag: --no-such-flag'],
    [['--secure-prot=1'], 'unknown flag: --secure-prot, did you mean --secure-port?'],
    [['--kubeconfig=x'], 'unknown flag: --kubeconfig, did you mean --write-kubeconfig?'],
    [['--save=/nowhere/at/all.yaml'], 'open /nowhere/at/all.yaml: no such file or directory'],
    [['--save=/'], 'open /: is a directory'],
    [['--enable-admission-plugins=Typo'], 'enable-admission-plugins plugin "Typo" is unknown'],
    [
      ['--secure-port=-1', '--tls-cert-file=x'],
      '[--secure-port -1 must be between 0 and 65535, inclusive, --tls-cert-file and --tls-private-key-file should be specified together]',
    ],
    [['--client-ca-file=none'], 'open none: no such file or directory'],
    [['--client-ca-file=/dev/null'], 'missing content for CA bundle "client-ca-bundle::/dev/null"'],
    [['--load=/dev'], '/dev: there is no file that ends in .yaml, .yml, .json'],
    [['--load=/none/at/all.yaml'], 'open /none/at/all.yaml: no such file or directory'],
    [['--load=/none/at/*.yaml'], '/none/at/*.yaml: there is no file that ends in .yaml, .yml, .json'],
  ])('refuses %j', async (argv, message) => {
    const { ended, errors } = start(argv);
    expect(await ended).toBe(1);
    expect(errors).toContain(`Error: ${message}\n`);
  });

  it.each([
    [['--no-such-flag'], 'orch-apiserver --help lists the flags.'],
    [['help'], 'orch-apiserver --help lists the flags.'],
    [['--authorization-mode=rbac'], 'The modes are AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node.'],
    [['--client-ca-file=none'], 'none is the value of --client-ca-file.'],
    [
      ['--tls-cert-file=none', '--tls-private-key-file=none'],
      'none is the value of --tls-cert-file and --tls-private-key-file.',
    ],
    [['--save=/nowhere/at/all.yaml'], '/nowhere/at/all.yaml is the value of --save.'],
  ])('refuses %j and says what to do', async (argv, advice) => {
    const { ended, errors } = start(argv);
    expect(await ended).toBe(1);
    expect(errors.at(-2)).toMatch(/^Error: /);
    expect(errors.at(-1)).toBe(`${advice}\n`);
  });

  it.each([
    ['EADDRINUSE', 'port 6443 is in use'],
    ['EADDRNOTAVAIL', '127.0.0.1 is not an address of this machine'],
    ['EACCES', 'this user may not listen on port 6443'],
  ])('explains %s', async (code, message) => {
    const { ended, errors } = start([], { listen: () => Promise.reject(Object.assign(new Error(code), { code })) });
    expect(await ended).toBe(1);
    expect(errors.at(-1)).toContain(message);
  });

  it('explains why a folder cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { ended, errors } = start([`--data-dir=${folder}/file`]);
    expect(await ended).toBe(1);
    expect(errors).toEqual([`Error: --data-dir ${folder}/file: the folder cannot be created: a file has this name\n`]);
  });

  it('closes what it started if a file cannot be loaded', async () => {
    writeFileSync(join(folder, 'bad'), 'bad');
    const { ended, calls, errors } = start([`--load=${folder}/bad`, `--save=${folder}/saved`]);
    expect(await ended).toBe(1);
    expect(errors).toEqual([`Error: load ${folder}/bad: no object\n`]);
    expect(calls).toEqual(['load bad', 'close']);
    // A server that never started must not replace the objects saved before.
    expect(existsSync(`${folder}/saved`)).toBe(false);
  });

  it('reports why the server could not be created', async () => {
    const { ended, errors } = start([], { makeServer: () => Promise.reject(new Error('authorizers: Required value')) });
    expect(await ended).toBe(1);
    expect(errors).toEqual(['Error: authorizers: Required value\n']);
  });

  it('prints its help and its version', async () => {
    const help = start(['--help']);
    expect(await help.ended).toBe(0);
    expect(help.out.join('')).toMatch(/Usage: orch-apiserver \[flags\][\s\S]*--secure-port NUMBER/);
    const version = start(['--version']);
    expect(await version.ended).toBe(0);
    expect(version.out.join('')).toMatch(/^orch-apiserver \d+\.\d+\.\d+\n$/);
    const raw = start(['--version=raw']);
    expect(await raw.ended).toBe(0);
    expect(JSON.parse(raw.out.join(''))).toMatchObject({ major: '1', minor: '31' });
  });
});

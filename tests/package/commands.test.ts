import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The shell blocks of the README in the order of the page: those of a checkout in a copy of it, the others in an empty folder next to it, with
 * the file that the checkout packs. What CI runs literally (`.ci/run`) is the same two commands, so here no test runs all tests again.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());

/** Why npm cannot install here; undefined when it can. */
const noNpm = ((): string | undefined => {
  try {
    execFileSync('npm', ['view', 'zod', 'version'], { stdio: 'pipe', timeout: 30_000 });
    return undefined;
  } catch {
    return 'npm reaches no registry';
  }
})();

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
const checkout = join(folder, 'checkout');
const empty = join(folder, 'empty');
const sh = (command: string, cwd: string) =>
  execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 540_000 });

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files)
    if (existsSync(join(root, file))) cpSync(join(root, file), join(checkout, file), { recursive: true });
  // What `npm install` of a checkout takes is what the lock file says: CI has just run it (`npm ci`).
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  mkdirSync(empty);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withoutInstall = (block: string) => {
  expect(block.startsWith('npm install && ')).toBe(true);
  return block.slice('npm install && '.length);
};

describe('the commands of the README', () => {
  it('are these, in this order, and CI runs the first two literally', () => {
    expect(
      blocks.map((block) =>
        block
          .replace(/ --.*/, '')
          .replace(/-\d.*tgz/, '.tgz')
          .split('\n'),
      ),
    ).toEqual([
      ['npm install && npm start'],
      ['npm install && npm test'],
      ['npm install && npm pack'],
      ['npm init -y', 'npm install ../orch-apiserver.tgz zod'],
      ['npx orch-apiserver'],
    ]);
    const ci = readFileSync(join(root, '.ci/run'), 'utf8');
    for (const command of ['npm ci', 'npm test', 'npm start -- --dialect=k8s --secure-port='])
      expect(ci).toContain(command);
    const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    for (const command of ['npm install && npm start -- --dialect=k8s', 'npm install && npm test'])
      expect(contributing).toContain(command);
  });

  it('serve from a checkout, and name the one to try next', { timeout: 120_000 }, async () => {
    const command = withoutInstall(blocks[0] ?? '').replace('--secure-port=6443', '--secure-port=0');
    const program = spawn('sh', ['-c', `exec ${command}`], { cwd: checkout, detached: true });
    let text = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    const ended = new Promise((resolve) => program.on('exit', resolve));
    try {
      await expect
        .poll(() => text, { timeout: 90_000 })
        .toContain('Try: kubectl --kubeconfig admin.kubeconfig get ns\n');
      expect(text).toContain('Dialect: k8s');
      expect(text).toContain('Kubeconfig: admin.kubeconfig');
      expect(text.split('\n').length).toBeLessThan(18);
      expect(readFileSync(join(checkout, 'admin.kubeconfig'), 'utf8')).toContain('current-context');
    } finally {
      if (program.pid !== undefined) process.kill(-program.pid, 'SIGTERM');
      await ended;
    }
  });

  it('name a script for the tests', () => {
    const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, name = ''] of blocks.join('\n').matchAll(/npm (start|test)\b/g)) expect(scripts[name]).toBeTruthy();
  });

  it.skipIf(noNpm)(
    `install the packed file in an empty folder, where the code of the page runs${noNpm ? `: ${noNpm}` : ''}`,
    { timeout: 1_200_000 },
    () => {
      sh(withoutInstall(blocks[2] ?? ''), checkout);
      sh(blocks[3] ?? '', empty);
      const code = [...readme.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, text = '']) => text);
      for (const [i, name] of ['first.mjs', 'first.cjs', 'embedded.mjs'].entries())
        writeFileSync(join(empty, name), code[i] ?? '');
      expect(sh('node first.mjs', empty)).toBe("ADDED { colour: 'red' }\nMODIFIED { colour: 'blue' }\n");
      expect(sh('node first.cjs', empty)).toBe('default kube-node-lease kube-public kube-system\n');
      expect(sh('node embedded.mjs', empty)).toMatch(/^200\n[\s\S]*current-context/);
      expect(sh(blocks[4] ?? '', empty)).toMatch(/^orch-apiserver \d+\.\d+\.\d+\n$/);
      expect(basename(/\S+\.tgz/.exec(blocks[3] ?? '')?.[0] ?? '')).toBe(
        `orch-apiserver-${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}.tgz`,
      );
    },
  );
});

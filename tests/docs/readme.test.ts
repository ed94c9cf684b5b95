import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../src/version.js';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** Runs a block of the README unchanged, except that it imports the sources. */
async function run(code: string): Promise<void> {
  const modules: Record<string, unknown> = {
    'orch-apiserver': await import('../../src/index.js'),
    'orch-apiserver/testing': await import('../../src/testing/index.js'),
    'orch-apiserver/http': await import('../../src/http/index.js'),
    'node:http': await import('node:http'),
  };
  const body = code.replace(
    /import \{([^}]+)\} from '([^']+)';/g,
    (_, names: string, from: string) => `const {${names}} = modules['${from}'];`,
  );
  const AsyncFunction = Object.getPrototypeOf(run).constructor as new (
    ...args: string[]
  ) => (modules: unknown) => Promise<void>;
  await new AsyncFunction('modules', body)(modules);
}

/** Runs a CommonJS block unchanged, and waits for its last promise. */
async function runCommonJs(code: string): Promise<void> {
  const main = await import('../../src/index.js');
  const require = (name: string) => (name === 'orch-apiserver' ? main : expect.unreachable(name));
  await new Function('require', code.replace(/^main\(\);$/m, 'return main();'))(require);
}

describe('the README', () => {
  it('has code that runs', async () => {
    expect(blocks).toHaveLength(3);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    for (const block of blocks) await run(block);
    expect(log.mock.calls.slice(0, 4)).toEqual([
      ['added ConfigMap default/settings'],
      ['ADDED', { color: 'red' }],
      ['MODIFIED', { color: 'blue' }],
      [200],
    ]);
    expect(log.mock.calls.slice(4)).toEqual([[expect.stringContaining('current-context')]]);
    const common = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    expect(common).toHaveLength(1);
    for (const block of common) await runCommonJs(block);
    expect(log).toHaveBeenLastCalledWith('default kube-node-lease kube-public kube-system');
    log.mockRestore();
  });

  it('shows code that is compiled', () => {
    const shown = [...readme.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map((match) => match[1]);
    const files = ['control.mts', 'first.mts', 'first.cjs', 'embedded.mts'];
    expect(shown).toEqual(files.map((file) => readFileSync(new URL(`examples/readme/${file}`, root), 'utf8')));
  });

  it('has code blocks only in these languages', () => {
    const languages = [...readme.matchAll(/^```(\w+)$/gm)].map((match) => match[1] ?? '');
    expect([...new Set(languages)].sort()).toEqual(['js', 'sh', 'ts']);
  });

  it('has links whose targets exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) expect(existsSync(new URL(link, root)), link).toBe(true);
  });

  it('names the version of the package', () => {
    expect(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version).toBe(VERSION);
  });
});

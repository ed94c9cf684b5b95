import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../src/version.js';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** Runs a block of the README as it stands; its imports become the sources'. */
async function run(code: string): Promise<void> {
  const modules: Record<string, unknown> = {
    'orch-apiserver': await import('../../src/index.js'),
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

describe('the README', () => {
  it('has code that runs', async () => {
    expect(blocks).toHaveLength(2);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    for (const block of blocks) await run(block);
    expect(log).toHaveBeenLastCalledWith('MODIFIED', { colour: 'blue' });
    log.mockRestore();
  });

  it('names the version of the package', () => {
    expect(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version).toBe(VERSION);
  });
});

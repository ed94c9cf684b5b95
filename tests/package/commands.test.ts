import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { followPages, pagesWithCommands } from '../../scripts/readme.mjs';

const MINUTE = 60_000;

/** Why the commands are not run; undefined if they are. */
const why = ((): string | undefined => {
  if (process.env.COMMANDS_FOLLOWED) return 'they were followed just before';
  try {
    execFileSync('npm', ['view', 'zod', 'version'], { stdio: 'pipe', timeout: MINUTE });
    return undefined;
  } catch {
    return 'npm reaches no registry';
  }
})();

/** The expected output of every shell block, in the order of the pages. */
const printed: readonly (readonly [page: string, firstCommand: string, output: RegExp])[] = [
  ['README.md', 'npm install && npm start', /Dialect: k8s[\s\S]*Try: kubectl --kubeconfig admin.kubeconfig get ns\n/],
  ['README.md', 'npm install && npm test', /Tests +\d+ passed/],
  ['README.md', 'npm install && npm pack', /^orch-apiserver-\d+\.\d+\.\d+\.tgz$/m],
  ['README.md', 'mkdir ../first', /added \d+ packages/],
  ['README.md', 'node first.mjs', /^ADDED { color: 'red' }\nMODIFIED { color: 'blue' }\n$/],
  ['README.md', 'node first.cjs', /^default kube-node-lease kube-public kube-system\n$/],
  ['README.md', 'npm install --save-dev esbuild', /first\.js/],
  ['README.md', 'npx orch-apiserver --version', /^orch-apiserver \d+\.\d+\.\d+\n$/],
  ['README.md', 'node embedded.mjs', /^200\n[\s\S]*current-context/],
  ['docs/guides/envtest.md', 'npx orch-apiserver envtest bin', /^\/.*\/bin\norch-apiserver \d+\.\d+\.\d+\n$/],
  ['docs/guides/jest.md', 'npm install --save-dev jest', /Tests: +2 passed, 2 total/],
  ['docs/guides/node-test.md', 'node --test', /pass 2\n/],
  ['docs/guides/vitest.md', 'npm install --save-dev vitest', /Tests {2}3 passed/],
];

describe('the shell blocks of README.md and the guides', () => {
  it('all have an expected output', () => {
    expect(pagesWithCommands()).toEqual([...new Set(printed.map(([page]) => page))]);
  });

  it.skipIf(why)(`print what the pages say${why ? `: ${why}` : ''}`, { timeout: 40 * MINUTE }, async () => {
    const expected = printed.values();
    for await (const { page, commands, output } of followPages()) {
      const [itsPage = 'a block that is not expected', firstCommand = '', pattern = /^$/] = expected.next().value ?? [];
      expect(page).toBe(itsPage);
      expect(commands.slice(0, firstCommand.length)).toBe(firstCommand);
      expect(output, commands).toMatch(pattern);
    }
    expect(expected.next().value).toBeUndefined();
  });
});

it('CONTRIBUTING.md begins with commands of README.md', () => {
  const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  for (const command of ['npm install && npm start -- --dialect=k8s', 'npm install && npm test'])
    for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain(command);
});

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { entryPoints } from './scripts/entry-points.mjs';
import { EXTENDED, LONG, REPLACING } from './tests/suites.js';
import { COMPILED, compiledSources, TRANSFORMED } from './tests/support/compiled-sources.js';

/** While they are watched, tests import the sources themselves, so that a change is seen. */
const isWatched = !process.argv.includes('run');

/** Larger budgets: most code runs a few times, and compiling it for speed takes a fifth of the time. The flag's name depends on the release. */
const BUDGET = process.versions.node.startsWith('20.') ? '--interrupt-budget' : '--invocation-count-for-turbofan';
/** Fewer collections, too, of what lives as long as a request. */
const V8_FLAGS = ['--max-semi-space-size=32', `${BUDGET}=1000000`];

export default defineConfig(({ mode }) => {
  const test = {
    env: { PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? (mode === 'all' ? '1' : '0.1') },
    // A slow machine may need them; what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    unstubGlobals: true,
  };
  // Examples import the package by its name, as its users do.
  const alias = entryPoints().map(({ name, path }) => ({
    find: new RegExp(`^${name}$`),
    replacement: new URL(`./src/${path}.ts`, import.meta.url).pathname,
  }));
  const project = (own: TestProjectInlineConfiguration['test'], isCompiled: boolean) => ({
    resolve: { alias },
    plugins: isCompiled ? [compiledSources(REPLACING)] : [],
    test: { ...test, ...own, ...(isCompiled ? { server: { deps: { external: [COMPILED] } } } : {}) },
  });
  const every = ['tests/**/*.test.ts'];
  return {
    test: {
      globalSetup: './tests/support/say-what-is-missing.ts',
      reporters: ['minimal'],
      // The next run then does not transform unchanged tests again, which would take a few seconds.
      experimental: { fsModuleCache: true, fsModuleCachePath: TRANSFORMED },
      // Many tests wait for a timer or for another process, and many processes get a larger share of a machine that is busy. With all cases of
      // the property tests, two processes keep the two cores of a small machine busy.
      maxWorkers: mode === 'all' ? 2 : 8,
      projects: [
        project(
          {
            name: 'shared',
            include: every,
            exclude: [...LONG, ...EXTENDED],
            isolate: false,
            execArgv: V8_FLAGS,
          },
          !isWatched,
        ),
        project(
          {
            name: 'extended',
            include: EXTENDED,
            exclude: LONG,
            isolate: false,
            execArgv: V8_FLAGS,
            // A process runs tests of one project, so the projects take turns.
            sequence: { groupOrder: 1 },
          },
          !isWatched,
        ),
        // Some of them measure time or memory, which many processes at once would disturb.
        project({ name: 'long', include: LONG, maxWorkers: 2, sequence: { groupOrder: 2 } }, !isWatched),
      ],
    },
  };
});

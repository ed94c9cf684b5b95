import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { entryPoints } from './scripts/entry-points.mjs';
import { ALONE, LONG, REPLACING } from './tests/suites.js';
import { COMPILED, compiledSources } from './tests/support/compiled-sources.js';

/** While they are watched, tests import the sources themselves, so that a change is seen. */
const isWatched = !process.argv.includes('run');

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
      maxWorkers: 2,
      projects: [
        project(
          {
            name: 'shared',
            include: every,
            exclude: [...LONG, ...ALONE],
            isolate: false,
            // Fewer collections of what lives as long as a request; and what runs a few times is not worth an optimizing compiler, which
            // otherwise takes a fifth of the time.
            execArgv: ['--max-semi-space-size=64', '--interrupt-budget=1000000'],
          },
          !isWatched,
        ),
        project({ name: 'alone', include: ALONE }, !isWatched),
        project({ name: 'long', include: LONG }, !isWatched),
      ],
    },
  };
});

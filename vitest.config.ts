import { defineConfig } from 'vitest/config';
import { entryPoints } from './scripts/entry-points.mjs';

export default defineConfig({
  resolve: {
    // Examples import the package by its name, as its users do.
    alias: entryPoints().map(({ name, path }) => ({
      find: new RegExp(`^${name}$`),
      replacement: new URL(`./src/${path}.ts`, import.meta.url).pathname,
    })),
  },
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: './tests/support/say-what-is-missing.ts',
    // A slow machine may need them; what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
});

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
  test: { include: ['tests/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 20_000, maxWorkers: 2 },
});

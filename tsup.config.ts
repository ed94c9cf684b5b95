import { defineConfig, type Options } from 'tsup';
import { entryPoints } from './scripts/entry-points.mjs';

const shared: Options = {
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  splitting: true,
  treeshake: true,
  // Bundled, as start-up is shorter by what the module loader costs; the rest loads when first used.
  noExternal: ['zod', 'immer', 'eventemitter3', 'sorted-btree', /^@peculiar\/asn1-/],
  external: [/^node:/, 'vitest'],
};

export default defineConfig([
  {
    ...shared,
    entry: Object.fromEntries(entryPoints().map(({ path }) => [path, `src/${path}.ts`])),
    format: ['esm', 'cjs'],
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    clean: true,
  },
  { ...shared, entry: { 'cli/main': 'src/cli/main.ts' }, format: ['esm'], dts: false, clean: false },
]);

import { defineConfig } from 'tsup';

const shared = {
  target: 'node20',
  platform: "node",
  sourcemap: true,
  splitting: true,
  treeshake: true,
  // Bundled: zod's small core is read at start-up, and bundling keeps start-up short.
  noExternal: ['zod', 'immer', 'eventemitter3', 'sorted-btree', 'fast-json-patch'],
  external: [/^node:/, 'vitest'],
} as const;

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      'http/index': 'src/http/index.ts',
      'kubeconfig/index': 'src/kubeconfig/index.ts',
      'testing/index': 'src/testing/index.ts',
    },
    format: ['esm', 'cjs'],
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    clean: true,
  },
  { ...shared, entry: { 'cli/main': 'src/cli/main.ts' }, format: ['esm'], dts: false, clean: false },
]);

import { defineConfig } from 'vitest/config';

const source = (file: string) => new URL(`./src/${file}`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    // Examples import the package by its name, as its users do.
    alias: [
      { find: /^orch-apiserver$/, replacement: source('index.ts') },
      { find: /^orch-apiserver\/http$/, replacement: source('http/index.ts') },
      { find: /^orch-apiserver\/kubeconfig$/, replacement: source('kubeconfig/index.ts') },
      { find: /^orch-apiserver\/cel$/, replacement: source('cel/index.ts') },
      { find: /^orch-apiserver\/testing$/, replacement: source('testing/index.ts') },
    ],
  },
  test: { include: ['tests/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 20_000, maxWorkers: 2 },
});

import type { Plugin } from 'esbuild';

export function markPure(): Plugin;

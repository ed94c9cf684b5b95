import { describe, expect, it } from 'vitest';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { evaluate, release } from './kubernetes-data.js';

interface Case {
  readonly test: string;
  readonly expr: string;
  readonly runtime: number;
}

describe.skipIf(!hasSharedData)('runtime costs of libraries (needs the data of ../shared)', () => {
  const { cases } = readShared<{ cases: Case[] }>('data/k8s-cel/library-costs.json', { cases: [] });
  const environment = release();
  it.each(cases.map((one, i) => [`${i} ${one.expr}`, one] as const))('%s', (_name, { expr, runtime }) => {
    expect(evaluate(environment, expr).cost).toBe(runtime);
    expect(evaluate(environment, expr, {}, false).cost).toBe(runtime);
  });
});
